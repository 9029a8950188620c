! What bench_languages.cpp measures, from Fortran.
module bench_languages
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_Comm
  use weft
  implicit none
  type(weft_comm), save :: comm
  type(weft_mailbox), save :: mail
  type(weft_channel), save :: channel
  integer(c_int64_t), save, target :: handled = 0

contains

  subroutine add_up(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    integer(c_int64_t), pointer :: sum_of_all, values(:)
    call c_f_pointer(state, sum_of_all)
    call c_f_pointer(items, values, [count])
    sum_of_all = sum_of_all + sum(values) + 0 * source
  end subroutine

  subroutine begin(parent) bind(c, name="bench_languages_begin")
    integer(c_int), value :: parent
    type(MPI_Comm) :: world
    world%MPI_VAL = parent
    call comm%make(world)
    call mail%make(comm)
    call mail%open_channel(8, add_up, c_loc(handled), channel)
  end subroutine

  function exchange(count, destinations, items) bind(c, name="bench_languages_exchange") result(total)
    integer(c_size_t), value :: count
    integer(c_int), intent(in) :: destinations(count)
    integer(c_int64_t), intent(in) :: items(count)
    integer(c_int64_t) :: total
    type(weft_inbox) :: inbox
    call comm%exchange(destinations, items, inbox)
    total = inbox%total()
  end function

  function send_each(count, destinations, items) bind(c, name="bench_languages_send_each") result(total)
    integer(c_size_t), value :: count
    integer(c_int), intent(in) :: destinations(count)
    integer(c_int64_t), intent(in) :: items(count)
    integer(c_int64_t) :: total
    handled = 0
    call channel%send_each(destinations, items)
    call mail%drain()
    total = handled
  end function

  subroutine end_all() bind(c, name="bench_languages_end")
    call mail%free()
    call comm%free()
  end subroutine

end module
