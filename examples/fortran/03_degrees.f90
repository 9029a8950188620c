! 3. A mailbox in Fortran: the degrees of a random graph, whose edges lie on any rank; rank v mod P owns vertex v.
module degrees_of_vertices
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  integer, parameter :: vertices = 1000, edges = 20000 ! in all

  type :: table
    integer(int64) :: degrees(0:vertices - 1) = 0 ! of own vertices
    integer :: ranks = 1
  end type

contains

  ! [readme]
  subroutine count_ends(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    type(table), pointer :: own
    integer(int64), pointer :: vertex(:)
    integer :: i
    if (source < 0) return
    call c_f_pointer(state, own)
    call c_f_pointer(items, vertex, [count])
    do i = 1, size(vertex)
      own%degrees(vertex(i) / own%ranks) = own%degrees(vertex(i) / own%ranks) + 1
    end do
  end subroutine
  ! [readme]

end module

program degrees
  use degrees_of_vertices
  use mpi_f08
  use weft
  implicit none
  type(weft_comm) :: comm
  type(weft_mailbox) :: mail
  type(weft_channel) :: channel
  type(table), target :: own
  integer(int64) :: random, vertex, sums(1), most(1)
  integer :: i

  call MPI_Init()
  call comm%make(MPI_COMM_WORLD)
  own%ranks = comm%size()
  call mail%make(comm)
  call mail%open_channel(8, count_ends, c_loc(own), channel)

  random = 12345 ! edges are the same at any number of ranks; each rank sends its share of them
  do i = 0, 2 * edges - 1
    random = modulo(random * 1664525 + 1013904223, 4294967296_int64)
    vertex = modulo(random / 256, int(vertices, int64))
    if (modulo(i / 2, comm%size()) == comm%rank()) call channel%send(int(modulo(vertex, int(comm%size(), int64)), int32), [vertex])
  end do
  call mail%drain()

  sums = sum(own%degrees)
  most = maxval(own%degrees)
  call comm%all_reduce(sums, weft_sum)
  call comm%all_reduce(most, weft_max)
  if (comm%rank() == 0) print '(i0, a, i0)', sums(1), ' ends of edges, the largest degree is ', most(1)
  call mail%free()
  call comm%free()
  call MPI_Finalize()
end program
