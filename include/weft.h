/// Weft for C: irregular communication between the ranks of an MPI program. C99 and <mpi.h> are all that it
/// needs.
///
/// Every call returns a status; `weft_last_error` returns the text of a call that did not end with `weft_ok`.
/// Collective calls end with the same status on all ranks, also if only one rank has an error; exceptions are
/// named. A null handle is an error of its own rank, which the other ranks do not learn of.
///
/// Handles are pointers to types that only the library knows. Objects that a call makes are released by the
/// free of the same name; all frees are local, take a null pointer, and belong before MPI_Finalize. Arguments
/// are read until the call returns and are not kept, unless stated otherwise. Pointers into a handle live as
/// long as the handle. Handles belong to one thread at a time.
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
    weft_io_error = 2,    ///< A file cannot be used.
    weft_failed = 3       ///< On some rank a callback, MPI or an allocation has failed.
} weft_status;

/// Returns the text of the last call of this thread that did not end by `weft_ok`, or an empty text. Local.
/// It is valid until the next such call of this thread.
char const* weft_last_error(void);

/// Makes the collective call that runs this callback fail on all ranks with `weft_failed`, once the callback
/// has returned; `weft_last_error` returns the text. It has no effect outside of callbacks. Local.
void weft_fail(char const* text);

/// Returns the version of the library, as "0.2.0". Local.
char const* weft_version(void);

/* Communicators */

/// A group of ranks.
typedef struct weft_comm weft_comm;

/// Makes a handle on the ranks of an MPI communicator, which is duplicated the first time.
/// Collective: over `parent`, the first time; local afterwards. Blocks: until all ranks have called.
weft_status weft_comm_make(MPI_Comm parent, weft_comm** made);
/// Does the same as `weft_comm_make` for a handle of Fortran, the MPI_VAL of a communicator of mpi_f08.
/// Collective, Blocks: as `weft_comm_make`.
weft_status weft_comm_make_f(MPI_Fint parent, weft_comm** made);
/// Makes a communicator of the ranks that give the same color, ordered by (key, rank). Collective: yes.
/// Blocks: until all ranks have called. Errors: a negative color.
weft_status weft_comm_split(weft_comm const* comm, int color, int key, weft_comm** made);
/// Makes a communicator of the same ranks under other settings: a line `NAME=value` for each knob that
/// changes, such as "WEFT_EXCHANGE=nbx". Collective: yes, with equal settings. Blocks: until all ranks have
/// called. Errors: a knob that does not exist, or a value that it does not take.
weft_status weft_comm_with(weft_comm const* comm, char const* settings, weft_comm** made);
/// Returns the number of this rank, from 0; -1 for a null pointer. Local.
int weft_comm_rank(weft_comm const* comm);
/// Returns the number of ranks; 0 for a null pointer. Local.
int weft_comm_size(weft_comm const* comm);
/// Releases a communicator. Handles that were made from it stay valid. Local.
void weft_comm_free(weft_comm* comm);

/* Exchange: one collective round in which any rank may send to any other */

/// The messages that a rank has received, in ascending order of sources; at most one per source.
typedef struct weft_inbox weft_inbox;

/// Items that a rank sends: items of `item_bytes` bytes each, equal on all ranks, that lie one after the
/// other.
typedef struct weft_outgoing {
    size_t messages; ///< The number of destinations.
    int const*
        destinations;      ///< The ranks; items to a rank that occurs twice are one message, in this order.
    int64_t const* counts; ///< The number of items for each, maybe 0; null means one item each.
    void const* items;     ///< The items, by destination.
    size_t item_bytes;     ///< Bytes of an item, at least 1.
} weft_outgoing;

/// Takes `count` items that have come from a rank, valid during the call. It may not begin collective calls.
typedef void (*weft_handler)(void* state, int source, void const* items, size_t count);

/// Sends the messages and makes an inbox of those that were sent to this rank. Collective: yes. Blocks: until
/// all ranks have called and all messages to this rank are here. Cost: that of the protocol, which the knob
/// WEFT_EXCHANGE sets; items with counts are sent without a copy. Errors: an invalid destination, a negative
/// count, items of different sizes on two ranks.
weft_status weft_exchange(weft_comm const* comm, weft_outgoing const* out, weft_inbox** received);
/// Does the same and adds up a number of each rank, which costs no round of its own.
weft_status weft_exchange_and_sum(
    weft_comm const* comm, weft_outgoing const* out, int64_t mine, int64_t* sum, weft_inbox** received);
