/// Weft for C: irregular communication between the ranks of an MPI program. C99 and <mpi.h> are all that it
/// needs.
///
/// Every call returns a status; what ended otherwise than `weft_ok` is told by `weft_last_error`. Collective
/// calls end with the same status on all ranks, also where an error is of one rank alone; the exceptions are
/// named. A null handle is an error of its own rank, which the other ranks do not learn of.
///
/// Handles are pointers to types that only the library knows. What a call makes, the free of the same name
/// releases; all frees are local, take a null pointer, and belong before MPI_Finalize. What a call takes is
/// read until it returns and not kept, where nothing else is said. Pointers into a handle live as long as the
/// handle. Handles belong to one thread at a time.
#ifndef WEFT_H
#define WEFT_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Errors and version */

/// The end of a call.
typedef enum weft_status {
    weft_ok = 0,
    weft_usage_error = 1, ///< The call breaks its contract: an argument out of range, calls in a wrong order.
    weft_io_error = 2,    ///< A file that cannot be used.
    weft_failed = 3       ///< A callback has failed on some rank, or MPI or the memory of one.
} weft_status;

/// Returns the text of the last call of this thread that did not end by `weft_ok`, or an empty text. Local.
/// It is valid until the next such call of this thread.
char const* weft_last_error(void);

/// Makes the collective call that runs this callback fail on all ranks with `weft_failed`, once the callback
/// has returned; the text is told by `weft_last_error`. Without effect outside of callbacks. Local.
void weft_fail(char const* text);

/// Returns the version of the library, as "0.2.0". Local.
char const* weft_version(void);

/* Communicators */

/// A group of ranks.
typedef struct weft_comm weft_comm;

/// Makes a handle on the ranks of an MPI communicator, which is duplicated the first time.
/// Collective: over `parent`, the first time; local afterwards. Blocks: until all ranks have called.
weft_status weft_comm_make(MPI_Comm parent, weft_comm** made);
/// Makes the same from a handle of Fortran, which is MPI_VAL of a communicator of mpi_f08. Collective,
/// Blocks: as above.
weft_status weft_comm_make_f(MPI_Fint parent, weft_comm** made);
/// Makes a communicator of the ranks that give the same color, ordered by (key, rank). Collective: yes.
/// Blocks: until all ranks have called. Errors: a negative color.
weft_status weft_comm_split(weft_comm const* comm, int color, int key, weft_comm** made);
/// Makes a communicator of the same ranks under other settings: a line `NAME=value` for each knob that
/// changes, as "WEFT_EXCHANGE=nbx". Collective: yes, with equal settings. Blocks: until all ranks have
/// called. Errors: a knob that does not exist, or a value that it does not take.
weft_status weft_comm_with(weft_comm const* comm, char const* settings, weft_comm** made);
/// Returns the number of this rank, from 0; -1 of a null pointer. Local.
int weft_comm_rank(weft_comm const* comm);
/// Returns the number of ranks; 0 of a null pointer. Local.
int weft_comm_size(weft_comm const* comm);
/// Releases a communicator. Handles that were made from it stay valid. Local.
void weft_comm_free(weft_comm* comm);

/* Exchange: one collective round in which any rank may send to any other */

/// The messages that a rank has received, by source, ascending; at most one a source.
typedef struct weft_inbox weft_inbox;

/// What a rank sends: items of `item_bytes` bytes each, equal on all ranks, that lie one after the other.
typedef struct weft_outgoing {
    size_t messages; ///< The number of destinations.
    int const*
        destinations;      ///< A rank each; items to a rank that occurs twice are one message, in this order.
    int64_t const* counts; ///< The items of each, which may be 0; a null pointer: one item each.
    void const* items;     ///< The items, by destination.
    size_t item_bytes;     ///< Bytes of an item, at least 1.
} weft_outgoing;

/// Takes `count` items that have come from a rank, valid during the call. It may not begin collective calls.
typedef void (*weft_handler)(void* state, int source, void const* items, size_t count);

