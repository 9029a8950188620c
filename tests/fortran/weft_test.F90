! The module weft: cases of exchanges, plans, reductions and mailboxes. A check that does not hold ends the job.
#define CHECK(condition) if (.not. (condition)) call failed(__LINE__)
module handlers
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use weft
  implicit none

  type :: counter
    integer(int64) :: count = 0, total = 0, limit = 0
    integer(int64), allocatable :: next(:) ! number expected from each source
    type(weft_channel) :: channel
    type(weft_mailbox) :: mail
    integer :: rank = 0, size = 1
  end type

contains

  subroutine add(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    type(counter), pointer :: here
    integer(int64), pointer :: values(:)
    call c_f_pointer(state, here)
    call c_f_pointer(items, values, [count])
    here%count = here%count + count
    here%total = here%total + sum(values) + 0 * source
  end subroutine

  subroutine expect_order(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    type(counter), pointer :: here
    integer(int64), pointer :: values(:)
    integer :: i
    call c_f_pointer(state, here)
    call c_f_pointer(items, values, [count])
    do i = 1, size(values)
      if (values(i) /= here%next(source)) call weft_fail('out of order')
      here%next(source) = here%next(source) + 1
    end do
  end subroutine

  !> A ring of hops, which polls while it handles.
  subroutine go_round(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    type(counter), pointer :: here
    integer(int64), pointer :: values(:)
    logical :: any
    call c_f_pointer(state, here)
    call c_f_pointer(items, values, [count])
    if (count /= 1 .or. source /= modulo(here%rank - 1, here%size)) call weft_fail('a strange hop')
    here%count = here%count + 1
    any = here%mail%poll()
    if (any) here%total = here%total + 1
    if (values(1) + 1 < here%limit) call here%channel%send(modulo(here%rank + 1, here%size), [values(1) + 1])
  end subroutine

  subroutine fail_on_rank_0(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    type(counter), pointer :: here
    call c_f_pointer(state, here)
    here%count = here%count + count
    if (here%rank == 0 .and. source >= 0 .and. c_associated(items)) call weft_fail('the table is full')
  end subroutine

end module

program weft_test
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, error_unit
  use mpi_f08
  use handlers
  implicit none
  type(weft_comm) :: comm, part
  integer :: rank, size_, left, right, i, stat
  character(len=200) :: text

  call MPI_Init()
  call comm%make(MPI_COMM_WORLD)
  do i = 1, 2 ! on all ranks, and on all of them reversed, by another protocol
    if (i == 2) then
      call comm%split(0, -comm%rank(), part)
      call part%with('WEFT_EXCHANGE=pex' // new_line('a') // 'WEFT_ROUTE=nlnr', comm)
    end if
    rank = comm%rank()
    size_ = comm%size()
    left = modulo(rank - 1, size_)
    right = modulo(rank + 1, size_)
    call exchanges()
    call errors()
    call plans()
    call reductions()
    call mailboxes()
  end do
  call part%free()
  call comm%free()
  if (rank == 0) write (*, '(3a)') 'weft ', weft_version(), ': all cases hold in Fortran'
  call MPI_Finalize()

contains

  subroutine failed(line)
    integer, intent(in) :: line
    write (error_unit, '(a, i0, a, i0)') 'weft_test.F90:', line, ': rank ', rank
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine

  !> The sorted unique (3r + 17i) mod P of exchange cases 1 and 2.
  function destinations_of(r) result(to)
    integer, intent(in) :: r
    integer(int32), allocatable :: to(:)
    logical :: sends(0:size_ - 1)
    integer :: k
    sends = .false.
    do k = 0, min(modulo(r * modulo(r, 100), 7), size_) - 1
      sends(modulo(3 * r + 17 * k, size_)) = .true.
    end do
    to = pack([(int(k, int32), k=0, size_ - 1)], sends)
  end function

  subroutine exchanges()
    type(weft_inbox) :: inbox, second
    type(weft_open_exchange) :: open(2)
    integer(int32), allocatable :: to(:), values(:)
    integer(int64), allocatable :: numbers(:)
    real(real64), allocatable :: points(:, :)
    real(real32), allocatable :: reals(:)
    real(real64) :: table(3, 8)
    type(counter), target :: here
    integer :: s, k, at
    ! 1 and 2: the transpose of a pattern, one int each and r of them
    do k = 1, 2
      to = destinations_of(rank)
      if (k == 1) then
        call comm%exchange(to, spread(2 * rank + 3, 1, size(to)), inbox)
      else
        call comm%exchange(to, spread(3 * rank + 5, 1, size(to) * rank), inbox, spread(int(rank, int64), 1, size(to)))
      end if
      call inbox%get(values)
      at = 0
      do s = 0, size_ - 1
        if (.not. any(destinations_of(s) == rank)) cycle
        at = at + 1
        associate (sources => inbox%sources(), counts => inbox%counts())
          CHECK(sources(at) == s)
          CHECK(counts(at) == merge(1, s, k == 1))
        end associate
      end do
      CHECK(at == inbox%messages())
      CHECK(inbox%total() == size(values))
    end do
    ! 3: to everybody its number; 6 and 7: nothing, and to itself
    call comm%exchange([(int(k, int32), k=0, size_ - 1)], [(int(k, int64), k=0, size_ - 1)], inbox)
    call inbox%get(numbers)
    CHECK(size(numbers) == size_ .and. all(numbers == rank))
    call comm%exchange([integer(int32) ::], [real(real32) ::], inbox)
    CHECK(inbox%messages() == 0)
    call comm%exchange([int(rank, int32)], [real(rank, real32)], inbox)
    call inbox%get(reals)
    CHECK(size(reals) == 1 .and. reals(1) == rank)
    ! 10: long messages; columns of arrays that are not contiguous are items too
    call comm%exchange([int(right, int32)], [(real(rank + k, real64), k=1, 625000)], inbox, [625000_int64])
    call inbox%get(points)
    CHECK(size(points, 2) == 625000 .and. points(1, 625000) == left + 625000)
    do k = 1, 8
      table(:, k) = [1, 2, 3] * 100 + 10 * k + rank
    end do
    call comm%exchange([int(right, int32), int(right, int32)], table(1:3:2, 2:8:3), inbox)
    call inbox%get(points)
    CHECK(size(points, 1) == 2 .and. size(points, 2) == 2)
    CHECK(all(abs(points(:, 2) - [150 + left, 350 + left]) < 1e-9))
    ! 12: handlers, and one that fails
    call comm%exchange_each([int(right, int32)], [int(rank, int64)], add, c_loc(here))
    CHECK(here%total == left .and. here%count == 1)
    here%rank = rank
    call comm%exchange_each([int(right, int32)], [int(rank, int64)], fail_on_rank_0, c_loc(here), stat=stat, errmsg=text)
    CHECK(stat == weft_failed .and. index(text, 'the table is full') > 0)
    ! 13: two that are open, completed in different orders
    do k = 1, 2
      call comm%start_exchange([int(right, int32)], [int(10 * rank + k, int64)], open(k))
    end do
    k = 1 + modulo(rank, 2)
    do while (.not. open(k)%test())
    end do
    call open(k)%finish(inbox)
    call open(3 - k)%finish(second)
    call inbox%get(numbers)
    CHECK(numbers(1) == 10 * left + k)
    call second%get(numbers)
    CHECK(numbers(1) == 10 * left + 3 - k)
  end subroutine

  !> An error on one rank has the same stat= everywhere.
  subroutine errors()
    type(weft_inbox) :: inbox
    integer(int64) :: too_many(1)
    integer :: last
    last = size_ - 1
    call comm%exchange([int(merge(size_, 0, rank == last), int32)], [1_int64], inbox, stat=stat, errmsg=text)
    CHECK(stat == weft_usage_error .and. index(text, 'is not a rank') > 0)
    too_many = merge(2, 1, rank == last)
    call comm%exchange([0_int32], [1_int64], inbox, too_many, stat=stat)
    CHECK(stat == weft_usage_error)
    call comm%split(merge(-1, 0, rank == last), 0, part, stat)
    CHECK(stat == weft_usage_error)
    call comm%exchange([0_int32], [1_int64], inbox, stat=stat)
    CHECK(stat == weft_ok)
  end subroutine

  subroutine plans()
    type(weft_plan) :: plan, back
    real(real64), allocatable :: out(:, :), in(:, :), again(:, :)
    integer(int32), allocatable :: flat(:), short(:)
    integer :: k
    call plan%make(comm, [int(right, int32)], [2_int64 + rank])
    CHECK(plan%outgoing_items() == 2 + rank .and. plan%incoming_items() == 2 + left)
    allocate (out(3, 2 + rank), in(3, 2 + left), again(3, 2 + rank))
    do k = 1, 2 + rank
      out(:, k) = [1, 2, 3] + 10 * k + 100 * rank
    end do
    call plan%run(out, in)
    CHECK(all(abs(in(:, 2) - ([1, 2, 3] + 20 + 100 * left)) < 1e-9))
    associate (sources => plan%sources(), offsets => plan%incoming_offsets())
      CHECK(size(sources) == 1 .and. sources(1) == left .and. offsets(2) == 2 + left)
    end associate
    call plan%inverse(back)
    call back%run(in, again)
    CHECK(all(abs(out - again) < 1e-9))
    allocate (flat(2 + rank), short(2 + left - merge(1, 0, rank == 0)))
    flat = rank
    call plan%run(flat, short, stat=stat)
    if (rank == 0) then
      CHECK(stat == weft_usage_error)
    end if
    call plan%make(comm, [int(rank, int32)], [integer(int64) ::], stat=stat)
    CHECK(stat == weft_usage_error)
  end subroutine

  subroutine reductions()
    real(real64) :: sums(4)
    integer(int64) :: bits(1), before, total
    integer(int32) :: least(1)
    real(real32) :: prefix(2)
    sums = rank + [1, 2, 3, 4]
    call comm%all_reduce(sums, weft_sum)
    CHECK(all(abs(sums - (size_ * (size_ - 1) / 2 + size_ * [1, 2, 3, 4])) < 1e-9))
    bits = shiftl(1_int64, rank)
    call comm%all_reduce(bits, weft_or)
    CHECK(bits(1) == shiftl(1_int64, size_) - 1)
    least = 5 - rank
    call comm%reduce(least, weft_min, size_ - 1)
    CHECK(rank /= size_ - 1 .or. least(1) == 6 - size_)
    prefix = rank + 1
    call comm%scan(prefix, weft_sum)
    CHECK(all(abs(prefix - (rank + 1) * (rank + 2) / 2.0) < 1e-5))
    call comm%broadcast(prefix, size_ - 1)
    CHECK(all(abs(prefix - size_ * (size_ + 1) / 2.0) < 1e-5))
    call comm%exclusive_sum(int(rank, int64), before, total)
    CHECK(before == rank * (rank - 1) / 2 .and. total == size_ * (size_ - 1) / 2)
    call comm%all_reduce(sums, merge(weft_xor, weft_sum, rank == 0), stat, text)
    CHECK(stat == weft_usage_error .and. index(text, 'whole numbers') > 0)
  end subroutine

  subroutine mailboxes()
    type(counter), target :: here, ring
    type(weft_channel) :: channel
    integer(int64) :: round, k
    here%rank = rank
    here%size = size_
    allocate (here%next(0:size_ - 1))
    ! 1 to 3: all to all, broadcasts, rounds that do not mix
    call here%mail%make(comm)
    call here%mail%open_channel(8, add, c_loc(here), here%channel)
    call here%channel%send_each([(int(k, int32), k=0, size_ - 1)], [(1_int64, k=0, size_ - 1)])
    call here%mail%drain()
    CHECK(here%total == size_)
    do round = 0, 99
      here%total = 0
      call here%channel%send_all([round])
      call here%mail%drain()
      CHECK(here%total == round * size_)
    end do
    CHECK(here%mail%handled() == here%count .and. here%mail%sent() > 0)
    call here%channel%send(size_, [1_int64], stat, text)
    CHECK(stat == weft_usage_error)
    call here%channel%send_each([0_int32, 0_int32], [1_int64], stat)
    CHECK(stat == weft_usage_error)
    ! 9: the order of one rank to another
    here%next = 0
    call here%mail%open_channel(8, expect_order, c_loc(here), channel)
    do k = 0, size_ - 1
      call channel%send(int(k, int32), [(round, round=0, 999)])
      call channel%send(int(k, int32), [1000_int64])
    end do
    call here%mail%drain()
    CHECK(all(here%next == 1001))
    call channel%close()
    ! 8: a handler that fails
    call here%mail%make(comm, 65536_int64)
    call here%mail%open_channel(8, fail_on_rank_0, c_loc(here), here%channel)
    call here%channel%send(0, [1_int64])
    call here%mail%drain(stat, text)
    CHECK(stat == weft_failed .and. index(text, 'the table is full') > 0)
    call here%mail%drain()
    ! 6: a ring of hops
    ring%rank = rank
    ring%size = size_
    ring%limit = 100 * size_ + 1
    call ring%mail%make(comm)
    call ring%mail%open_channel(8, go_round, c_loc(ring), ring%channel)
    if (rank == 0) call ring%channel%send(int(right, int32), [0_int64])
    do while (.not. ring%mail%test_empty())
    end do
    call comm%exclusive_sum(ring%count, k, round)
    CHECK(round == 100 * size_ + 1)
  end subroutine

end program
