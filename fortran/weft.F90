!> Weft for Fortran: types with finalizers over the calls of weft.h, which says what each does.
!>
!> A call takes `stat=` and `errmsg=`, as `allocate` does: without `stat=` an error ends the program with its text. Arrays are of
!> integer(int32), integer(int64), real(real32) or real(real64), of rank 1, or of rank 2, where a column is an item; what is
!> not contiguous is copied by the compiler. Ranks count from 0, offsets of plans too.
!>
!> What a type holds is released when a variable of it goes out of scope, or by `free`: variables of the main program
!> are not finalized by Fortran, so free them before MPI_Finalize. Variables of these types are not assigned.
#define EACH1(x) x/**/_int32, x/**/_int64, x/**/_real32, x/**/_real64
#define EACH2(x) x/**/_int32_2, x/**/_int64_2, x/**/_real32_2, x/**/_real64_2
module weft
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, error_unit
  use mpi_f08, only: MPI_Comm
  implicit none
  private
  public :: weft_comm, weft_inbox, weft_plan, weft_planned, weft_mailbox, weft_channel, weft_service, weft_open_exchange
  public :: weft_blocks, weft_lists, weft_block_to_part, weft_part_to_block, weft_sorted, weft_directory, weft_location
  public :: weft_cut, weft_block_set, weft_counters, weft_times
  public :: weft_handler, weft_answer, weft_combine, weft_stalled, weft_block_call, weft_block_value, weft_neighbors
  public :: weft_number_ids, weft_number_tuples, weft_number_points, weft_hilbert_keys, weft_morton_keys
  public :: weft_port_block, weft_port_neighbors, weft_port_take, weft_port_send, weft_port_flush
  public :: weft_fail, weft_version

  integer(c_int), parameter, public :: weft_ok = 0, weft_usage_error = 1, weft_io_error = 2, weft_failed = 3
  integer(c_int), parameter, public :: weft_sum = 0, weft_product = 1, weft_min = 2, weft_max = 3, &
    weft_and = 4, weft_or = 5, weft_xor = 6
  integer(c_int), parameter :: of_int32 = 2, of_int64 = 4, of_real32 = 6, of_real64 = 7 ! of enum weft_type

  !> A group of ranks.
  type :: weft_comm
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: make => comm_make
    procedure :: split => comm_split
    procedure :: with => comm_with
    procedure :: rank => comm_rank
    procedure :: size => comm_size
    procedure :: free => comm_free
    procedure :: exclusive_sum => comm_exclusive_sum
    procedure, private :: exchange_int32, exchange_int64, exchange_real32, exchange_real64
    procedure, private :: exchange_columns_int32, exchange_columns_int64, exchange_columns_real32, exchange_columns_real64
    !> exchange(destinations, items, inbox, counts): without counts each destination gets one item. With mine= and total= a number of
    !> each rank is added up.
    generic :: exchange => exchange_int32, exchange_int64, exchange_real32, exchange_real64, &
      exchange_columns_int32, exchange_columns_int64, exchange_columns_real32, exchange_columns_real64
    procedure, private :: each_int32, each_int64, each_real32, each_real64
    !> exchange_each(destinations, items, handler, state, counts)
    generic :: exchange_each => each_int32, each_int64, each_real32, each_real64
    procedure, private :: start_int32, start_int64, start_real32, start_real64
    !> start_exchange(destinations, items, begun, counts)
    generic :: start_exchange => start_int32, start_int64, start_real32, start_real64
    procedure :: counters => comm_counters
    procedure :: timeline_start => comm_timeline_start
    procedure :: timeline_stop => comm_timeline_stop
    procedure :: stall_listen => comm_stall_listen
    procedure, private :: EACH1(reduce_all)
    procedure, private :: EACH2(reduce_all)
    !> all_reduce(data, by), as the next three; reduce and broadcast also take the root
    generic :: all_reduce => EACH1(reduce_all)
    generic :: all_reduce => EACH2(reduce_all)
    procedure, private :: EACH1(reduce)
    procedure, private :: EACH2(reduce)
    generic :: reduce => EACH1(reduce)
    generic :: reduce => EACH2(reduce)
    procedure, private :: EACH1(scan)
    procedure, private :: EACH2(scan)
    generic :: scan => EACH1(scan)
    generic :: scan => EACH2(scan)
    procedure, private :: EACH1(broadcast)
    procedure, private :: EACH2(broadcast)
    generic :: broadcast => EACH1(broadcast)
    generic :: broadcast => EACH2(broadcast)
    procedure, private :: EACH1(reduce_all_by)
    procedure, private :: EACH2(reduce_all_by)
    !> all_reduce_by(data, combine, state), as the next two; reduce_by also takes the root; of rank 2, a column is an element
    generic :: all_reduce_by => EACH1(reduce_all_by)
    generic :: all_reduce_by => EACH2(reduce_all_by)
    procedure, private :: EACH1(reduce_by)
    procedure, private :: EACH2(reduce_by)
    generic :: reduce_by => EACH1(reduce_by)
    generic :: reduce_by => EACH2(reduce_by)
    procedure, private :: EACH1(scan_by)
    procedure, private :: EACH2(scan_by)
    generic :: scan_by => EACH1(scan_by)
    generic :: scan_by => EACH2(scan_by)
    procedure, private :: comm_assign
    generic :: assignment(=) => comm_assign
    final :: comm_final
  end type

  !> The messages that a rank has received, by source, ascending.
  type :: weft_inbox
    private
    type(c_ptr) :: handle = c_null_ptr
    integer(c_size_t) :: item_bytes = 1
  contains
    procedure :: messages => inbox_messages
    procedure :: sources => inbox_sources
    procedure :: counts => inbox_counts
    procedure :: total => inbox_total
    procedure :: free => inbox_free
    procedure, private :: get_int32, get_int64, get_real32, get_real64
    procedure, private :: get_columns_int32, get_columns_int64, get_columns_real32, get_columns_real64
    !> get(items): all items, one message after the other, into an allocatable array
    generic :: get => get_int32, get_int64, get_real32, get_real64, get_columns_int32, get_columns_int64, &
      get_columns_real32, get_columns_real64
    procedure, private :: inbox_assign
    generic :: assignment(=) => inbox_assign
    final :: inbox_final
  end type

  !> An exchange that has begun.
  type :: weft_open_exchange
    private
    type(c_ptr) :: handle = c_null_ptr
    integer(c_size_t) :: item_bytes = 1
  contains
    procedure :: test => open_test
    procedure :: finish => open_finish
    procedure :: free => open_free
    procedure, private :: open_assign
    generic :: assignment(=) => open_assign
    final :: open_final
  end type

  !> A fixed pattern of messages.
  type :: weft_plan
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: make => plan_make
    procedure :: inverse => plan_inverse
    procedure :: sources => plan_sources
    procedure :: incoming_offsets => plan_incoming_offsets
    procedure :: outgoing_items => plan_outgoing_items
    procedure :: incoming_items => plan_incoming_items
    procedure :: free => plan_free
    procedure, private :: run_int32, run_int64, run_real32, run_real64
    procedure, private :: run_columns_int32, run_columns_int64, run_columns_real32, run_columns_real64
    !> run(out, in)
    generic :: run => run_int32, run_int64, run_real32, run_real64, run_columns_int32, run_columns_int64, &
      run_columns_real32, run_columns_real64
    procedure, private :: EACH1(bind)
    procedure, private :: EACH2(bind)
    !> bind(out, in, planned): contiguous arrays with the attribute target, which must live as long as `planned`
    generic :: bind => EACH1(bind)
    generic :: bind => EACH2(bind)
    procedure, private :: plan_assign
    generic :: assignment(=) => plan_assign
    final :: plan_final
  end type

  !> The runs of a plan between two arrays.
  type :: weft_planned
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: start => planned_start
    procedure :: test => planned_test
    procedure :: wait => planned_wait
    procedure :: free => planned_free
    procedure, private :: planned_assign
    generic :: assignment(=) => planned_assign
    final :: planned_final
  end type

  !> Asynchronous messages between ranks.
  type :: weft_mailbox
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: make => mailbox_make
    procedure :: open_channel => mailbox_open_channel
    procedure :: open_service => mailbox_open_service
    procedure :: drain => mailbox_drain
    procedure :: test_empty => mailbox_test_empty
    procedure :: poll => mailbox_poll
    procedure :: sent => mailbox_sent
    procedure :: handled => mailbox_handled
    procedure :: free => mailbox_free
    procedure, private :: mailbox_assign
    generic :: assignment(=) => mailbox_assign
    final :: mailbox_final
  end type

  !> The sending end of a channel; it belongs to its mailbox.
  type :: weft_channel
    private
    type(c_ptr) :: handle = c_null_ptr
    integer(c_size_t) :: item_bytes = 0
  contains
    procedure :: close => channel_close
    procedure, private :: send_int32, send_int64, send_real32, send_real64
    !> send(destination, items): all to one rank
    generic :: send => send_int32, send_int64, send_real32, send_real64
    procedure, private :: send_each_int32, send_each_int64, send_each_real32, send_each_real64
    !> send_each(destinations, items): as many items as destinations, one after the other
    generic :: send_each => send_each_int32, send_each_int64, send_each_real32, send_each_real64
    procedure, private :: send_all_int32, send_all_int64, send_all_real32, send_all_real64
    !> send_all(items): to every rank
    generic :: send_all => send_all_int32, send_all_int64, send_all_real32, send_all_real64
  end type

  !> Asks other ranks; it belongs to its mailbox.
  type :: weft_service
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: ask => service_ask
  end type

