/// The port of a callback: the messages that other blocks sent to its block, and functions that send
/// messages.
#pragma once

#include <weft/blocks/link.hpp>
#include <weft/detail/blocks/block_queues.hpp>
#include <weft/detail/blocks/item_kind.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// Items that one block sent to another, in the order of sending.
template <class T>
struct block_message {
    block_id source;          ///< The block that sent the message.
    std::span<T const> items; ///< The items of the message, in the order of sending.
};

/// Receives and sends the messages of one block while its callback runs, for items of type T. Items that a
/// callback does not take, and items of types other than T, are kept until a later callback of the block
/// takes them.
///
/// All calls are local and do not block.
template <class T>
class block_port : detail::must_travel<T> {
public:
    /// Binds the port to the queues of one block, which must outlive the port. The library calls this
    /// constructor.
    explicit block_port(detail::block_queues& queues)
        : queues_(queues),
          // Messages that wait in `out` go first.
          neighbors_(queues.direct != nullptr && queues.out.empty() ? queues.neighbors.ids()
                                                                    : std::span<block_id const>()),
          place_(queues.direct != nullptr ? &queues - queues.direct->queues : 0) {}
    block_port(block_port const&) = delete;
    block_port& operator=(block_port const&) = delete;
    ~block_port() {
        if (!leaves_some_ && next_run_ == queues_.in.end())
            queues_.in.clear();
        else if (next_run_ > 0)
            queues_.in.drop_taken();
    }

    /// Returns the id of the block whose port this is.
    [[nodiscard]] block_id id() const noexcept { return queues_.id; }
    /// Returns the neighbours of this block, ascending.
    [[nodiscard]] weft::link const& link() const noexcept { return queues_.neighbors; }

    /// Takes the next message that has arrived; returns false if no message is left. The items of the message
    /// are not copied and are valid until the callback returns; items that must be decoded are valid only
    /// until the next call of `take`. Order: in `exchange` by source, then in the order of sending; in
    /// `iexchange` in the order of arrival, where messages of the same source keep the order of sending.
    /// Throws: `wire_error`.
    [[nodiscard]] bool take(block_message<T>& into) {
        while (next_run_ < queues_.in.end()) {
            detail::block_run const run = queues_.in.at(next_run_);
            if (run.kind == detail::kind_of<T>()) {
                into.source = run.peer;
                into.items = items_of(run.items);
                queues_.in.take(run.at);
                next_run_ = run.next;
                return true;
            }
            leaves_some_ = true;
            next_run_ = run.next;
        }
        return false;
    }

    /// Returns all messages that have arrived: `for (auto [source, items] : port.messages())`. Each step of
    /// the loop takes one message.
    [[nodiscard]] auto messages() noexcept { return message_range{*this}; }
    /// Returns all items that have arrived, without their sources: `for (T const& item : port.received())`.
    [[nodiscard]] auto received() noexcept { return item_range{*this}; }

    /// Sends an item to any block: a neighbour, a block that is not a neighbour, or this block itself.
    /// Throws: `usage_error` if there is no such block; errors of encoding.
    void send(block_id to, T const& item) {
        if constexpr (!bare_type<T>) {
            check(to);
            if (to != to_) ++queues_.sent;
            to_ = to;
            queues_.out.grow_by(to, detail::kind_of<T>(), [&](buffer& end) { encode(end, item); });
        } else if constexpr (sizeof(T) < detail::run_list::blob_bytes) {
            std::memcpy(room(to, sizeof(T)), &item, sizeof(T));
        } else {
            send(to, std::span(&item, 1));
        }
    }
    /// Sends items, which arrive together: as one message or as a part of a message. The items are copied
    /// once; many items for a block of this rank are not copied again.
    void send(block_id to, std::span<T const> items) {
        if constexpr (bare_type<T>) {
            std::size_t const bytes = items.size_bytes();
            if (bytes >= detail::run_list::blob_bytes) {
                buffer own;
                own.append(items.data(), bytes);
                add(to, detail::blob::of(std::move(own)));
            } else if (bytes > 0) {
                std::memcpy(room(to, bytes), items.data(), bytes);
            } else {
                check(to);
            }
        } else {
            for (T const& item : items) send(to, item);
        }
    }
    /// Sends the items of a vector and empties the vector: items for a block of this rank are moved, not
    /// copied.
    void give(block_id to, std::vector<T>&& items) requires bare_type<T> {
        if (items.empty())
            check(to);
        else
            add(to, detail::blob::of(std::move(items)));
    }

    /// Sends the messages of this callback now, before the callback returns, and makes progress with
    /// communication. A long callback of `iexchange` calls `flush` so that its messages leave earlier. Within
    /// `exchange`, `flush` does nothing: messages leave after all callbacks.
    void flush() {
        to_ = nobody;
        if (queues_.flusher != nullptr) queues_.flusher->flush(queues_);
    }

private:
    static constexpr block_id nobody{INT64_MIN};
    static_assert(!bare_type<T> || alignof(T) <= detail::run_list::alignment);

    struct message_range {
        /// An iterator that takes messages one by one.
        struct iterator {
            block_port* port;     ///< The port whose messages it takes.
            block_message<T> now; ///< The message at the iterator.
            bool at_end;          ///< True once all messages are taken.