/// Sends the messages and makes an inbox of those that were sent to this rank.
/// Collective: yes. Blocks: until all ranks have called and all messages to this rank are here. Cost: that of
/// the protocol, by the knob WEFT_EXCHANGE; items by counts are sent from where they lie. Errors: a
/// destination that is no rank, a negative count, items of different sizes on two ranks.
weft_status weft_exchange(weft_comm const* comm, weft_outgoing const* out, weft_inbox** received);
/// Does the same and adds up a number of each rank, which costs no round of its own.
weft_status weft_exchange_and_sum(
    weft_comm const* comm, weft_outgoing const* out, int64_t mine, int64_t* sum, weft_inbox** received);
/// Does the same, and calls `handler` with each message once, in the order in which they arrive, in place of
/// an inbox.
weft_status weft_exchange_each(
    weft_comm const* comm, weft_outgoing const* out, weft_handler handler, void* state);

/// Returns the number of messages. Local, as are all of these; of a null pointer 0 and null pointers.
size_t weft_inbox_messages(weft_inbox const* inbox);
/// Returns the source of each message.
int const* weft_inbox_sources(weft_inbox const* inbox);
/// Returns the number of items of each message.
int64_t const* weft_inbox_counts(weft_inbox const* inbox);
/// Returns the items of message `index`, aligned for any type; a null pointer where there is no such message.
void const* weft_inbox_items(weft_inbox const* inbox, size_t index);
/// Returns the number of items of all messages.
int64_t weft_inbox_total(weft_inbox const* inbox);
/// Copies the items of all messages, one after the other, to `to`, which has room for `weft_inbox_total`
/// items.
void weft_inbox_copy(weft_inbox const* inbox, void* to);
/// Releases an inbox with its items. Local.
void weft_inbox_free(weft_inbox* inbox);

/// An exchange that has begun.
typedef struct weft_open_exchange weft_open_exchange;

/// Begins an exchange; the items are copied. Several may be open, and may be completed in any order, also in
/// different orders on different ranks. Collective: yes, in the same order on all ranks. Blocks: no. Errors:
/// as `weft_exchange`, when it is completed.
weft_status weft_exchange_start(weft_comm const* comm, weft_outgoing const* out, weft_open_exchange** begun);
/// Makes progress; `done` becomes 1 if `weft_exchange_finish` would return at once, else 0. Local.
weft_status weft_exchange_test(weft_open_exchange* open, int* done);
/// Completes an exchange and releases its handle, also where that fails. Blocks, Errors: as `weft_exchange`.
weft_status weft_exchange_finish(weft_open_exchange* open, weft_inbox** received);
/// Drops an exchange: messages of this rank are still delivered, messages to it are lost. Local.
void weft_exchange_free(weft_open_exchange* open);

/* Plans: a pattern of messages that is found once and run many times */

/// A fixed pattern: destinations and sources, and the items of each.
typedef struct weft_plan weft_plan;
/// The runs of a plan between two fixed places in memory.
typedef struct weft_planned weft_planned;

/// Makes the plan in which `counts[i]` items go to rank `destinations[i]`. Finds the sources. Collective:
/// yes. Blocks: until all ranks have called. Errors: a destination that is not a rank or occurs twice, a
/// negative count.
weft_status weft_plan_make(
    weft_comm const* comm, size_t messages, int const* destinations, int64_t const* counts, weft_plan** made);
/// Makes the plan that brings items back to where they came from. Local.
weft_status weft_plan_inverse(weft_plan const* plan, weft_plan** made);
/// Returns the number of ranks that this one sends to. Local, as are all of these; of a null pointer 0 and
/// null pointers.
size_t weft_plan_destination_count(weft_plan const* plan);
/// Returns these ranks, in the order in which they were given.
int const* weft_plan_destinations(weft_plan const* plan);
/// Returns where the items of each begin, and their number.
int64_t const* weft_plan_outgoing_offsets(weft_plan const* plan);
/// Returns the number of ranks that send to this one.
size_t weft_plan_source_count(weft_plan const* plan);
/// Returns these ranks, ascending.
int const* weft_plan_sources(weft_plan const* plan);
/// Returns where the items of each begin, and their number.
int64_t const* weft_plan_incoming_offsets(weft_plan const* plan);
/// Returns the number of items that this rank sends in a run.
int64_t weft_plan_outgoing_items(weft_plan const* plan);
/// Returns the number of items that this rank receives in a run.
int64_t weft_plan_incoming_items(weft_plan const* plan);
/// Runs once: `out` has the outgoing items, `in` room for the incoming ones; they do not overlap. Collective:
/// over neighbours in the plan. Blocks: until all items for this rank are here. Cost: one message a
/// neighbour, no copy. Errors: items of 0 bytes, or a null pointer where there are items, also on the ranks
/// that this one would have sent to.
weft_status weft_plan_run(weft_plan const* plan, void const* out, void* in, size_t item_bytes);
/// Prepares runs between two places, which must live as long as the handle. Local.
weft_status weft_plan_bind(
    weft_plan const* plan, void const* out, void* in, size_t item_bytes, weft_planned** made);
