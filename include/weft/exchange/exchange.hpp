/// Exchange: one collective round in which any rank may send to any other rank.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/contiguous.hpp>
#include <weft/exchange/inbox.hpp>
#include <weft/exchange/outbox.hpp>
#include <weft/extend/exchange/flat_messages.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <concepts>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace weft {

namespace detail {
/// Decodes the messages of an exchange into an inbox.
template <wire_type T>
class inbox_sink final : public message_sink {
public:
    void take(message_list received) override { box = inbox<T>(std::move(received)); }
    inbox<T> box;
};

template <wire_type T>
[[nodiscard]] byte_exchange bytes_of(outbox<T>& out) try {
    message_store& store = detail::store_of(out);
    if constexpr (!bare_type<T>) store.append_item_counts();
    byte_exchange what;
    what.outgoing = store.release(what.failure);
    what.items = print_of<T>(bare_type<T> ? sizeof(T) : 0);
    return what;
} catch (std::bad_alloc const&) { // the others are in the exchange
    alone_unless_agreed("exchange");
    throw;
}
} // namespace detail

/// A handle to an exchange that has begun. Several exchanges may be open on a communicator and may be
/// completed in any order, also in different orders on different ranks. Destroying the handle is local:
/// messages of this rank are still delivered, messages to this rank are lost.
template <wire_type T>
class pending_exchange {
public:
    /// Begins the exchange; `start_exchange` calls this constructor. Collective, Blocks, Cost, Throws: as
    /// `start_exchange`.
    pending_exchange(communicator const& comm, byte_exchange&& what, exchange_options const& options)
        : bytes_(comm, with_sink(std::move(what)), options) {}

    /// Makes progress. Returns true if `get` would return without waiting. Local, does not block. Throws:
    /// `mpi_error`.
    [[nodiscard]] bool test() { return bytes_.test(); }

    /// Completes the exchange. `get` then returns the messages without blocking. Blocks, Throws: as `get`;
    /// after an error `get` throws the same error again.
    void wait() { bytes_.wait(); }

    /// Returns the items that have arrived. Blocks: until all ranks have begun this exchange and all items
    /// for this rank are here. Order: by source, then in the order of sending. Throws: as `exchange`.
    [[nodiscard]] inbox<T> get() && {
        bytes_.finish();
        return taken();
    }

    /// Returns the inbox, and the sum of the numbers `byte_exchange::mine` of all ranks.
    [[nodiscard]] std::pair<inbox<T>, std::int64_t> get_with_sum() && {
        bytes_.finish();
        return {taken(), bytes_.sum()};
    }

private:
    static byte_exchange&& with_sink(byte_exchange&& what) try {
        if constexpr (!bare_type<T>) what.sink = detail::owned<message_sink>(new detail::inbox_sink<T>);
        return std::move(what);
    } catch (std::bad_alloc const&) {
        alone_unless_agreed("exchange");
        throw;
    }
    inbox<T> taken() {
        if constexpr (bare_type<T>)
            return inbox<T>(bytes_.take());
        else
            return std::move(static_cast<detail::inbox_sink<T>&>(bytes_.sink()).box);
    }

    pending_bytes bytes_;
};

/// Begins an exchange; see `exchange`. Collective: yes, in the same order on all ranks. Does not block, with
/// two exceptions: the first exchange by `protocol::rsx` on a communicator waits for all ranks, and if too
/// many operations are open (half of `settings::tag_window`) the call completes the oldest operation. With
/// `protocol::automatic` only blocking exchanges are timed to choose the protocol, since handles may be
/// completed in different orders on different ranks. Cost: as `exchange`, spread over the time until the
/// handle is completed. Throws: `usage_error` on all ranks for a destination that is not a rank; `mpi_error`.
template <wire_type T>
[[nodiscard]] pending_exchange<T> start_exchange(outbox<T>&& out, exchange_options const& options = {}) {
    return {detail::store_of(out).comm(), detail::bytes_of(out), options};
}

/// Sends the messages of an outbox and returns the messages for this rank. No rank need know its senders.
/// Collective: yes; all ranks call this overload. Blocks: until all ranks have called and all messages to
/// this rank are here. Cost: that of the protocol, see `sparse_exchange`; memory O(data), with pex and pcx
/// also O(P). Items that are not trivially copyable cost one more small all-reduce, which tells all ranks of
/// errors of decoding. Order: by source, then in the order of sending. Throws: `usage_error` on all ranks if
/// a destination is not a rank, or if the name or size of T differs between ranks; `wire_error` on a rank
/// that cannot decode a message, and `remote_error` on the others; `mpi_error`; `std::bad_alloc` on a rank
/// that lacks memory for its messages, which aborts the job, as `mpi_error` does. Source: Hoefler, Siebert,
/// Lumsdaine, PPoPP 2010, section 3.
template <wire_type T>
[[nodiscard]] inbox<T> exchange(outbox<T>&& out, exchange_options const& options = {}) {
    byte_exchange what = detail::bytes_of(out);
    what.blocks = true;
    return pending_exchange<T>(detail::store_of(out).comm(), std::move(what), options).get();
}

