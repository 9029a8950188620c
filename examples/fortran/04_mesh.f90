! 4. Frames in Fortran: a mesh whose cells lie on any rank. Nodes are on several ranks; each gets a quarter of the area of every cell
! around it, and the cells get back what their corners have.
program mesh
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: width = 30, height = 20 ! in cells of area 1, of all ranks
  type(weft_comm) :: comm

  call MPI_Init()
  call comm%make(MPI_COMM_WORLD)
  call assemble()
  call comm%free()
  call MPI_Finalize()

contains

  subroutine assemble()
    type(weft_blocks) :: nodes
    type(weft_part_to_block) :: frame
    integer(int64), allocatable :: corners(:)
    real(real64), allocatable :: quarters(:), areas(:)
    real(real64) :: totals(3)
    integer :: cell, corner
    ! the ids of nodes count from 0
    corners = [((int(modulo(cell, width) + modulo(corner, 2) + (cell / width + corner / 2) * (width + 1), int64), &
      corner=0, 3), cell=comm%rank(), width * height - 1, comm%size())]
    allocate (quarters(size(corners)))
    quarters = 0.25_real64

    ! [readme]
    call nodes%uniform(comm, int((width + 1) * (height + 1), int64))
    call frame%make(comm, nodes, corners)           ! one part: the corners of this rank's cells, duplicates and all
    call frame%reduce(quarters, areas, weft_sum)    ! of the nodes frame%ids()
    call frame%reverse(areas, quarters)             ! to all corners that are this node
    ! [readme]

    totals = [sum(areas), sum(quarters), real(frame%count(), real64)]
    call comm%all_reduce(totals, weft_sum)
    if (comm%rank() == 0) print '(i0, a, i0, a, i0)', nint(totals(3)), ' nodes have an area of ', nint(totals(1)), &
      ', corners of cells have ', nint(totals(2))
  end subroutine

end program
