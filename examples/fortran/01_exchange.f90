! 1. Sparse exchange in Fortran: each rank knows to whom it sends; who sends to it is found out.
program exchange
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use mpi_f08
  use weft
  implicit none
  integer :: i

  call MPI_Init()
  block ! what it declares is released at its end
    type(weft_comm) :: comm
    type(weft_inbox) :: inbox
    integer(int32) :: destinations(2)
    real(real64) :: points(3, 3)
    real(real64), allocatable :: received(:, :)

    call comm%make(MPI_COMM_WORLD)
    ! [readme]
    destinations = [modulo(comm%rank() + 1, comm%size()), 0]       ! the next rank, and rank 0
    points = reshape([(real(comm%rank() + i, real64), i=1, 9)], [3, 3]) ! a column is an item
    call comm%exchange(destinations, points, inbox, [2_int64, 1_int64]) ! two items and one

    call inbox%get(received)
    associate (sources => inbox%sources(), counts => inbox%counts())
      do i = 1, inbox%messages()
        print '(a, i0, a, i0, a, i0)', 'rank ', comm%rank(), ' hears ', counts(i), ' points from ', sources(i)
      end do
    end associate
    ! [readme]
    if (size(received, 2) /= inbox%total()) error stop 1
  end block
  call MPI_Finalize()
end program