            /// Returns the message at the iterator, valid until the next step.
            [[nodiscard]] block_message<T> const& operator*() const noexcept { return now; }
            /// Takes the next message.
            iterator& operator++() {
                at_end = !port->take(now);
                return *this;
            }
            [[nodiscard]] bool operator==(std::nullptr_t) const noexcept { return at_end; }
        };
        block_port& port;
        [[nodiscard]] iterator begin() const { return ++iterator{&port, {}, false}; }
        [[nodiscard]] std::nullptr_t end() const noexcept { return nullptr; }
    };

    struct item_range {
        /// An iterator that takes items one by one.
        struct iterator {
            block_port* port;     ///< The port whose items it takes.
            block_message<T> now; ///< The message whose items it walks through.
            std::size_t place;    ///< The index of the item in its message.
            bool at_end;          ///< True once all items are taken.

            /// Returns the item at the iterator, valid until the next step.
            [[nodiscard]] T const& operator*() const noexcept { return now.items[place]; }
            /// Steps to the next item, of the next message after the last.
            iterator& operator++() {
                if (++place < now.items.size()) return *this;
                place = 0;
                while (!(at_end = !port->take(now)) && now.items.empty()) {}
                return *this;
            }
            [[nodiscard]] bool operator==(std::nullptr_t) const noexcept { return at_end; }
        };
        block_port& port;
        [[nodiscard]] iterator begin() const { return ++iterator{&port, {}, 0, false}; }
        [[nodiscard]] std::nullptr_t end() const noexcept { return nullptr; }
    };

    void check(block_id to) const {
        if (index_of(to) < 0 || index_of(to) >= queues_.blocks)
            detail::no_such_block(queues_.id, to, queues_.blocks);
    }
    /// Returns where the next bytes to a block go: behind those before, if they went there too, else into a
    /// new run. Inline, since a call costs a quarter of what it does.
    [[nodiscard, gnu::always_inline]] std::byte* room(block_id to, std::size_t bytes) {
        if (to != to_) {
            aim(to);
            to_ = to;
        } else {
            check(to); // it may be `nobody`
            if (list_ != nullptr ? list_->can_extend(bytes) : message_->can_extend(bytes))
                return list_ != nullptr ? list_->extend(bytes) : message_->extend(bytes);
        }
        return list_ != nullptr ? list_->begin(peer_, detail::kind_of<T>(), bytes)
                                : message_->begin(place_, receiver_, detail::kind_of<T>(), bytes);
    }
    void add(block_id to, detail::blob&& bytes) {
        aim(to);
        to_ = nobody; // nothing is put behind a blob
        if (list_ != nullptr)
            list_->add(peer_, detail::kind_of<T>(), std::move(bytes));
        else
            std::memcpy(message_->begin(place_, receiver_, detail::kind_of<T>(), bytes.bytes().size()),
                bytes.bytes().data(), bytes.bytes().size());
    }
    /// Finds where the next message goes: a list, or the message to a partner.
    [[gnu::always_inline]] void aim(block_id to) {
        std::size_t neighbor = next_neighbor_; // most blocks send to their neighbours in order
        if (neighbor >= neighbors_.size() || neighbors_[neighbor] != to) [[unlikely]] {
            check(to);
            if (neighbors_.empty() || (neighbor = seek(to)) == neighbors_.size()) {
                ++queues_.sent;
                list_ = &queues_.out;
                peer_ = to;
                return;
            }
        }
        ++queues_.sent;
        next_neighbor_ = neighbor + 1;
        detail::neighbor_address const& address = queues_.addresses[neighbor];
        if (address.partner == detail::neighbor_address::here) {
            list_ = &queues_.direct->queues[address.place].pending;
            peer_ = queues_.id;
        } else {
            list_ = nullptr;
            message_ = &queues_.direct->messages[address.partner];
            receiver_ = address.place;
        }
    }
    /// Returns the index of `to` in `neighbors_`, or their count if absent.
    [[nodiscard]] std::size_t seek(block_id to) const {
        int const found = queues_.neighbors.index_of(to);
        return found < 0 ? neighbors_.size() : static_cast<std::size_t>(found);
    }
    [[nodiscard]] std::span<T const> items_of(std::span<std::byte const> bytes) {
        if constexpr (bare_type<T>) {
            return {reinterpret_cast<T const*>(bytes.data()), bytes.size() / sizeof(T)};
        } else {
            decoded_.clear();
            for (wire_reader reader(bytes); reader.position() < bytes.size();)
                decoded_.push_back(decode<T>(reader));
            return decoded_;
        }
    }

    detail::block_queues& queues_;
    std::span<block_id const> neighbors_; // to which what is sent goes directly
    std::int64_t place_;                  // of this block, where there are such
    std::size_t next_neighbor_ = 0;
    block_id to_ = nobody;             // of the last message, while it can go on
    detail::run_list* list_ = nullptr; // which has it, as one of `peer_`
    block_id peer_ = nobody;
    detail::packed_message* message_ = nullptr; // or which
    std::int64_t receiver_ = 0;                 // its place
    std::size_t next_run_ = 0;
    bool leaves_some_ = false; // which it has passed
    std::vector<T> decoded_;   // of types that do not travel as they are
};

} // namespace weft