/// Does the same, and calls `handler` with each message once, in the order in which they arrive, in place of
/// an inbox.
weft_status weft_exchange_each(
    weft_comm const* comm, weft_outgoing const* out, weft_handler handler, void* state);

/// Returns the number of messages. Local, as are the next calls; 0 or null for a null pointer.
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
/// Returns the number of ranks that this one sends to. Local, as are the next calls; for a null pointer they
/// return 0 or null.
size_t weft_plan_destination_count(weft_plan const* plan);
/// Returns the ranks that this one sends to, in the order in which they were given.
int const* weft_plan_destinations(weft_plan const* plan);
/// Returns where the items of each begin, and their number.
int64_t const* weft_plan_outgoing_offsets(weft_plan const* plan);
/// Returns the number of ranks that send to this one.
size_t weft_plan_source_count(weft_plan const* plan);
/// Returns the ranks that send to this one, ascending.
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
/// A service, which asks other ranks. It belongs to its mailbox.
typedef struct weft_service weft_service;

/// Answers `count` queries: `answers` has room for as many answers. It may not send.
typedef void (*weft_answer)(void* state, void const* queries, void* answers, size_t count);

/// Makes a mailbox whose buffers take `buffer_bytes` of memory on a rank; 0 means the knob
/// WEFT_MAILBOX_BYTES. Its route is that of the knob WEFT_ROUTE. Collective: yes. Blocks: until all ranks
/// have called. Errors: numbers that differ or are negative.
weft_status weft_mailbox_make(weft_comm const* comm, int64_t buffer_bytes, weft_mailbox** made);
/// Makes a channel. On the receiver `handler` gets items, as many as have come together; it may send. With
/// `item_bytes` of 0 it gets one message of any length, and `count` is its bytes. Local, but all ranks make
/// the same channels and services, in the same order, before they drain.
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
/// Sends items as `weft_send`, to all ranks with this one, by one message for each node. Local.
weft_status weft_send_all(weft_channel* channel, void const* items, size_t count);
/// Ends the use of the handler and its state on this rank. A message that comes later is an error of its
/// phase, so close after a drain. Local.
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
/// Finds out whether `weft_drain` would return, for a program that has work of its own meanwhile: `empty`
/// becomes 1 on all ranks, once for each phase, when all ask and no message is in flight, else 0. Errors: as
/// `weft_drain`, when it is 1.
weft_status weft_test_empty(weft_mailbox* mail, int* empty);
/// Receives, handles and sends messages; `any` becomes 1 if there were any, else 0. Local.
weft_status weft_poll(weft_mailbox* mail, int* any);
/// Returns the number of messages that this rank has sent; 0 for a null pointer. Local.
int64_t weft_mailbox_sent(weft_mailbox const* mail);
/// Returns the number of messages that this rank has handled; 0 for a null pointer. Local.
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
    weft_and, ///< `weft_and`, `weft_or` and `weft_xor` combine bits of whole numbers
    weft_or,
    weft_xor
} weft_operator;

/// Combines elements of two arrays: `into[i]` becomes `left[i]` with `right[i]`. `into` is `left` or `right`;
/// these two do not overlap. The operator need not commute, and is called with any number of elements.
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
/// Does the same as `weft_all_reduce`, for the array of rank `root`; other arrays are then unspecified.
weft_status weft_reduce(
    weft_comm const* comm, void* data, size_t elements, weft_type type, weft_operator by, int root);
/// Makes element i the combination of those of the ranks 0 to this one. Otherwise as `weft_all_reduce`.
weft_status weft_scan(weft_comm const* comm, void* data, size_t elements, weft_type type, weft_operator by);
/// Does the same as `weft_all_reduce` by an operator of the program, which may call `weft_fail`.
weft_status weft_all_reduce_by(weft_comm const* comm, weft_array mine, weft_combine combine, void* state);
/// Does the same as `weft_reduce` by an operator of the program.
weft_status weft_reduce_by(
    weft_comm const* comm, weft_array mine, weft_combine combine, void* state, int root);
