! 2. Halos in Fortran: heat on a ring of cells, by a plan whose arrays are prepared once.
program halo
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: cells = 100 ! of each rank
  type(weft_comm) :: comm
  real(real64) :: total(1)

  call MPI_Init()
  call comm%make(MPI_COMM_WORLD)
  call heat_up(total(1))
  call comm%all_reduce(total, weft_sum)
  if (comm%rank() == 0) print '(a, f0.6)', 'the heat is still ', total
  call comm%free()
  call MPI_Finalize()

contains

  subroutine heat_up(sum_of_mine)
    real(real64), intent(out) :: sum_of_mine
    type(weft_plan) :: plan
    type(weft_planned) :: exchange ! both are released at the end of the subroutine
    real(real64) :: heat(cells), next(cells), from_left, from_right
    real(real64), target :: ghosts(2), borders(2)
    integer(int32) :: left, right
    integer :: step, place
    heat = 0
    if (comm%rank() == 0) heat(1) = 1000
    left = modulo(comm%rank() - 1, comm%size())
    right = modulo(comm%rank() + 1, comm%size())
    ! the plan sends to each neighbour once: with one or two ranks both borders go to the same one
    if (left == right) then
      call plan%make(comm, [left], [2_int64])
    else
      call plan%make(comm, [left, right], [1_int64, 1_int64])
    end if
    call plan%bind(borders, ghosts, exchange)
    ! ghosts come by source, ascending; of one neighbour alone its left border comes first, which lies right of this rank
    place = merge(1, 2, left < right)
    do step = 1, 500
      borders = [heat(1), heat(cells)]
      call exchange%start()
      next(2:cells - 1) = (heat(1:cells - 2) + 2 * heat(2:cells - 1) + heat(3:cells)) / 4
      call exchange%wait()
      from_left = ghosts(place)
      from_right = ghosts(3 - place)
      next(1) = (from_left + 2 * heat(1) + heat(2)) / 4
      next(cells) = (heat(cells - 1) + 2 * heat(cells) + from_right) / 4
      heat = next
    end do
    sum_of_mine = sum(heat)
  end subroutine

end program
