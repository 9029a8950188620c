/// Exchange: one collective round in which everybody sends to whom he likes.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/exchange/inbox.hpp>
#include <weft/exchange/outbox.hpp>
#include <weft/protocol/agreement.hpp>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weft {

struct exchange_options {
    /// The protocol; not set: the knob WEFT_EXCHANGE. The same on all ranks.
    std::optional<protocol> how = {};
};

/// An exchange under way, in bytes. The compiled core below `pending_exchange`.
class pending_bytes {
public:
    pending_bytes(communicator comm, std::vector<message> outgoing, std::exception_ptr failure,
        std::int64_t item_bytes, exchange_options const& options);
    pending_bytes(pending_bytes&& other) noexcept
        : comm_(other.comm_), operation_(std::exchange(other.operation_, nullptr)) {}
    pending_bytes& operator=(pending_bytes other) noexcept {
        std::swap(comm_, other.comm_);
        std::swap(operation_, other.operation_);
        return *this;
    }
    pending_bytes(pending_bytes const&) = delete;
    ~pending_bytes();

    [[nodiscard]] bool test();
    [[nodiscard]] std::vector<message> get() &&;
    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }

private:
    struct operation;

    communicator comm_;
    operation* operation_; // null after get() and after a move
};

/// An exchange that has begun. Several may be open on a communicator and may be completed in any order, also
/// in different orders on different ranks. Dropping the handle is local: what was sent is still delivered,
/// what arrives is lost.
template <wire_type T>
class pending_exchange {
public:
    explicit pending_exchange(pending_bytes begun) : bytes_(std::move(begun)) {}

    /// Makes progress; whether `get` would return at once. Local, does not block. Throws: `mpi_error`.
    [[nodiscard]] bool test() { return bytes_.test(); }

    /// What has arrived. Blocks: until all ranks have begun this exchange and what was sent to this rank is
    /// here. Order: by source, then in the order of sending. Throws: what `exchange` throws.
    [[nodiscard]] inbox<T> get() && {
        communicator const comm = bytes_.comm();
        std::vector<message> received = std::move(bytes_).get();
        if constexpr (bare_type<T>) {
            return inbox<T>(std::move(received));
        } else {
            inbox<T> box;
            agreed(comm, [&] { box = inbox<T>(std::move(received)); });
            return box;
        }
    }

private:
    pending_bytes bytes_;
};

namespace detail {
template <wire_type T>
[[nodiscard]] pending_exchange<T> begin_exchange(outbox<T>&& out, exchange_options const& options) {
    message_store& store = out.store();
    if constexpr (!bare_type<T>)
        for (std::size_t place = 0; place < store.messages().size(); ++place)
            detail::append_item_count(store.at(place), store.items_at(place));
    std::exception_ptr failure;
    std::vector<message> outgoing = store.release(failure);
    constexpr std::int64_t item_bytes = bare_type<T> ? sizeof(T) : 0;
    return pending_exchange<T>(
        pending_bytes(store.comm(), std::move(outgoing), std::move(failure), item_bytes, options));
}

} // namespace detail

/// Begins an exchange; see `exchange`. Collective: yes, in the same order on all ranks. Does not block.
/// Only for items that travel as they are: the ranks agree on whether others could be decoded, which takes a
/// collective step at the end, and handles may end in any order.
template <bare_type T>
[[nodiscard]] pending_exchange<T> start_exchange(outbox<T>&& out, exchange_options const& options = {}) {
    return detail::begin_exchange(std::move(out), options);
}

/// Sends the messages of an outbox and returns those that were sent to this rank; who sends to it is found
/// out. Collective: yes. Blocks: until all ranks have called and what was sent to this rank is here. Cost:
/// with protocol nbx k messages and a census, O(k + log P) time; with pex O(k + P). Memory O(data), with pex
/// and O(P). Items that are not trivially copyable cost one census more, to agree on decoding. Order: by
/// source, then in the order of sending. Throws: `usage_error` on all ranks when a destination is not a rank
/// or the ranks disagree on T's size; `wire_error` where a message does not decode and `remote_error`
/// elsewhere; `mpi_error`. Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, sections 3.1 and 3.4.
template <wire_type T>
[[nodiscard]] inbox<T> exchange(outbox<T>&& out, exchange_options const& options = {}) {
    return detail::begin_exchange(std::move(out), options).get();
}

/// The flat form: item i goes to rank `destinations[i]`. Otherwise as above; in addition `usage_error` on all
/// ranks when the two spans differ in length on one.
template <wire_type T>
[[nodiscard]] inbox<T> exchange(communicator const& comm, std::span<int const> destinations,
    std::span<T const> items, exchange_options const& options = {}) {
    outbox<T> out(comm);
    message_store& store = out.store();
    if (destinations.size() != items.size()) {
        store.fail(std::make_exception_ptr(usage_error(
            "exchange: " + std::to_string(items.size()) + " items but " +
            std::to_string(destinations.size()) + " destinations on rank " + std::to_string(comm.rank()))));
    } else if constexpr (bare_type<T>) {
        // Count first, so that every message is allocated once.
        std::vector<std::uint32_t> place(items.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            place[i] = static_cast<std::uint32_t>(store.place_of(destinations[i]));
            ++store.items_at(place[i]);
        }
        for (std::size_t p = 0; p < store.messages().size(); ++p)
            store.at(p).reserve(static_cast<std::size_t>(store.items_at(p)) * sizeof(T));
        for (std::size_t i = 0; i < items.size(); ++i) store.at(place[i]).append(&items[i], sizeof(T));
    } else {
        for (std::size_t i = 0; i < items.size(); ++i) out[destinations[i]].push_back(items[i]);
    }
    return detail::begin_exchange(std::move(out), options).get();
}

} // namespace weft
