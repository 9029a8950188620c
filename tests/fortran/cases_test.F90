! The module weft: exchange cases 4, 5, 8, 9, 11, 14 and 16, mailbox cases 4, 5, 7 and 10, and the vectors of frames. A check that does
! not hold ends the job.
#define CHECK(condition) if (.not. (condition)) call failed(__LINE__)
module case_handlers
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use weft
  implicit none

  type :: counter
    integer(int64) :: count = 0, made = 0, limit = 0
    type(weft_channel) :: channel
    integer :: ranks = 1
  end type

contains

  !> Messages of any length, in bytes: 2**20 numbers, or none.
  subroutine expect_numbers(state, source, items, bytes) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: bytes
    type(counter), pointer :: here
    integer(int64), pointer :: values(:)
    call c_f_pointer(state, here)
    here%count = here%count + 1
    if (bytes == 0) return
    call c_f_pointer(items, values, [bytes / 8])
    if (size(values) /= 2**20 .or. values(1) /= source .or. values(2**20) /= source + 2**20 - 1) call weft_fail('strange numbers')
  end subroutine

  !> Two messages for each, until its hops are used up.
  subroutine fan_out(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    type(counter), pointer :: here
    integer(int64), pointer :: hops(:)
    integer :: i, k
    call c_f_pointer(state, here)
    call c_f_pointer(items, hops, [count])
    do i = 1, size(hops)
      here%count = here%count + 1
      if (hops(i) == 1) cycle
      do k = 1, 2
        call here%channel%send(modulo(source + 7 * i + k, here%ranks), [hops(i) - 1])
      end do
    end do
  end subroutine

  !> Two more messages for each item, up to a limit.
  subroutine make_more(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    type(counter), pointer :: here
    integer(int64) :: now
    integer :: i
    call c_f_pointer(state, here)
    here%count = here%count + count
    if (source < 0 .or. .not. c_associated(items)) call weft_fail('no items')
    do i = 1, 2 * int(count)
      if (here%made == here%limit) exit
      now = here%made
      here%made = here%made + 1 ! before the send, which may run this handler again
      call here%channel%send(int(modulo(now, int(here%ranks, int64)), int32), [now])
    end do
  end subroutine

  !> Work for a queue, which is the count.
  subroutine add_work(state, source, items, count) bind(c)
    type(c_ptr), value :: state, items
    integer(c_int), value :: source
    integer(c_size_t), value :: count
    type(counter), pointer :: here
    integer(int64), pointer :: work(:)
    call c_f_pointer(state, here)
    call c_f_pointer(items, work, [count])
    here%count = here%count + sum(work) + 0 * source
  end subroutine

end module

program cases_test
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64, error_unit
  use mpi_f08
  use case_handlers
  implicit none
  type(weft_comm) :: world, comm
  integer :: rank, ranks, left, right, pass

  call MPI_Init()
  call world%make(MPI_COMM_WORLD)
  do pass = 1, 2
    call world%split(0, merge(world%rank(), -world%rank(), pass == 1), comm)
    rank = comm%rank()
    ranks = comm%size()
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    call exchanges()
    call rounds()
    call mailboxes()
    call vectors()
  end do
  call comm%free()
  call world%free()
  if (rank == 0) write (*, '(a)') 'all other cases hold in Fortran'
  call MPI_Finalize()

contains

  subroutine failed(line)
    integer, intent(in) :: line
    write (error_unit, '(a, i0, a, i0)') 'cases_test.F90:', line, ': rank ', rank
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine

  subroutine exchanges()
    type(weft_inbox) :: inbox
    type(MPI_Request) :: request
    integer(int32), allocatable :: to(:), values(:)
    integer(int64), pointer :: counts(:)
    integer :: k
    logical :: over
    ! 4: rank 0 to every rank i five times i
    allocate (to(merge(5 * ranks, 0, rank == 0)))
    to = [(int(modulo(k, ranks), int32), k=1, size(to))]
    call comm%exchange(to, to, inbox)
    call inbox%get(values)
    CHECK(size(values) == 5 .and. all(values == rank) .and. inbox%messages() == 1)
    ! 5: both neighbours, who may be one, in the order of sending
    call comm%exchange([int(left, int32), int(right, int32)], 42 * rank + [0_int32, 1_int32], inbox)
    call inbox%get(values)
    CHECK(size(values) == 2 .and. sum(values) == 42 * left + 42 * right + 1)
    CHECK(ranks /= 2 .or. all(values == 42 * left + [0, 1]))
    ! 8 and 9: no items to the next rank; r + 1 items to the last one
    call comm%exchange([int(right, int32)], [integer(int32) ::], inbox, [0_int64])
    counts => inbox%counts()
    CHECK(inbox%messages() == 1 .and. counts(1) == 0)
    call comm%exchange([int(ranks - 1, int32)], [(int(k, int32), k=0, rank)], inbox, [rank + 1_int64])
    CHECK(inbox%messages() == merge(ranks, 0, rank == ranks - 1))
    counts => inbox%counts()
    CHECK(all(counts == [(int(k, int64), k=1, inbox%messages())]))
    ! 14: some ranks come to a barrier of MPI first
    if (modulo(rank, 2) == 0) call comm%exchange([int(right, int32)], [1_int32], inbox)
    call MPI_Ibarrier(MPI_COMM_WORLD, request)
    if (modulo(rank, 2) == 1) call comm%exchange([int(right, int32)], [1_int32], inbox)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    over = inbox%messages() == 1
    CHECK(over)
  end subroutine

  !> 11 and 16: rounds that nobody synchronises, with targets and lengths that differ.
  subroutine rounds()
    type(weft_inbox) :: inbox
    integer(int32), allocatable :: to(:), items(:)
    integer(int64), allocatable :: counts(:)
    integer(int32), pointer :: sources(:)
    integer(int64), pointer :: come(:)
    integer :: round, i, k, at
    do round = 1, 300
      to = [integer(int32) ::]
      counts = [integer(int64) ::]
      items = [integer(int32) ::]
      do i = 0, ranks - 1
        if (.not. sends(rank, i, round)) cycle
        to = [to, i]
        counts = [counts, length(rank, i, round)]
        items = [items, [(1000 * round + 100 * rank + k, k=1, int(length(rank, i, round)))]]
      end do
      call comm%exchange(to, items, inbox, counts)
      call inbox%get(items)
      sources => inbox%sources()
      come => inbox%counts()
      at = 0
      do i = 1, inbox%messages()
        CHECK(sends(sources(i), rank, round) .and. come(i) == length(sources(i), rank, round))
        do k = 1, int(come(i))
          CHECK(items(at + k) == 1000 * round + 100 * sources(i) + k)
        end do
        at = at + int(come(i))
      end do
      CHECK(at == size(items) .and. inbox%messages() == count([(sends(k, rank, round), k=0, ranks - 1)]))
    end do
  end subroutine

  pure logical function sends(from, to, round)
    integer, intent(in) :: from, to, round
    sends = modulo(31 * from + 17 * to + 7 * round + from * to * round, 5) < 2
  end function

  pure integer(int64) function length(from, to, round)
    integer, intent(in) :: from, to, round
    length = modulo(5 * from + 3 * to + round, 6)
  end function

  subroutine mailboxes()
    type(counter), target :: here
    type(weft_mailbox) :: mail
    integer(int64), allocatable :: numbers(:)
    integer(int64) :: before, all_done, done, half
    integer :: k
    ! 4: long messages through small buffers, and empty ones
    call mail%make(comm, 1024_int64)
    call mail%open_channel(0, expect_numbers, c_loc(here), here%channel)
    numbers = [(int(k + rank, int64), k=0, 2**20 - 1)]
    do k = 0, ranks - 1
      call here%channel%send(k, numbers)
    end do
    call here%channel%send_all([integer(int64) ::])
    call mail%drain()
    CHECK(here%count == 2 * ranks)
    ! 5: a tree of messages, 15 hops deep
    here%count = 0
    here%ranks = ranks
    call mail%make(comm)
    call mail%open_channel(8, fan_out, c_loc(here), here%channel)
    if (rank == 0) call here%channel%send(ranks - 1, [15_int64])
    call mail%drain()
    call comm%exclusive_sum(here%count, before, all_done)
    CHECK(all_done == 2**15 - 1)
    ! 7, smaller: messages that handlers make
    here%count = 0
    here%limit = 200000
    call mail%make(comm, 65536_int64)
    call mail%open_channel(8, make_more, c_loc(here), here%channel)
    call here%channel%send(rank, [0_int64])
    call mail%drain()
    call comm%exclusive_sum(here%count, before, all_done)
    CHECK(all_done == (here%limit + 1) * ranks)
    ! 10: queues of work
    here%count = merge(500, 0, rank == 0)
    done = 0
    call mail%make(comm)
    call mail%open_channel(8, add_work, c_loc(here), here%channel)
    do
      if (here%count > 0) then
        here%count = here%count - 1
        done = done + 1
        half = here%count / 2
        if (half > 0) call here%channel%send(int(modulo(rank + done, int(ranks, int64)), int32), [half])
        here%count = here%count - half
      else if (mail%test_empty()) then
        exit
      end if
    end do
    call comm%exclusive_sum(done, before, all_done)
    CHECK(all_done == 500)
  end subroutine

  !> The vectors of frames, with ids from 0; rank 0 has all of them, the last rank all parts.
  subroutine vectors()
    type(weft_blocks) :: blocks
    type(weft_block_to_part) :: to_part
    type(weft_part_to_block) :: to_block
    type(weft_lists) :: lists, back
    integer(int32), allocatable :: block(:), got(:), first(:), table(:, :)
    integer(int64), allocatable :: ids(:), merged(:), strides(:)
    integer :: k
    logical :: last
    last = rank == ranks - 1
    ! 1: six ids as one part and as two
    call blocks%of_sizes(comm, merge(6_int64, 0_int64, rank == 0))
    block = pack([5, 4, 6, 1, 3, 2], [(rank == 0, k=1, 6)])
    ids = pack([0_int64, 1_int64, 3_int64, 2_int64, 4_int64, 5_int64], [(last, k=1, 6)])
    call to_part%make(comm, blocks, ids)
    call to_part%move(block, got)
    CHECK(all(got == pack([5, 4, 1, 6, 3, 2], [(last, k=1, 6)])))
    call to_part%make(comm, blocks, ids, pack([3_int64, 3_int64], [last, last]))
    call to_part%move(block, got)
    CHECK(all(got == pack([5, 4, 1, 6, 3, 2], [(last, k=1, 6)])))
    ! 3: ids of which some do not exist
    ids = pack([0_int64, 1_int64, 2_int64], [(last, k=1, 3)])
    call to_part%make(comm, blocks, ids, block_ids=pack([0_int64, 2_int64], [(rank == 0, k=1, 2)]), missing_allowed=.true.)
    call to_part%move(pack([10, 30], [(rank == 0, k=1, 2)]), got, -1)
    CHECK(all(got == pack([10, -1, 30], [(last, k=1, 3)])))
    ! 4: lists of duplicates, merged, and back
    ids = pack([1_int64, 1_int64, 4_int64, 4_int64, 0_int64, 1_int64, 0_int64], [(last, k=1, 7)])
    strides = [integer(int64) :: 0]
    if (last) strides = [integer(int64) :: 0, 0, 4, 6, 8, 9, 12, 14]
    call to_block%make(comm, blocks, ids)
    call to_block%merge_lists(strides, [(k, k=1, merge(14, 0, last))], lists)
    call lists%get(got)
    CHECK(all(got == pack([9, 13, 14, 1, 2, 3, 4, 10, 11, 12, 5, 6, 7, 8], [(rank == 0, k=1, 14)])))
    CHECK(rank /= 0 .or. all(lists%offsets() == [0, 3, 10, 14]))
    merged = [lists%offsets()]
    call to_block%reverse_lists(merged, got, back)
    CHECK(.not. last .or. all(back%offsets() == [0, 7, 14, 18, 22, 25, 32, 35]))
    ! 5: one of the duplicates, two values each
    call to_block%lowest(reshape([(k, k=1, merge(14, 0, last))], [2, merge(7, 0, last)]), table)
    first = reshape(table, [size(table)])
    CHECK(all(first == pack([9, 10, 1, 2, 5, 6], [(rank == 0, k=1, 6)])))
    ! 6: every rank has all ids; the lowest one's stay
    call to_block%make(comm, blocks, [(int(k, int64), k=0, 5)])
    call to_block%lowest([(rank, k=0, 5)], got)
    CHECK(all(got == 0) .and. size(got) == merge(6, 0, rank == 0))
    ! 9: no ids at all
    call to_block%make(comm, blocks, [integer(int64) ::])
    call to_block%keep([integer(int32) ::], got)
    CHECK(size(got) == 0)
    ! 11: an id that no block has
    call to_part%make(comm, blocks, pack([6_int64], [last]), stat=k)
    CHECK(k == weft_usage_error)
  end subroutine

end program
