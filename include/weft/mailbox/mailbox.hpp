/// The mailbox: small messages to any rank at any time, and a call that returns when all of them have been
/// handled.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/settings.hpp>
#include <weft/detail/mailbox/async_call.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/mailbox/mailbox_parts.hpp>
#include <weft/mailbox/channel.hpp>
#include <weft/mailbox/combining_channel.hpp>
#include <weft/mailbox/service.hpp>
#include <weft/protocol/termination_kind.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace weft {

/// Options of a `mailbox`, equal on all ranks.
struct mailbox_options {
    /// The route of messages between nodes. Default: the variable WEFT_ROUTE. `automatic`: the library
    /// chooses by the machine model.
    std::optional<weft::route> route = {};
    /// The number of bytes that the buffers may take on a rank, at least 1. Default: the variable
    /// WEFT_MAILBOX_BYTES.
    std::optional<std::int64_t> buffer_bytes = {};
    /// True if other handlers, or the same handler again, may run inside a handler that sends more than
    /// `buffer_bytes` allows, until there is room. If false, messages of handlers are stored, and memory is
    /// not bounded.
    bool nested_handlers = true;
    /// The way in which `drain` and `test_empty` detect that no message is left.
    termination_kind termination = termination_kind::counted_waves;
};

/// Asynchronous messages between the ranks of a communicator.
///
/// Messages are collected in buffers, one for each rank to which this rank sends directly. A buffer is sent
/// when it is full, or when the rank has nothing else to do. The receiver handles messages inside its next
/// call of this mailbox, or inside any blocking call of Weft. With `thread_level::multiple` the blocking call
/// must be on a communicator with the same `root()`. Handlers may send, capture variables, and throw. After
/// an exception the remaining messages are still handled; then the `drain` of every rank throws.
///
/// Several mailboxes may exist at the same time; each has its own `drain`. All ranks make the channels and
/// services of a mailbox, of the same types, in the same order, before they drain it. `drain` compares the
/// channels and services of all ranks; a message is not handled if its channel has different types on sender
/// and receiver.
///
/// Collective: the constructor, over `comm`, and `drain`. The destructor is local: messages that were not
/// drained are lost, and ranks that wait for this rank (in `drain`, `test_empty`, `ask`) throw a
/// `remote_error` that names this rank, even if this rank has sent nothing. If a rank has no memory for a
/// message, its own `drain` throws `std::bad_alloc`, and the other ranks also throw a `remote_error`. Cost:
/// `mailbox_options::buffer_bytes` of memory, 40 bytes per rank of `comm`, and memory for long messages while
/// they are assembled. Source: Priest, Steil, Sanders, Pearce, YGM, 2019.
class mailbox {
public:
    /// Makes a mailbox. Collective: yes, with the same options. Blocks: until all ranks have called. Cost:
    /// four small all-reduces; with shared memory one more, and two splits of the MPI communicator. The
    /// splits are saved if an earlier mailbox of the same size was destroyed: a communicator keeps the shared
    /// memory of its last two mailboxes. A `termination` other than `counted_waves` takes one more split.
    /// Throws: `usage_error` if options differ between ranks or are out of range, or if too many plans and
    /// mailboxes exist; `mpi_error`.
    explicit mailbox(communicator const& comm, mailbox_options const& options = {});
    ~mailbox();
    mailbox(mailbox const&) = delete;
    mailbox& operator=(mailbox const&) = delete;

    /// Makes a channel of items or messages of the type `T`. On the receiver, the handler takes a `T const&`,
    /// or a `std::span<T const>` with a batch of items in the buffer; with an int as first argument the
    /// handler also gets the source. For vectors and strings of bare types the handler may take a span of the
    /// elements. Collective: no, but all ranks make the same channels in the same order. Blocks: no. Cost:
    /// local, O(1). Throws: `usage_error` beyond 4,095 channels.
    template <wire_type T, class H>
    requires detail::handler_of<H, T> weft::channel<T> channel(H handler) {
        if constexpr (detail::is_item<T>)
            return {
                *engine_, mailbox_parts::keep(*this, new detail::item_receiver<T, H>(std::move(handler)))};
        else
            return {
                *engine_, mailbox_parts::keep(*this, new detail::message_receiver<T, H>(std::move(handler)))};
    }

#ifndef DOXYGEN // mistakes, which end in a sentence
    template <class T, class H>
    requires(!wire_type<T>) void channel(H&&) {
        (void)detail::must_travel<T>();
    }
    template <wire_type T, class H>
    requires(!detail::handler_of<H, T>) weft::channel<T> channel(H const&) {
        static_assert(detail::handler_of<H, T>,
            "weft: the handler of a channel of T takes T const&, or std::span<T const> for a batch, "
            "each also with the source, an int, before it");
    }
#endif