/// Does the same as `weft_scan` by an operator of the program.
weft_status weft_scan_by(weft_comm const* comm, weft_array mine, weft_combine combine, void* state);
/// Copies the array of the rank `root` to all others. Collective: yes. Blocks: until this rank has it and has
/// passed it on. Errors: lengths that differ, a root that is not a rank.
weft_status weft_broadcast(weft_comm const* comm, weft_array mine, int root);
/// Finds the sum of a number over the ranks before this one, and over all. Collective: yes. Blocks: until all
/// ranks have called.
weft_status weft_exclusive_sum(weft_comm const* comm, int64_t mine, int64_t* before, int64_t* total);

/* Frames: values of global ids */

/// Global ids in contiguous blocks, one per rank.
typedef struct weft_blocks weft_blocks;

/// The ids that a rank has: any number of parts, whose ids lie one part after the other. Ids count from 0,
/// and one may occur any number of times, on any ranks. Values of parts lie in the same order.
typedef struct weft_parts {
    size_t parts;         ///< The number of parts, maybe 0.
    int64_t const* sizes; ///< The number of ids of each part.
    int64_t const* ids;   ///< The ids of all parts.
} weft_parts;

/// Makes blocks of the ids 0 to total - 1, whose sizes differ by one at most. Local. Errors: a negative
/// total.
weft_status weft_blocks_uniform(weft_comm const* comm, int64_t total, weft_blocks** made);
/// Makes blocks of these sizes, each rank giving that of its own. Collective: yes. Blocks: until all ranks
/// have called. Errors: a negative size.
weft_status weft_blocks_of_sizes(weft_comm const* comm, int64_t mine, weft_blocks** made);
/// Makes blocks of equal weight: that of an id is the sum of the weights of all items that have it; `weights`
/// may be a null pointer; then each item counts 1. `imbalance`, which may be a null pointer, becomes the
/// largest weight of a rank over its share, less 1. Collective: yes. Blocks: until all ranks have called.
/// Cost: that of `balance_blocks` in C++. Errors: a negative id, a weight that is negative or not finite.
weft_status weft_blocks_balanced(weft_comm const* comm, weft_parts const* ids, double const* weights,
    double tolerance, weft_blocks** made, double* imbalance);
/// Returns the first id of a rank's block, or for `rank` equal to the number of ranks the end of the last
/// block; -1 for a null pointer or another rank. Local.
int64_t weft_blocks_begin(weft_blocks const* blocks, int rank);
/// Returns the number of ids of a rank's block; -1 for a null pointer or another rank. Local.
int64_t weft_blocks_size(weft_blocks const* blocks, int rank);
/// Returns the rank whose block has an id; -1 for a null pointer or an id that no block has. Local.
int weft_blocks_owner(weft_blocks const* blocks, int64_t id);
/// Releases blocks; frames that were made of them stay valid. Local.
void weft_blocks_free(weft_blocks* blocks);

/// Lists of items, of any lengths.
typedef struct weft_lists weft_lists;
/// Lists that a program has: list i has the items of [offsets[i], offsets[i + 1]).
typedef struct weft_lists_of {
    int64_t const* offsets; ///< One more offset than lists.
    void const* items;      ///< The items of all lists.
    size_t item_bytes;      ///< Bytes of an item, at least 1.
} weft_lists_of;

/// Returns the number of lists. Local, as are the next two; for a null pointer they return 0 or null.
size_t weft_lists_count(weft_lists const* lists);
/// Returns where the items of each list begin, and their number.
int64_t const* weft_lists_offsets(weft_lists const* lists);
/// Returns the items of all lists, aligned for any type.
void const* weft_lists_items(weft_lists const* lists);
/// Releases lists. Local.
void weft_lists_free(weft_lists* lists);

/// Brings values of blocks to parts that ask for their ids.
typedef struct weft_block_to_part weft_block_to_part;

