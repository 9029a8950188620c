! 5. Reductions in Fortran: k-means. The points lie on all ranks; the sums of each cluster are added up in every round.
program k_means
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: points = 3000, clusters = 3, rounds = 20 ! in all
  type(weft_comm) :: comm
  real(real64), allocatable :: mine(:, :)
  real(real64) :: centres(2, clusters), sums(3, clusters), at(2) ! sums of x, of y, and the number of points
  integer(int64) :: random
  integer :: i, k, round

  call MPI_Init()
  call comm%make(MPI_COMM_WORLD)
  random = 12345 ! points are the same at any number of ranks
  allocate (mine(2, 0))
  do i = 0, points - 1
    at(1) = merge(5, 0, modulo(i, clusters) == 1) + noise()
    at(2) = merge(5, 0, modulo(i, clusters) == 2) + noise()
    if (modulo(i, comm%size()) == comm%rank()) mine = reshape([mine, at], [2, size(mine, 2) + 1])
  end do

  centres = reshape([real(real64) :: 1, 1, 3, 1, 1, 3], [2, clusters]) ! a first guess
  do round = 1, rounds
    sums = 0
    do i = 1, size(mine, 2)
      k = minloc([(sum((mine(:, i) - centres(:, k))**2), k=1, clusters)], 1)
      sums(:, k) = sums(:, k) + [mine(:, i), 1.0_real64]
    end do
    call comm%all_reduce(sums, weft_sum)
    do k = 1, clusters
      if (sums(3, k) > 0) centres(:, k) = sums(1:2, k) / sums(3, k)
    end do
  end do

  if (comm%rank() == 0) print '(a, i0, a, f0.2, 1x, f0.2)', ('centre ', k - 1, ': ', centres(:, k) + 10, k=1, clusters)
  call comm%free()
  call MPI_Finalize()

contains

  real(real64) function noise()
    random = modulo(random * 1664525 + 1013904223, 4294967296_int64)
    noise = 2.0_real64 * (random / 256) / 16777216 - 1
  end function

end program