#include "frame_types.inc"
#include "block_types.inc"

  abstract interface
    !> Takes `count` items that have come from a rank; `c_f_pointer` makes an array of them.
    subroutine weft_handler(state, source, items, count) bind(c)
      import :: c_ptr, c_int, c_size_t
      type(c_ptr), value :: state, items
      integer(c_int), value :: source
      integer(c_size_t), value :: count
    end subroutine
  end interface

#include "interfaces.inc"

  interface
    pure function c_strlen(text) bind(c, name="strlen") result(length)
      import; type(c_ptr), value :: text; integer(c_size_t) :: length
    end function
  end interface

contains

#include "handles.inc"
#include "frames.inc"
#include "blocks.inc"

#define TYPE_ weft_comm
#define RELEASE c_comm_free
#define OF(x) comm_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_inbox
#define RELEASE c_inbox_free
#define OF(x) inbox_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_open_exchange
#define RELEASE c_exchange_free
#define OF(x) open_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_plan
#define RELEASE c_plan_free
#define OF(x) plan_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_planned
#define RELEASE c_planned_free
#define OF(x) planned_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_mailbox
#define RELEASE c_mailbox_free
#define OF(x) mailbox_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_blocks
#define RELEASE c_blocks_free
#define OF(x) blocks_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_lists
#define RELEASE c_lists_free
#define OF(x) lists_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_block_to_part
#define RELEASE c_block_to_part_free
#define OF(x) to_part_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_part_to_block
#define RELEASE c_part_to_block_free
#define OF(x) to_block_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_sorted
#define RELEASE c_sorted_free
#define OF(x) sorted_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_directory
#define RELEASE c_directory_free
#define OF(x) directory_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_cut
#define RELEASE c_cut_free
#define OF(x) cut_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF
#define TYPE_ weft_block_set
#define RELEASE c_block_set_free
#define OF(x) set_/**/x
#include "owner.inc"
#undef TYPE_
#undef RELEASE
#undef OF