/// Finds the ranks that have the ids of the parts, which are not needed afterwards. Collective: yes, with the
/// same blocks on all ranks. Blocks: until all ranks have called. Errors: an id that no block has, with its
/// rank, part and position; blocks that differ, or are not one per rank.
weft_status weft_block_to_part_make(
    weft_comm const* comm, weft_blocks const* blocks, weft_parts const* parts, weft_block_to_part** made);
/// Does the same where only some ids exist: the `count` ids of this rank's block that are given, distinct, in
/// the order of its values. Errors: also an id of the parts that does not exist, unless `missing_allowed`
/// is 1.
weft_status weft_block_to_part_make_of(weft_comm const* comm, weft_blocks const* blocks,
    weft_parts const* parts, size_t count, int64_t const* block_ids, int missing_allowed,
    weft_block_to_part** made);
/// Returns the number of values of this rank's block. Local, as the next one; 0 for a null pointer.
int64_t weft_block_to_part_block_items(weft_block_to_part const* frame);
/// Returns the number of values of this rank's parts.
int64_t weft_block_to_part_part_items(weft_block_to_part const* frame);
/// Moves values: `block` has one of `item_bytes` bytes for each id of this rank's block, `parts` room for as
/// many as parts have ids. `missing` stands for ids that do not exist; a null pointer: bytes of 0.
/// Collective: yes. Blocks: until all values are here. Errors: items of 0 bytes, or of different sizes on two
/// ranks; a null pointer where there are values.
weft_status weft_block_to_part_move(
    weft_block_to_part const* frame, void const* block, void* parts, size_t item_bytes, void const* missing);
/// Moves lists, one for each id of the block, and makes one for each id of the parts. Otherwise as
/// `weft_block_to_part_move`. Errors: also offsets that descend.
weft_status weft_block_to_part_move_lists(
    weft_block_to_part const* frame, weft_lists_of const* block, weft_lists** made);
/// Sends values back: each value of the block is combined with those that parts have of its id, in the order
/// (rank, part, position); an item is `elements` elements of the type. Otherwise as
/// `weft_block_to_part_move`. Errors: also a type or an operator that does not exist, or differs.
weft_status weft_block_to_part_reverse(weft_block_to_part const* frame, void const* parts, void* block,
    size_t elements, weft_type type, weft_operator by);
/// Does the same with an operator of the program, which may call `weft_fail`.
weft_status weft_block_to_part_reverse_by(weft_block_to_part const* frame, void const* parts, void* block,
    size_t elements, size_t element_bytes, weft_combine combine, void* state);
/// Sends lists back: makes for each id of the block the lists that parts have of it, joined in that order.
weft_status weft_block_to_part_reverse_lists(
    weft_block_to_part const* frame, weft_lists_of const* parts, weft_lists** made);
/// Releases a frame. Local.
void weft_block_to_part_free(weft_block_to_part* frame);

/// Brings values of parts to the blocks of their ids, and keeps or combines duplicates.
typedef struct weft_part_to_block weft_part_to_block;

/// Finds the ranks whose blocks have the ids of the parts, which are not needed afterwards. Collective,
/// Blocks, Errors: as `weft_block_to_part_make`.
weft_status weft_part_to_block_make(
    weft_comm const* comm, weft_blocks const* blocks, weft_parts const* parts, weft_part_to_block** made);
/// Returns the number of ids of this rank's block that parts have. Local, as are the next four; for a null
/// pointer they return 0 or null.
int64_t weft_part_to_block_count(weft_part_to_block const* frame);
/// Returns the ids of this rank's block that parts have, ascending, each once.
int64_t const* weft_part_to_block_ids(weft_part_to_block const* frame);
/// Returns the number of values that come to this rank, duplicates included.
int64_t weft_part_to_block_arrivals(weft_part_to_block const* frame);
/// Returns where the values of each id begin when they are merged, and their number.
int64_t const* weft_part_to_block_offsets(weft_part_to_block const* frame);
/// Returns the number of values of this rank's parts.
int64_t weft_part_to_block_part_items(weft_part_to_block const* frame);
/// Copies the id of each value that comes, by (rank, part, position), to `ids`, which has room for all.
/// Local.
weft_status weft_part_to_block_arrival_ids(weft_part_to_block const* frame, int64_t* ids);
/// Moves values of `item_bytes` bytes and keeps all that come, by (rank, part, position): `arrived` has room
/// for `weft_part_to_block_arrivals` items. Collective: yes. Blocks: until all values are here. Errors: as
/// `weft_block_to_part_move`.
weft_status weft_part_to_block_keep(
    weft_part_to_block const* frame, void const* parts, void* arrived, size_t item_bytes);