/// Begins a run: the outgoing items stay as they are, and the incoming ones are not read, until it is
/// complete. Collective: over neighbours, in the same order everywhere. Blocks: no. Errors: a run that is
/// under way.
weft_status weft_planned_start(weft_planned* planned);
/// Makes progress; `done` becomes 1 if the run is complete here, else 0. Local. Errors: as `weft_plan_run`.
weft_status weft_planned_test(weft_planned* planned, int* done);
/// Completes the run. Blocks, Errors: as `weft_plan_run`.
weft_status weft_planned_wait(weft_planned* planned);
/// Releases prepared runs, between runs. Local.
void weft_planned_free(weft_planned* planned);
/// Releases a plan. Local.
void weft_plan_free(weft_plan* plan);

/* Mailbox: small messages to any rank at any time */

/// Asynchronous messages between the ranks of a communicator, which are collected in buffers.
typedef struct weft_mailbox weft_mailbox;
/// The sending end of a channel: items of one size, or messages of any length. It belongs to its mailbox.
typedef struct weft_channel weft_channel;
/// Asks other ranks. It belongs to its mailbox.
typedef struct weft_service weft_service;

/// Answers `count` queries: `answers` has room for as many answers. It may not send.
typedef void (*weft_answer)(void* state, void const* queries, void* answers, size_t count);

/// Makes a mailbox whose buffers take `buffer_bytes` of memory on a rank, 0: as the knob WEFT_MAILBOX_BYTES
/// says; its route is that of the knob WEFT_ROUTE. Collective: yes. Blocks: until all ranks have called.
/// Errors: numbers that differ or are negative.
weft_status weft_mailbox_make(weft_comm const* comm, int64_t buffer_bytes, weft_mailbox** made);
/// Makes a channel. On the receiver `handler` gets items, as many as have come together; it may send. With
/// `item_bytes` of 0 it gets one message of any length, and `count` is its bytes. Local, but all ranks make
/// the same channels and services, in one order, before they drain.
weft_status weft_mailbox_channel(
    weft_mailbox* mail, size_t item_bytes, weft_handler handler, void* state, weft_channel** made);
/// Sends `count` items to a rank, which may be this one; on a channel of messages one message of `count`
/// bytes. Order: items of one rank to another on one channel are handled in the order of sending, with the
/// exceptions of `channel::send` in C++. Local; without room it waits and handles messages meanwhile. Errors,
/// of this rank alone: no such rank.
weft_status weft_send(weft_channel* channel, int destination, void const* items, size_t count);
/// Sends item i to the rank `destinations[i]`. If one of them is not a rank, nothing is sent. Otherwise as
/// `weft_send`. Not on a channel of messages.
weft_status weft_send_each(weft_channel* channel, int const* destinations, void const* items, size_t count);
/// Sends the same as `weft_send` to all ranks, also to this one, by one message for each node. Local.
weft_status weft_send_all(weft_channel* channel, void const* items, size_t count);
/// Ends the use of the handler and its state on this rank. What comes later is an error of its phase, so
/// close after a drain. Local.
weft_status weft_channel_close(weft_channel* channel);
/// Makes a service of queries and answers of 1 to 64 bytes. Local, as `weft_mailbox_channel`.
weft_status weft_mailbox_service(weft_mailbox* mail, size_t query_bytes, size_t answer_bytes,
    weft_answer answer, void* state, weft_service** made);