#ifndef DOXYGEN // mistakes, which end in a sentence
template <wire_type T>
void exchange(outbox<T>&, exchange_options const& = {}) {
    static_assert(!wire_type<T>, "weft: an exchange empties its outbox: write exchange(std::move(out))");
}
template <std::same_as<communicator> C>
void exchange(C const&, exchange_options const& = {}) {
    static_assert(!std::same_as<C, communicator>,
        "weft: an exchange takes an outbox, which knows its communicator: outbox<T> out{comm}; ...; "
        "exchange(std::move(out))");
}
#endif

/// Exchanges and calls `on_message(source, items)` once for each message, in the order in which they arrive;
/// `items` is a `std::span<T const>` that is valid during the call. If the callback throws, later messages
/// are dropped, and all ranks throw: this rank the error of the callback, the other ranks `remote_error`. The
/// callback may not begin collective operations. Collective, Blocks, Throws: as `exchange`. Cost: as
/// `exchange`, and one small all-reduce to agree on errors. Each message is freed after its callback, so only
/// messages in flight take memory; with `store_and_forward` and the two-level protocols all messages take
/// memory at the same time.
template <wire_type T, class OnMessage>
requires std::invocable<OnMessage&, int, std::span<T const>>
void exchange(outbox<T>&& out, OnMessage&& on_message, exchange_options const& options = {}) {
    struct handler final : message_handler {
        explicit handler(OnMessage& given) : call(given) {}
        void handle(message const& arrived) override {
            if constexpr (bare_type<T>)
                call(arrived.peer, inbox<T>::items_in(arrived));
            else
                call(arrived.peer, std::span<T const>(inbox<T>::decode_items(arrived)));
        }
        OnMessage& call;
    };
    byte_exchange what = detail::bytes_of(out);
    what.blocks = true;
    what.in_order_of_arrival = true;
    handler given(on_message);
    pending_bytes(detail::store_of(out).comm(), std::move(what), options).finish(given);
}

/// Exchanges, and adds up a number of each rank: returns the inbox and the sum of `mine`. The sum needs no
/// messages of its own: the small all-reduce that ends the exchange carries it. Source: the global sum in
/// Algorithm 3 of the paper of `exchange`.
template <wire_type T>
[[nodiscard]] std::pair<inbox<T>, std::int64_t> exchange_and_sum(
    outbox<T>&& out, std::int64_t mine, exchange_options const& options = {}) {
    byte_exchange what = detail::bytes_of(out);
    what.blocks = true;
    what.sums = true;
    what.mine = mine;
    return pending_exchange<T>(detail::store_of(out).comm(), std::move(what), options).get_with_sum();
}

/// Sends item i to rank `destinations[i]`. All else is the same as for `exchange` of an outbox. Also throws,
/// on all ranks, `usage_error` if the lengths of the two spans differ on a rank, and errors of encoding.
template <wire_type T>
[[nodiscard]] inbox<T> exchange(communicator const& comm, std::span<int const> destinations,
    std::span<T const> items, exchange_options const& options = {}) {
    outbox<T> out(comm);
    message_store& store = detail::store_of(out);
    try {
        if (destinations.size() != items.size()) {
            store.fail_by_lengths(destinations.size(), items.size());
        } else if constexpr (bare_type<T>) {
            append_flat(store, destinations, std::as_bytes(items).data(), sizeof(T));
        } else {
            for (std::size_t i = 0; i < items.size(); ++i) out[destinations[i]].push_back(items[i]);
        }
    } catch (...) { store.fail(std::current_exception()); } // of a hook: the others are in the exchange
    return exchange(std::move(out), options);
}

/// Does the same as the overload for spans, with vectors, arrays and other contiguous ranges.
template <items_of<int> Destinations, class Items>
requires contiguous_items<Items const&>
[[nodiscard]] auto exchange(communicator const& comm, Destinations const& destinations, Items const& items,
    exchange_options const& options = {}) {
    return exchange(
        comm, std::span<int const>(destinations), std::span<item_in<Items const&> const>(items), options);
}

} // namespace weft