/// Does the same and puts the values of an id side by side, by `weft_part_to_block_offsets`.
weft_status weft_part_to_block_merge(
    weft_part_to_block const* frame, void const* parts, void* merged, size_t item_bytes);
/// Takes for each id the value of its first item by (rank, part, position); `first` has room for
/// `weft_part_to_block_count` items. Otherwise as `weft_part_to_block_keep`.
weft_status weft_part_to_block_lowest(
    weft_part_to_block const* frame, void const* parts, void* first, size_t item_bytes);
/// Combines the values of each id in that order; an item is `elements` elements of the type, and `reduced`
/// has room for `weft_part_to_block_count` items. Otherwise as `weft_part_to_block_keep`. Errors: also a type
/// or an operator that does not exist, or differs.
weft_status weft_part_to_block_reduce(weft_part_to_block const* frame, void const* parts, void* reduced,
    size_t elements, weft_type type, weft_operator by);
/// Does the same with an operator of the program, which may call `weft_fail`.
weft_status weft_part_to_block_reduce_by(weft_part_to_block const* frame, void const* parts, void* reduced,
    size_t elements, size_t element_bytes, weft_combine combine, void* state);
/// Brings a value of each id to all items that have it: `parts` has room for all values of this rank's parts.
/// Otherwise as `weft_part_to_block_keep`.
weft_status weft_part_to_block_reverse(
    weft_part_to_block const* frame, void const* of_ids, void* parts, size_t item_bytes);
/// Brings values of arrivals, as they were kept, back to the items that they came from.
weft_status weft_part_to_block_reverse_kept(
    weft_part_to_block const* frame, void const* of_arrivals, void* parts, size_t item_bytes);
/// Moves lists, one for each item of the parts, and keeps each that comes. Otherwise as
/// `weft_part_to_block_keep`. Errors: also offsets that descend.
weft_status weft_part_to_block_keep_lists(
    weft_part_to_block const* frame, weft_lists_of const* parts, weft_lists** made);
/// Does the same as `weft_part_to_block_keep_lists` and joins the lists of each id.
weft_status weft_part_to_block_merge_lists(
    weft_part_to_block const* frame, weft_lists_of const* parts, weft_lists** made);
/// Does the same as `weft_part_to_block_keep_lists`, but takes for each id the list of its first item.
weft_status weft_part_to_block_lowest_lists(
    weft_part_to_block const* frame, weft_lists_of const* parts, weft_lists** made);
/// Brings a list of each id to all items that have it.
weft_status weft_part_to_block_reverse_lists(
    weft_part_to_block const* frame, weft_lists_of const* of_ids, weft_lists** made);
/// Releases a frame. Local.
void weft_part_to_block_free(weft_part_to_block* frame);

/* Numbers, orders and directories */

/// Numbers ids without gaps, in their order; items with one id get one number. `numbers` has room for
/// `items`, `count` becomes the number of different ones on all ranks. Collective: yes. Blocks: until all
/// ranks have called. Errors: a negative id.
weft_status weft_number_ids(
    weft_comm const* comm, size_t items, int64_t const* ids, int64_t* numbers, int64_t* count);
/// Numbers tuples of `width` integers, which lie one after the other, in lexicographic order. Otherwise as
/// `weft_number_ids`. Errors: a width that is not positive or differs.
weft_status weft_number_tuples(
    weft_comm const* comm, size_t items, int64_t const* tuples, int width, int64_t* numbers, int64_t* count);
/// Numbers points along Hilbert's curve; `coordinates` has 2 or 3 of each point. Points that are not further
/// apart than `tolerance`, or that a chain of such joins, get one number. Otherwise as `weft_number_ids`.
/// Errors: a coordinate that is not finite, a negative tolerance, other dimensions, or ones that differ.
weft_status weft_number_points(weft_comm const* comm, size_t points, double const* coordinates,
    int dimensions, double tolerance, int64_t* numbers, int64_t* count);

