! The module weft: values of global ids, numbers, orders, directories, blocks. A check that does not hold ends the job.
#define CHECK(condition) if (.not. (condition)) call failed(__LINE__)
module callbacks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use weft
  implicit none

  type :: block
    integer(int64) :: sum = 0, rounds = 0, hops = 0
  end type

  integer(int64) :: blocks_in_all = 0

contains

  !> Does not commute: a digit of the right one behind the left one.
  subroutine append_digit(state, left, right, into, elements) bind(c)
    type(c_ptr), value :: state, left, right, into
    integer(c_size_t), value :: elements
    integer(int64), pointer :: a(:), b(:), c(:)
    logical(c_bool), pointer :: fails
    call c_f_pointer(left, a, [elements])
    call c_f_pointer(right, b, [elements])
    call c_f_pointer(into, c, [elements])
    c = 10 * a + modulo(b, 10_int64)
    if (.not. c_associated(state)) return
    call c_f_pointer(state, fails)
    if (fails) call weft_fail('the digits are used up')
  end subroutine

  subroutine add_numbers(state, left, right, into, elements) bind(c)
    type(c_ptr), value :: state, left, right, into
    integer(c_size_t), value :: elements
    integer(int64), pointer :: a(:), b(:), c(:)
    call c_f_pointer(left, a, [elements])
    call c_f_pointer(right, b, [elements])
    call c_f_pointer(into, c, [elements])
    c = a + b
    if (c_associated(state)) call weft_fail('no state was given')
  end subroutine

  !> A ring of blocks.
  function ring(state, block, neighbors, room) bind(c) result(count)
    type(c_ptr), value :: state
    integer(c_int64_t), value :: block
    integer(c_size_t), value :: room
    integer(c_int64_t) :: neighbors(*)
    integer(c_size_t) :: count
    count = 2
    if (room < 2 .or. c_associated(state)) return
    neighbors(1:2) = modulo(block + [1, -1], blocks_in_all)
  end function

  !> Tells its neighbours its number, once.
  function tell(state, data, port) bind(c) result(done)
    type(c_ptr), value :: state, data, port
    integer(c_int) :: done
    type(block), pointer :: mine
    type(c_ptr) :: items
    integer(int64), pointer :: values(:)
    integer(int64), target :: number
    integer(int64) :: source
    integer(c_size_t) :: count
    integer :: i
    call c_f_pointer(data, mine)
    do while (weft_port_take(port, source, items, count))
      call c_f_pointer(items, values, [count])
      if (any(values /= source)) call weft_fail('a strange number')
      mine%sum = mine%sum + sum(values)
    end do
    number = weft_port_block(port)
    if (mine%rounds == 0) then
      associate (neighbors => weft_port_neighbors(port))
        do i = 1, size(neighbors)
          call weft_port_send(port, neighbors(i), c_loc(number))
        end do
      end associate
    end if
    mine%rounds = mine%rounds + 1
    done = merge(1, 0, .not. c_associated(state))
  end function

  !> A hop goes on until it has gone round three times.
  function hop(state, data, port) bind(c) result(done)
    type(c_ptr), value :: state, data, port
    integer(c_int) :: done
    type(block), pointer :: mine
    type(c_ptr) :: items
    integer(int64), pointer :: values(:)
    integer(int64), target :: left(1)
    integer(int64) :: source, next
    integer(c_size_t) :: count
    call c_f_pointer(data, mine)
    done = 1
    next = modulo(weft_port_block(port) + 1, blocks_in_all)
    if (weft_port_block(port) == 0 .and. mine%hops == 0 .and. .not. c_associated(state)) then
      mine%hops = 1
      left = 3 * blocks_in_all
      call weft_port_send(port, next, c_loc(left), 1)
      call weft_port_flush(port)
    end if
    do while (weft_port_take(port, source, items, count))
      call c_f_pointer(items, values, [count])
      mine%hops = mine%hops + count
      left = values(1) - 1
      if (left(1) > 0) call weft_port_send(port, next, c_loc(left))
    end do
  end function

  function fail_in_block_1(state, data, port) bind(c) result(done)
    type(c_ptr), value :: state, data, port
    integer(c_int) :: done
    done = merge(1, 0, c_associated(data) .and. .not. c_associated(state))
    if (weft_port_block(port) == 1) call weft_fail('block 1 has had enough')
  end function

  subroutine hops_and_sum(state, number, data, into) bind(c)
    type(c_ptr), value :: state, data, into
    integer(c_int64_t), value :: number
    type(block), pointer :: mine
    integer(int64), pointer :: value
    call c_f_pointer(data, mine)
    call c_f_pointer(into, value)
    value = mine%hops + 1000 * mine%sum
    if (c_associated(state) .or. number < 0) call weft_fail('a strange block')
  end subroutine

  subroutine one(state, number, data, into) bind(c)
    type(c_ptr), value :: state, data, into
    integer(c_int64_t), value :: number
    real(real64), pointer :: cost
    call c_f_pointer(into, cost)
    cost = merge(1, 2, number >= 0 .and. c_associated(data) .and. .not. c_associated(state))
  end subroutine

  subroutine square(state, queries, answers, count) bind(c)
    type(c_ptr), value :: state, queries, answers
    integer(c_size_t), value :: count
    integer(int64), pointer :: asked(:), answered(:)
    call c_f_pointer(queries, asked, [count])
    call c_f_pointer(answers, answered, [count])
    answered = asked**2
    if (c_associated(state)) answered = 0
  end subroutine