    /// Makes a channel whose items are combined on their way, see `combine_by`. Collective, Blocks, Throws:
    /// as `channel` without `combine_by`. Cost: the memory of the cache.
    template <wire_type T, class H, class K, class M>
    requires detail::handler_of<H, T> && detail::is_item<T> combining_channel<T, K, M> channel(
        H handler, combine_by<K, M> how) {
        auto* const made =
            new detail::combining_receiver<T, H, K, M>(*engine_, std::move(handler), std::move(how));
        made->set_number(mailbox_parts::keep(*this, made));
        return combining_channel<T, K, M>(*made);
    }

    /// Makes a service that answers queries. The handler takes a `Q const&` and returns an A, or it takes a
    /// `std::span<Q const>` and fills a `std::span<A>` of the same length. The handler must not send.
    /// Collective, Blocks, Cost, Throws: as `channel`.
    template <class Q, class A, class H>
    requires detail::is_item<Q> && detail::is_item<A> && detail::answers<H, Q, A> weft::service<Q, A> service(
        H handler) {
        return weft::service<Q, A>(*this, std::move(handler));
    }

    /// Calls a function on another rank: `mail.async(3, [](int v, double w) {...}, v, w)`. The function is a
    /// lambda without captures, or an object of any class without members. The function may take a reference
    /// to the mailbox as its first argument. The arguments are values of wire types. All ranks must run the
    /// same program. Collective: no. Order: as `channel::send`. Throws: `usage_error` for an invalid rank.
    template <class F, class... A>
    void async(int destination, F, A const&... arguments) {
        calls_.send<F, A...>(destination, arguments...);
    }

    /// Sends all buffers and waits until no message is in flight on any rank and no rank will send another
    /// message. Collective: yes. Blocks: until all ranks have called `drain` and all messages are handled.
    /// Cost: the messages by which ranks detect that no message is left. Throws: on the rank of a handler
    /// that threw, its error, and on the other ranks the error that `agree` throws there; `usage_error` in a
    /// handler of any mailbox, and if the ranks have different channels (the text names the first channel
    /// that differs, its types and ranks). After an error the mailbox can be used again.
    void drain();

    /// Returns true if no rank has work and no message is in flight. A program with other work beside
    /// messages calls `test_empty` whenever that work is done; handlers may add new work. The call returns
    /// true once on all ranks, when all ranks call `test_empty` and no message is in flight; messages sent
    /// afterwards belong to the next phase. Collective: no, but all ranks repeat the call until it returns
    /// true. Blocks: no, but after several calls that return false the call yields the core. Throws: as
    /// `drain`, in the call that would return true.
    [[nodiscard]] bool test_empty();

    /// Receives and handles pending messages and sends buffers; returns true if there were messages or
    /// buffers. Collective: no. Does not block.
    bool poll();

    [[nodiscard]] communicator const& comm() const noexcept; ///< Returns the communicator of the mailbox.
    [[nodiscard]] weft::route route() const noexcept;        ///< Returns the route of messages between nodes.
    /// Returns true if ranks of a node exchange buffers in shared memory.
    [[nodiscard]] bool shares_memory() const noexcept;
    /// Returns the reason why ranks of a node share no memory; empty if they share memory.
    [[nodiscard]] std::string const& why_not_shared() const noexcept;
    [[nodiscard]] mailbox_counters counters() const; ///< Returns the counters of this rank.

private:
    friend struct mailbox_parts;
    struct core; // outlives the mailbox while MPI uses its buffers

    core* core_;
    mail_engine* engine_;       // of the core
    detail::call_sender calls_; // of `async`
};

} // namespace weft