/// Items in the order of their keys: a run of this rank.
typedef struct weft_sorted weft_sorted;
/// Sorts the items of all ranks by keys that are not negative; those with one key come to one rank, in the
/// order (rank, position). No rank has more than 1 + tolerance times the average, unless a key has. A value
/// has `value_bytes` bytes; 0 means keys alone. Collective: yes. Blocks: until all ranks have called. Errors:
/// a negative key, values of different sizes, a negative tolerance or one that differs.
weft_status weft_sort_by_key(weft_comm const* comm, size_t items, int64_t const* keys, void const* values,
    size_t value_bytes, double tolerance, weft_sorted** made);
/// Returns the number of items of this rank. Local, as are the next two; for a null pointer they return 0 or
/// null.
size_t weft_sorted_items(weft_sorted const* sorted);
/// Returns the keys, ascending.
int64_t const* weft_sorted_keys(weft_sorted const* sorted);
/// Returns the values of the keys, aligned for any type.
void const* weft_sorted_values(weft_sorted const* sorted);
/// Releases sorted items. Local.
void weft_sorted_free(weft_sorted* sorted);

/// Finds the places of points along Hilbert's curve through the least cube from `lower` that holds `upper`;
/// `coordinates` has 2 or 3 of each point; a point outside counts as in the nearest cell. Local. Errors:
/// other dimensions.
weft_status weft_hilbert_keys(size_t points, double const* coordinates, int dimensions, double const* lower,
    double const* upper, int64_t* keys);
/// Does the same as `weft_hilbert_keys` along Morton's curve.
weft_status weft_morton_keys(size_t points, double const* coordinates, int dimensions, double const* lower,
    double const* upper, int64_t* keys);

/// A directory, which finds the items of ids.
typedef struct weft_directory weft_directory;
/// An item, by its rank, its part and its position there.
typedef struct weft_location {
    int32_t rank;     ///< The rank that has the item.
    int32_t part;     ///< Its part there.
    int64_t position; ///< Its position in the part.
} weft_location;
/// Registers the ids of all parts. Collective: yes. Blocks: until all ranks have called. Errors: a negative
/// id.
weft_status weft_directory_make(weft_comm const* comm, weft_parts const* parts, weft_directory** made);
/// Finds the items that have an id, by (rank, part, position), as a list of `weft_location` for each id that
/// is asked for; an empty one for an unknown id. Collective: yes, though ranks may ask for nothing. Blocks:
/// until all ranks have called.
weft_status weft_directory_find(
    weft_directory const* directory, size_t count, int64_t const* ids, weft_lists** found);
/// Releases a directory. Local.
void weft_directory_free(weft_directory* directory);

/* Blocks: parts of a domain that hold data and send to each other, on any ranks */

/// A cut of a domain into blocks, which are numbered from 0.
typedef struct weft_cut weft_cut;
/// Writes the neighbours of a block to `neighbors`, which has room for `room`, and returns their number; it
/// is called again if there are more than `room`. It may call `weft_fail`.
typedef size_t (*weft_neighbors)(void* state, int64_t block, int64_t* neighbors, size_t room);

/// A grid of cells, cut into blocks of nearly equal size; the first dimension runs fastest.
typedef struct weft_grid {
    int dimensions;       ///< 1 to 4.
    int64_t cells[4];     ///< The cells along each dimension.
    int64_t divisions[4]; ///< The blocks along each; 0 means the number for the least surface of a block.
    int64_t ghosts[4];    ///< The layers of cells by which bounds with ghosts reach beyond a block.
    int wrap[4];          ///< 1 where the upper end is joined to the lower one.
} weft_grid;