end module

program frames_test
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, error_unit
  use mpi_f08
  use callbacks
  implicit none
  type(weft_comm) :: world, comm
  integer :: rank, ranks, stat, pass
  integer(int64) :: total, first, own
  type(weft_blocks) :: blocks
  integer(int64), allocatable :: everything(:), ids(:), sizes(:)
  logical, allocatable :: mine(:)
  character(len=200) :: text

  call MPI_Init()
  call world%make(MPI_COMM_WORLD)
  do pass = 1, 2
    call world%split(0, merge(world%rank(), -world%rank(), pass == 1), comm)
    rank = comm%rank()
    ranks = comm%size()
    call set_up()
    call to_parts()
    call to_blocks()
    call numbers()
    call reductions_and_plans()
    call sets()
  end do
  call blocks%free()
  call comm%free()
  call world%free()
  if (rank == 0) write (*, '(a)') 'all cases of frames and blocks hold in Fortran'
  call MPI_Finalize()

contains

  subroutine failed(line)
    integer, intent(in) :: line
    write (error_unit, '(a, i0, a, i0, 2a)') 'frames_test.F90:', line, ': rank ', rank, ': ', trim(text)
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine

  !> Ids of the two parts of a rank, with some that occur several times.
  function ids_of(r) result(of)
    integer, intent(in) :: r
    integer(int64), allocatable :: of(:)
    integer(int64) :: k
    of = [(modulo(13 * r + 3 * k * k, total), k=0, 5 + modulo(r, 3))]
  end function

  !> The real number of an item, the k-th of a rank, and its integer.
  pure real(real64) function real_of(r, k)
    integer, intent(in) :: r, k
    real_of = 100 * r + k
  end function

  subroutine set_up()
    integer :: r
    total = 7 * ranks + 3
    call blocks%uniform(comm, total)
    first = blocks%begin(rank)
    own = blocks%size(rank)
    CHECK(blocks%owner(first) == rank .and. blocks%owner(total) == -1)
    everything = [integer(int64) ::]
    do r = 0, ranks - 1
      everything = [everything, ids_of(r)]
    end do
    ids = ids_of(rank)
    sizes = [2_int64, size(ids) - 2_int64]
    mine = everything >= first .and. everything < first + own
  end subroutine

  subroutine to_parts()
    type(weft_block_to_part) :: frame
    type(weft_lists) :: lists
    type(weft_blocks) :: other
    real(real64), allocatable :: block(:, :), parts(:, :)
    integer(int32), allocatable :: small(:), moved(:), even_values(:)
    integer(int64), allocatable :: even(:), offsets(:), items(:), back(:)
    real(real32), allocatable :: sums(:), ones(:)
    real(real64) :: imbalance
    integer(int64) :: id
    integer :: k
    call frame%make(comm, blocks, ids, sizes)
    CHECK(frame%block_items() == own .and. frame%part_items() == size(ids))
    block = reshape([(real(id, real64), id + 0.5_real64, id=first, first + own - 1)], [2, int(own)])
    call frame%move(block, parts)
    CHECK(all(abs(parts(1, :) - ids) < 1e-9) .and. all(abs(parts(2, :) - ids - 0.5_real64) < 1e-9))
    small = [(int(7 * id, int32), id=first, first + own - 1)]
    call frame%move(small, moved)
    CHECK(all(moved == 7 * ids))
    ! only even ids exist
    even = pack([(id, id=first, first + own - 1)], [(modulo(id, 2_int64) == 0, id=first, first + own - 1)])
    even_values = int(3 * even, int32)
    call frame%make(comm, blocks, ids, sizes, even, stat=stat, errmsg=text)
    CHECK(stat == weft_usage_error)
    call frame%make(comm, blocks, ids, sizes, even, .true.)
    call frame%move(even_values, moved, -1_int32)
    CHECK(all(moved == merge(3 * ids, -1_int64, modulo(ids, 2_int64) == 0)))
    ! sums and lists, there and back
    call frame%make(comm, blocks, ids)
    allocate (sums(own), ones(size(ids)))
    sums = 10
    ones = 1
    call frame%reverse(ones, sums, weft_sum)
    CHECK(all([(nint(sums(id - first + 1)) == 10 + count(everything == id), id=first, first + own - 1)]))
    back = [(10_int64, id=1, own)]
    call frame%reverse_by([(1_int64, k=1, size(ids))], back, add_numbers, c_null_ptr)
    CHECK(all(back == nint(sums)))
    deallocate (back)
    offsets = [(2 * id, id=0, own)]
    items = [(id, -id, id=first, first + own - 1)]
    call frame%move_lists(offsets, items, lists)
    CHECK(lists%count() == size(ids))
    call lists%get(back)
    CHECK(size(back) == 2 * size(ids))
    CHECK(all(back(1::2) == ids) .and. all(back(2::2) == -ids))
    call frame%reverse_lists([(id, id=0, size(ids, kind=int64))], ids, lists)
    call lists%get(back)
    CHECK(size(back) == count(mine))
    associate (at => lists%offsets())
      do k = 1, int(own)
        CHECK(all(back(at(k) + 1:at(k + 1)) == first + k - 1))
      end do
    end associate
    ! errors of one rank are of all
    call frame%move(small(1:own - merge(1, 0, rank == 0)), moved, stat=stat)
    CHECK(stat == weft_usage_error)
    call frame%move_lists(offsets(1:own + merge(0, 1, rank == 0)), items, lists, stat)
    CHECK(stat == weft_usage_error)
    call frame%make(comm, blocks, ids, sizes + merge(1, 0, rank == 0), stat=stat)
    CHECK(stat == weft_usage_error)
    call other%of_sizes(comm, 2_int64)
    CHECK(other%begin(ranks) == 2 * ranks)
    call other%balanced(comm, ids, [(1.0_real64, k=1, size(ids))], 0.2_real64, imbalance)
    CHECK(imbalance >= 0 .and. other%begin(0) == 0)
    call other%balanced(comm, ids)
    call other%balanced(comm, ids, [1.0_real64], stat=stat)
    CHECK(stat == weft_usage_error)
  end subroutine

  subroutine to_blocks()
    type(weft_part_to_block) :: frame
    type(weft_lists) :: lists
    real(real64), allocatable :: values(:, :), arrived(:, :), merged(:, :), lowest(:, :), sums(:, :), back(:, :), expected(:)
    integer(int64), allocatable :: digits(:), numbers_made(:), all_digits(:), items(:), of_rank(:)
    integer(int64) :: id, number
    integer :: k, r, n
    logical(c_bool), target :: fails
    logical :: several
    n = size(ids)
    call frame%make(comm, blocks, ids, sizes)
    CHECK(frame%arrivals() == count(mine) .and. frame%part_items() == n)
    CHECK(all(frame%arrival_ids() == pack(everything, mine)))
    allocate (values(2, n))
    values(1, :) = [(real_of(rank, k), k=1, n)]
    values(2, :) = 0.25_real64
    expected = [real(real64) ::]
    all_digits = [integer(int64) ::]
    do r = 0, ranks - 1
      of_rank = ids_of(r)
      expected = [expected, [(real_of(r, k), k=1, size(of_rank))]]
      all_digits = [all_digits, [(int(1 + modulo(r + k, 9), int64), k=1, size(of_rank))]]
    end do
    call frame%keep(values, arrived)
    CHECK(all(abs(arrived(1, :) - pack(expected, mine)) < 1e-9))
    call frame%merge(values, merged)
    call frame%lowest(values, lowest)
    call frame%reduce(values, sums, weft_max)
    digits = [(int(1 + modulo(rank + k, 9), int64), k=1, n)]
    call frame%reduce_by(digits, numbers_made, append_digit, c_null_ptr)
    associate (of => frame%ids(), at => frame%offsets())
      CHECK(size(of) == frame%count() .and. size(numbers_made) == size(of))
      do k = 1, size(of)
        id = of(k)
        associate (here => pack(expected, everything == id))
          CHECK(all(abs(merged(1, at(k) + 1:at(k + 1)) - here) < 1e-9))
          CHECK(abs(lowest(1, k) - here(1)) < 1e-9 .and. abs(sums(1, k) - maxval(here)) < 1e-9)
        end associate
        number = 0
        do r = 1, size(everything)
          if (everything(r) == id) number = 10 * number + all_digits(r)
        end do
        CHECK(numbers_made(k) == number)
      end do
    end associate
    call frame%reverse_kept(arrived, back)
    CHECK(all(abs(back - values) < 1e-9))
    call frame%reverse(lowest, back)
    CHECK(all([(abs(back(1, k) - expected(findloc(everything, ids(k), 1))) < 1e-9, k=1, n)]))
    call frame%keep_lists([(int(k, int64), k=0, n)], ids, lists)
    call lists%get(items)
    CHECK(all(items == pack(everything, mine)))
    call frame%merge_lists([(int(k, int64), k=0, n)], ids, lists)
    CHECK(lists%count() == frame%count())
    call frame%lowest_lists([(int(k, int64), k=0, n)], ids, lists)
    call lists%get(items)
    CHECK(all(items == frame%ids()))
    call frame%reverse_lists(lists%offsets(), items, lists)
    call lists%get(items)
    CHECK(all(items == ids))
    fails = .true.
    call frame%reduce_by(digits, numbers_made, append_digit, c_loc(fails), stat, text)
    several = any([(count(everything == everything(k)) > 1, k=1, size(everything))])
    CHECK(stat == merge(weft_failed, weft_ok, several))
    call frame%reduce(values(:, 1:n - merge(1, 0, rank == 0)), sums, weft_sum, stat)
    CHECK(stat == weft_usage_error)
  end subroutine

  subroutine numbers()
    type(weft_sorted) :: sorted
    type(weft_directory) :: directory
    type(weft_lists) :: found
    integer(int64), allocatable :: made(:), again(:)
    real(real64), allocatable :: points(:, :), values(:, :)
    integer(int32), allocatable :: flat(:)
    integer(int64) :: different, as_many, id
    integer :: k
    call weft_number_ids(comm, ids, made, different)
    CHECK(all([(made(k) == count([(any(everything == id), id=0, ids(k) - 1)]), k=1, size(ids))]))
    call weft_number_tuples(comm, reshape([(5_int64, ids(k), k=1, size(ids))], [2, size(ids)]), again, as_many)
    CHECK(as_many == different .and. all(made == again))
    ! corners of a chain of squares
    points = reshape([real(real64) :: rank, 0, rank + 1, 0, rank, 1, rank + 1, 1], [2, 4]) + 1e-9_real64 * rank
    call weft_number_points(comm, points, made, different, 1e-6_real64)
    CHECK(different == 2 * ranks + 2)
    call weft_hilbert_keys(points, [0.0_real64, 0.0_real64], [8.0_real64, 8.0_real64], made)
    call weft_morton_keys(points, [0.0_real64, 0.0_real64], [8.0_real64, 8.0_real64], again)
    CHECK(size(made) == 4 .and. all(made >= 0) .and. all(again >= 0))
    call weft_hilbert_keys(points, [0.0_real64], [8.0_real64, 8.0_real64], made, stat)
    CHECK(stat == weft_usage_error)
    call sorted%sort(comm, ids, reshape([(real(ids(k), real64), 0.5_real64, k=1, size(ids))], [2, size(ids)]))
    call sorted%get(values)
    associate (keys => sorted%keys())
      CHECK(size(keys) == sorted%items() .and. size(values, 2) == size(keys))
      CHECK(all(abs(values(1, :) - keys) < 1e-9) .and. all(keys(2:) >= keys(:size(keys) - 1)))
    end associate
    call sorted%sort(comm, ids, int(2 * ids, int32))
    call sorted%get(flat)
    CHECK(all(flat == 2 * sorted%keys()))
    call sorted%sort(comm, ids, [(0_int32, k=1, size(ids) + merge(1, 0, rank == 0))], stat=stat)
    CHECK(stat == weft_usage_error)
    call sorted%sort_keys(comm, ids)
    call directory%make(comm, ids, sizes)
    call directory%find([total + 5, everything(1)], found)
    associate (at => found%offsets(), places => found%locations())
      CHECK(at(2) == 0 .and. at(3) == count(everything == everything(1)))
      CHECK(places(1)%rank == 0 .and. places(1)%part == 0 .and. places(1)%position == 0)
    end associate
  end subroutine

  !> Arrays of rank 2, operators of the program's, prepared runs, sums on the way, services, counters.
  subroutine reductions_and_plans()
    type(weft_plan) :: plan
    type(weft_planned) :: planned
    type(weft_inbox) :: inbox
    type(weft_mailbox) :: mail
    type(weft_service) :: service
    type(weft_counters) :: before, after
    type(weft_times) :: times
    real(real64) :: table(2, 3)
    integer(int64) :: digits(1), sum_of_all
    real(real32), target :: out(2, 4), in(2, 4)
    integer(int64), target :: queries(2), answers(2)
    integer :: right, k, round
    table = rank
    call comm%all_reduce(table, weft_max)
    CHECK(all(abs(table - (ranks - 1)) < 1e-9))
    call comm%broadcast(table, 0)
    digits = rank + 1
    call comm%all_reduce_by(digits, add_numbers, c_null_ptr)
    CHECK(digits(1) == ranks * (ranks + 1) / 2)
    call comm%scan_by(digits, add_numbers, c_null_ptr)
    CHECK(digits(1) == (rank + 1) * ranks * (ranks + 1) / 2)
    right = modulo(rank + 1, ranks)
    call comm%timeline_start()
    call comm%counters(before)
    call comm%exchange([int(right, int32)], [1_int64], inbox, mine=int(rank, int64), total=sum_of_all)
    call comm%counters(after)
    call comm%timeline_stop(times)
    CHECK(sum_of_all == ranks * (ranks - 1) / 2)
    CHECK(after%exchanges == before%exchanges + 1 .and. times%compute >= 0)
    call plan%make(comm, [int(right, int32)], [4_int64])
    call plan%bind(out, in, planned)
    do round = 1, 3
      out = 10 * rank + round
      call planned%start()
      if (round == 2) then
        do while (.not. planned%test())
        end do
      else
        call planned%wait()
      end if
      CHECK(all(abs(in - (10 * modulo(rank - 1, ranks) + round)) < 1e-5))
    end do
    call planned%free()
    call mail%make(comm)
    call mail%open_service(8, 8, square, c_null_ptr, service)
    queries = [3_int64, 4_int64]
    call service%ask([int(right, int32), 0_int32], c_loc(queries), c_loc(answers))
    CHECK(all(answers == [9, 16]))
    call mail%drain()
    k = 0
    call service%ask([int(ranks, int32)], c_loc(queries), c_loc(answers), stat)
    CHECK(stat == weft_usage_error)
    call mail%drain()
  end subroutine

  subroutine sets()
    type(weft_cut) :: cut, grid
    type(weft_block_set) :: set
    integer(int64), allocatable :: lower(:), upper(:), here(:)
    integer(int64), target :: result
    integer(int64) :: left, id
    real(real64) :: after
    blocks_in_all = 2 * ranks + 3
    call cut%links(blocks_in_all, ring, c_null_ptr)
    CHECK(cut%blocks() == blocks_in_all)
    call set%make(comm, cut, storage_size(block()) / 8, 8)
    call set%exchange(tell, c_null_ptr, left)
    CHECK(left == 2 * blocks_in_all)
    call set%exchange_neighbors(tell, c_null_ptr)
    call set%exchange(tell, c_null_ptr, left)
    CHECK(left == 0)
    call set%iexchange(hop, c_null_ptr)
    here = pack([(id, id=0, blocks_in_all - 1)], [(set%owner(id) == rank, id=0, blocks_in_all - 1)])
    CHECK(set%size() == size(here))
    call set%move(here, [(int(ranks - 1, int32), id=1, size(here))])
    CHECK(set%size() == merge(blocks_in_all, 0_int64, rank == ranks - 1))
    call set%balance(one, c_null_ptr, after=after)
    CHECK(after < 1.7)
    call set%all_reduce(hops_and_sum, add_numbers, c_null_ptr, 8, c_loc(result))
    CHECK(result == 3 * blocks_in_all + 1 + 1000 * blocks_in_all * (blocks_in_all - 1))
    call set%each(fail_in_block_1, c_null_ptr, stat, text)
    CHECK(stat == weft_failed .and. index(text, 'had enough') > 0)
    call set%iexchange(fail_in_block_1, c_null_ptr, stat)
    CHECK(stat == weft_failed)
    call set%move([0_int64], [integer(int32) ::], stat)
    CHECK(stat == weft_usage_error)
    call grid%grid([8_int64, 6_int64], divisions=[4_int64, 2_int64], ghosts=[1_int64, 1_int64], wrap=[.true., .false.])
    call grid%bounds(4_int64, lower, upper, .true.)
    CHECK(all(lower == [-1, 2]) .and. all(upper == [3, 6]))
    CHECK(grid%block_of([3_int64, 5_int64]) == 5 .and. grid%blocks() == 8)
    call grid%grid([8_int64], 100_int64, stat=stat)
    CHECK(stat == weft_usage_error)
  end subroutine

end program