#define BYTES(x) bytes_of(storage_size(x), WIDTH(x))

#define ITEM integer(int32)
#define OF_TYPE of_int32
#define NAME(x) x/**/_int32
#define DIMS (:)
#define WIDTH(x) 1
#define ITEMS(x) size(x, kind=int64)
#define EXTENTS elements * items
#include "typed.inc"
#include "shaped.inc"
#undef NAME
#undef DIMS
#undef WIDTH
#undef ITEMS
#undef EXTENTS
#define NAME(x) x/**/_int32_2
#define DIMS (:, :)
#define WIDTH(x) size(x, 1)
#define ITEMS(x) size(x, 2, int64)
#define EXTENTS elements, items
#include "shaped.inc"
#undef NAME
#undef DIMS
#undef WIDTH
#undef ITEMS
#undef EXTENTS
#undef ITEM
#undef OF_TYPE

#define ITEM integer(int64)
#define OF_TYPE of_int64
#define NAME(x) x/**/_int64
#define DIMS (:)
#define WIDTH(x) 1
#define ITEMS(x) size(x, kind=int64)
#define EXTENTS elements * items
#include "typed.inc"
#include "shaped.inc"
#undef NAME
#undef DIMS
#undef WIDTH
#undef ITEMS
#undef EXTENTS
#define NAME(x) x/**/_int64_2
#define DIMS (:, :)
#define WIDTH(x) size(x, 1)
#define ITEMS(x) size(x, 2, int64)
#define EXTENTS elements, items
#include "shaped.inc"
#undef NAME
#undef DIMS
#undef WIDTH
#undef ITEMS
#undef EXTENTS
#undef ITEM
#undef OF_TYPE

#define ITEM real(real32)
#define OF_TYPE of_real32
#define NAME(x) x/**/_real32
#define DIMS (:)
#define WIDTH(x) 1
#define ITEMS(x) size(x, kind=int64)
#define EXTENTS elements * items
#include "typed.inc"
#include "shaped.inc"
#undef NAME
#undef DIMS
#undef WIDTH
#undef ITEMS
#undef EXTENTS
#define NAME(x) x/**/_real32_2
#define DIMS (:, :)
#define WIDTH(x) size(x, 1)
#define ITEMS(x) size(x, 2, int64)
#define EXTENTS elements, items
#include "shaped.inc"
#undef NAME
#undef DIMS
#undef WIDTH
#undef ITEMS
#undef EXTENTS
#undef ITEM
#undef OF_TYPE

#define ITEM real(real64)
#define OF_TYPE of_real64
#define NAME(x) x/**/_real64
#define DIMS (:)
#define WIDTH(x) 1
#define ITEMS(x) size(x, kind=int64)
#define EXTENTS elements * items
#include "typed.inc"
#include "shaped.inc"
#undef NAME
#undef DIMS
#undef WIDTH
#undef ITEMS
#undef EXTENTS
#define NAME(x) x/**/_real64_2
#define DIMS (:, :)
#define WIDTH(x) size(x, 1)
#define ITEMS(x) size(x, 2, int64)
#define EXTENTS elements, items
#include "shaped.inc"
#undef NAME
#undef DIMS
#undef WIDTH
#undef ITEMS
#undef EXTENTS
#undef ITEM
#undef OF_TYPE

end module weft