/// Cuts a grid into `blocks` blocks, or by its divisions if 0. Local. Errors: divisions that do not fit.
weft_status weft_cut_grid(weft_grid const* grid, int64_t blocks, weft_cut** made);
/// Names the neighbours of blocks of any shape. The callback and its state are used while sets are made.
/// Local. Errors: a negative number.
weft_status weft_cut_links(int64_t blocks, weft_neighbors neighbors, void* state, weft_cut** made);
/// Returns the number of blocks; 0 for a null pointer. Local.
int64_t weft_cut_blocks(weft_cut const* cut);
/// Finds the cells of a block of a grid, from `lower` up to, not including, `upper`, along each dimension;
/// with its ghosts, if `ghosts` is 1. Local. Errors: no such block, or no grid.
weft_status weft_cut_bounds(weft_cut const* cut, int64_t block, int ghosts, int64_t* lower, int64_t* upper);
/// Finds the block of a cell of a grid; -1 for a cell outside. Local. Errors: no grid.
weft_status weft_cut_block_of(weft_cut const* cut, int64_t const* cell, int64_t* block);
/// Releases a cut. Local.
void weft_cut_free(weft_cut* cut);

/// Blocks on the ranks of a communicator: each has some bytes of the program's, and sends items to others.
typedef struct weft_block_set weft_block_set;
/// The messages of a block while its callback runs.
typedef struct weft_port weft_port;
/// Options of a set of blocks; all but the first two may be 0.
typedef struct weft_block_options {
    size_t block_bytes;       ///< The bytes of a block, 0 at first; they may hold any type.
    size_t item_bytes;        ///< The bytes of an item that blocks send.
    int threads;              ///< The number of callbacks that run at once on a rank; 0 means 1.
    int64_t blocks_in_memory; ///< The most blocks of a rank in memory, the others in a file; 0 means all.
} weft_block_options;
/// A message between blocks.
typedef struct weft_block_message {
    int64_t source;    ///< The block that sent it.
    void const* items; ///< Its items, in the order of sending, until the callback returns.
    size_t count;      ///< The number of items.
} weft_block_message;
/// Runs for a block, whose bytes are at `data`; returns 0 if the block is not done, else 1. It may send, and
/// may call `weft_fail`. Callbacks of different blocks run at once where a set has threads.
typedef int (*weft_block_call)(void* state, void* data, weft_port* port);
/// Runs for a block without messages; the call that takes it describes `into`.
typedef void (*weft_block_value)(void* state, int64_t block, void const* data, void* into);

/// Makes blocks, contiguously assigned to the ranks. Collective: yes, with the same cut and options. Blocks:
/// until all ranks have called. Errors: links that are not symmetric, a callback for them that fails, sizes
/// that differ or are 0.
weft_status weft_block_set_make(
    weft_comm const* comm, weft_cut const* cut, weft_block_options const* options, weft_block_set** made);
/// Returns the number of blocks of this rank; 0 for a null pointer. Local.
int64_t weft_block_set_size(weft_block_set const* set);
/// Returns the rank that has a block; -1 for a block that does not exist. Local.
int weft_block_set_owner(weft_block_set const* set, int64_t block);
/// Calls back for each block of this rank; messages that are sent go with the next exchange. Collective: yes,
/// to agree on errors. Blocks: until all ranks have called. Errors: a callback that fails.
weft_status weft_block_set_each(weft_block_set* set, weft_block_call call, void* state);
/// Calls back for each block, and moves the messages: these can be taken in the next callback. `left` becomes
/// the number of messages sent and of blocks that are not done, on all ranks. Collective: yes. Blocks: until
/// all ranks have called and all messages to this rank are here. Errors: a callback that fails; messages in
/// flight are lost then.
weft_status weft_block_set_exchange(weft_block_set* set, weft_block_call call, void* state, int64_t* left);
/// Does the same as `weft_block_set_exchange` among neighbours alone, and returns when the given share of the
/// messages of a round is here; 1 waits for all, 0 for no message. Errors of callbacks: at the next call of
/// `weft_block_set_exchange` or `weft_block_set_iexchange`.
weft_status weft_block_set_exchange_neighbors(
    weft_block_set* set, weft_block_call call, void* state, double fraction);
