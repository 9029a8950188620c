! 6. iexchange in Fortran: walkers hop from block to block. A block is called when walkers have come.
module walks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use weft
  implicit none

  type :: walker
    integer(int64) :: random = 0, hops_left = 50
  end type

  type :: block ! whose bytes are 0 at first
    integer(int64) :: begun = 0
  end type

contains

  ! [readme]
  function walk(state, data, port) bind(c) result(done)
    type(c_ptr), value :: state, data, port
    integer(c_int) :: done
    type(block), pointer :: mine
    integer(int64), pointer :: visits ! to blocks of this rank
    type(walker), pointer :: come(:)
    type(walker), target :: w
    type(c_ptr) :: items
    integer(int64) :: source, i
    integer(c_size_t) :: count
    call c_f_pointer(data, mine)
    call c_f_pointer(state, visits)
    done = 1 ! until walkers come
    if (mine%begun == 0) then
      do i = 1, 100 ! walkers of this block, which come to it first
        w = walker(100 * weft_port_block(port) + i)
        call weft_port_send(port, weft_port_block(port), c_loc(w))
      end do
      mine%begun = 1
    end if
    do while (weft_port_take(port, source, items, count))
      call c_f_pointer(items, come, [count])
      do i = 1, size(come)
        visits = visits + 1
        if (come(i)%hops_left == 0) cycle
        w = walker(modulo(come(i)%random * 16807, 2147483647_int64), come(i)%hops_left - 1)
        associate (next => weft_port_neighbors(port))
          call weft_port_send(port, next(1 + modulo(w%random, size(next, kind=int64))), c_loc(w))
        end associate
      end do
    end do
  end function
  ! [readme]

end module

program random_walk
  use mpi_f08
  use walks
  implicit none
  type(weft_comm) :: comm
  call MPI_Init()
  call comm%make(MPI_COMM_WORLD)
  call run()
  call comm%free()
  call MPI_Finalize()

contains

  subroutine run()
    type(weft_cut) :: grid
    type(weft_block_set) :: set
    integer(int64), target :: visits(1)
    visits = 0
    call grid%grid([27_int64, 27_int64, 27_int64], blocks=27_int64, wrap=[.true., .true., .true.])
    call set%make(comm, grid, storage_size(block()) / 8, storage_size(walker()) / 8)
    call set%iexchange(walk, c_loc(visits)) ! no walker is under way, and no block has one
    call comm%all_reduce(visits, weft_sum)
    if (comm%rank() == 0) print '(a, i0, a)', '2700 walkers made ', visits(1), ' visits, 51 each'
  end subroutine

end program
