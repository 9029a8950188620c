! A program in Fortran against an installed Weft.
program with_fortran
  use mpi_f08
  use weft
  implicit none
  type(weft_comm) :: comm
  integer :: total(1)
  call MPI_Init()
  call comm%make(MPI_COMM_WORLD)
  total = comm%rank() + 1
  call comm%all_reduce(total, weft_sum)
  print '(3a, i0)', 'Weft ', weft_version(), ': the sum is ', total(1)
  call comm%free()
  call MPI_Finalize()
end program