/// Sends query i to the rank `destinations[i]` and waits for its answer, which becomes `answers[i]`. Blocks:
/// until all answers are here; the other ranks must now and then be in calls of Weft. Errors, of this rank
/// alone: no such rank; a call in a handler. Where an answer fails it is 0, and the next drain fails.
weft_status weft_ask(
    weft_service* service, int const* destinations, void const* queries, void* answers, size_t count);
/// Waits until no message is in flight on any rank. Collective: yes. Blocks: until all ranks drain and all
/// messages are handled. Errors: a handler that has failed on some rank, with its text; channels that differ.
weft_status weft_drain(weft_mailbox* mail);
/// Tells whether `weft_drain` would return, for a program that has work of its own meanwhile: `empty` becomes
/// 1 on all ranks, once for each phase, when all ask and no message is in flight, else 0. Errors: as
/// `weft_drain`, when it is 1.
weft_status weft_test_empty(weft_mailbox* mail, int* empty);
/// Receives, handles and sends; `any` becomes 1 if there was something to do, else 0. Local.
weft_status weft_poll(weft_mailbox* mail, int* any);
/// Returns the messages that this rank has sent. Local, as the next one; of a null pointer 0.
int64_t weft_mailbox_sent(weft_mailbox const* mail);
/// Returns the messages that this rank has handled.
int64_t weft_mailbox_handled(weft_mailbox const* mail);
/// Releases a mailbox with its channels and services. Not in a handler. Local.
void weft_mailbox_free(weft_mailbox* mail);

/* Reductions and scans of arrays, in place */

/// The type of the elements of an array.
typedef enum weft_type {
    weft_int8,
    weft_uint8,
    weft_int32,
    weft_uint32,
    weft_int64,
    weft_uint64,
    weft_float,
    weft_double
} weft_type;

/// The operator of a reduction.
typedef enum weft_operator {
    weft_sum,
    weft_product,
    weft_min,
    weft_max,
    weft_and, ///< of bits, as the next two: of whole numbers only
    weft_or,
    weft_xor
} weft_operator;

/// Combines elements of two arrays: `into[i]` becomes `left[i]` with `right[i]`. `into` is `left` or `right`;
/// these two do not overlap. It need not commute, and is called with any number of elements.
typedef void (*weft_combine)(void* state, void const* left, void const* right, void* into, size_t elements);

/// The elements of a reduction: an array on each rank, of equal lengths and types.
typedef struct weft_array {
    void* data;           ///< The first element.
    size_t elements;      ///< The number of elements.
    size_t element_bytes; ///< Bytes of an element, at least 1.
} weft_array;

/// Combines the elements i of all ranks into element i of each rank, in the order of the ranks. Collective:
/// yes. Blocks: until all ranks have called. Errors: lengths, types or operators that differ; bits of real
/// numbers. The data are unspecified after an error.
weft_status weft_all_reduce(
    weft_comm const* comm, void* data, size_t elements, weft_type type, weft_operator by);
/// Does the same into the array of the rank `root`; those of other ranks are then unspecified.
weft_status weft_reduce(
    weft_comm const* comm, void* data, size_t elements, weft_type type, weft_operator by, int root);
/// Makes element i the combination of those of the ranks 0 to this one. Otherwise as `weft_all_reduce`.
weft_status weft_scan(weft_comm const* comm, void* data, size_t elements, weft_type type, weft_operator by);
/// Do the same by an operator of the program's, which may call `weft_fail`.
weft_status weft_all_reduce_by(weft_comm const* comm, weft_array mine, weft_combine combine, void* state);
/// Does the same into the array of the rank `root`.
weft_status weft_reduce_by(
    weft_comm const* comm, weft_array mine, weft_combine combine, void* state, int root);
/// Does the same as `weft_scan`.
weft_status weft_scan_by(weft_comm const* comm, weft_array mine, weft_combine combine, void* state);
/// Copies the array of the rank `root` to all others. Collective: yes. Blocks: until this rank has it and has
/// passed it on. Errors: lengths that differ, a root that is not a rank.
weft_status weft_broadcast(weft_comm const* comm, weft_array mine, int root);
/// Finds the sum of a number over the ranks before this one, and over all. Collective: yes. Blocks: until all
/// ranks have called.
weft_status weft_exclusive_sum(weft_comm const* comm, int64_t mine, int64_t* before, int64_t* total);

#ifdef __cplusplus
}
#endif

#endif