/// Calls back for blocks until all are done and no message is left: first for each, then for those that have
/// received something or are not done. Collective, Errors: as `weft_block_set_exchange`.
weft_status weft_block_set_iexchange(weft_block_set* set, weft_block_call call, void* state);
/// Combines a value of `value_bytes` bytes of each block, which `value` writes, in the order of the blocks:
/// `result` is the same on all ranks, and the same at any number of ranks. Both callbacks get `state`.
/// Collective: yes. Blocks: until all ranks have called. Errors: no blocks, sizes that differ, a callback
/// that fails.
weft_status weft_block_set_all_reduce(weft_block_set* set, weft_block_value value, weft_combine combine,
    void* state, size_t value_bytes, void* result);
/// Moves `count` blocks of this rank to others, with their messages. Collective: yes. Blocks: until all ranks
/// have called and all blocks for this rank are here. Errors: a block that is not on this rank, or no such
/// rank.
weft_status weft_block_set_move(weft_block_set* set, size_t count, int64_t const* blocks, int const* ranks);
/// Moves as few blocks as possible away from ranks with more work than (1 + tolerance) times the average;
/// `cost` writes a double for a block. `after`, which may be a null pointer, becomes the imbalance that is
/// left: the most work over the average. Collective, Blocks: as `weft_block_set_move`. Errors: negative
/// costs.
weft_status weft_block_set_balance(
    weft_block_set* set, weft_block_value cost, void* state, double tolerance, double* after);
/// Releases a set with its blocks. Local.
void weft_block_set_free(weft_block_set* set);

/// Returns the block whose callback runs. Local, as are all of these.
int64_t weft_port_block(weft_port const* port);
/// Returns the neighbours of the block, ascending, and their number in `count`.
int64_t const* weft_port_neighbors(weft_port const* port, size_t* count);
/// Takes the next message that has arrived and returns 1; returns 0 without a message. Order: in an exchange
/// by source, then in the order of sending; in `weft_block_set_iexchange` that of arrival. Messages that are
/// not taken stay for later.
int weft_port_take(weft_port* port, weft_block_message* into);
/// Sends items to a block: a neighbour, another one, or its own. They are copied. Errors, of this callback
/// alone: no such block.
weft_status weft_port_send(weft_port* port, int64_t block, void const* items, size_t count);
/// Sends messages of an iexchange before the callback returns, for callbacks that take long.
void weft_port_flush(weft_port* port);

/* What ranks do: counters, times and stalls */

/// Counters of this rank on a communicator, which only grow.
typedef struct weft_counters {
    int64_t messages;         ///< messages sent to other ranks
    int64_t bytes;            ///< their payload
    int64_t between_messages; ///< of these messages, those to ranks of other nodes
    int64_t between_bytes;    ///< their payload
    int64_t shared_buffers;   ///< buffers of mailboxes that ranks of this node read in shared memory
    int64_t shared_bytes;     ///< bytes in these buffers
    int64_t self_messages;    ///< messages from this rank to itself, delivered without MPI
    int64_t self_bytes;       ///< their payload
    int64_t exchanges;        ///< sparse exchanges completed
    int64_t small_reductions; ///< small all-reduces completed
} weft_counters;
/// Reads the counters. Local.
weft_status weft_counters_read(weft_comm const* comm, weft_counters* counters);

/// Seconds of a rank while its timeline recorded.
typedef struct weft_times {
    double compute;     ///< user code, also callbacks
    double communicate; ///< operations that make progress
    double wait;        ///< operations in which nothing moves
    double termination; ///< all work is done, and the ranks are detecting it
} weft_times;
/// Begins to record the activities of this rank. A communicator and all that were split from it have one
/// recorder. Local.
weft_status weft_timeline_start(weft_comm const* comm);
/// Stops recording and returns the times. Local.
weft_status weft_timeline_stop(weft_comm const* comm, weft_times* times);

/// Receives a line of text when this rank has waited for long, before it on one rank of a node a roll call
/// ("3 of 4 ranks wait in exchange ..."); it may not begin calls of Weft.
typedef void (*weft_stalled)(void* state, char const* text);
/// Sets a callback for calls on this communicator, or one split from the same root, that wait for
/// `seconds`; 0 means never. A null pointer ends it, as does the release of `comm`. Local. Errors: negative
/// seconds.
weft_status weft_stall_listen(weft_comm* comm, double seconds, weft_stalled listener, void* state);

#ifdef __cplusplus
}
#endif

#endif
