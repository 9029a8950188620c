/// The messages that a rank is to send in one exchange.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/protocol/message.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

namespace weft {

/// The messages of an outbox as bytes: one a destination, found by looking at all while they are few, then by
/// a hash table, so that memory is O(destinations used) and never O(P).
class message_store {
public:
    explicit message_store(communicator comm) : comm_(std::move(comm)) {}

    /// The place of the message to `destination`, made empty if it is new. A destination that is not a rank
    /// is remembered, and the exchange throws it as an agreed `usage_error`; its items go nowhere.
    std::size_t place_of(int destination) {
        if (destination == last_destination_ && !messages_.empty()) return last_place_;
        return find_place(destination);
    }
    [[nodiscard]] buffer& at(std::size_t place) noexcept { return messages_[place].data; }
    [[nodiscard]] std::int64_t& items_at(std::size_t place) {
        if (place >= items_.size()) items_.resize(messages_.size());
        return items_[place];
    }
    [[nodiscard]] message_list& messages() noexcept { return messages_; }
    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }

    /// Remembers why the exchange must fail; the first reason stays.
    void fail(std::exception_ptr why) {
        if (!failure_) failure_ = std::move(why);
    }

    /// Ends every message by the number of its items; where that fails, so does the exchange.
    void append_item_counts() noexcept;

    /// The failure of a flat form whose spans differ in length.
    void fail_by_lengths(std::size_t destinations, std::size_t items);

    /// Hands the messages over and leaves the store empty.
    [[nodiscard]] message_list release(std::exception_ptr& failure);

private:
    std::size_t find_place(int destination);
    std::size_t add(int destination);
    std::size_t found(std::size_t place) noexcept;
    void rehash();

    communicator comm_;
    message_list messages_;
    std::vector<std::int64_t> items_;      // by place, where they are counted
    std::vector<std::int32_t> hash_slots_; // place + 1, or 0; a power of two of them, or none
    int last_destination_ = -1;
    std::size_t last_place_ = 0;
    std::exception_ptr failure_;
};

/// Messages of items of type T: at most one message a destination, its items in the order of their sending.
/// Trivially copyable items are written into the message once and sent from there without a copy; other types
/// of weft/wire/wire.hpp are encoded as they are added. Filling it is local; `exchange` sends it.
///
/// `out[destination]` alone makes an empty message, which is delivered too.
template <wire_type T>
class outbox {
public:
    explicit outbox(communicator comm) : store_(std::move(comm)) {}

    /// One message of an outbox. Valid as long as the outbox.
    class slot {
    public:
        void push_back(T const& item) {
            buffer& data = store_.at(place_);
            if constexpr (bare_type<T>) {
                static_assert(alignof(T) <= buffer::alignment);
                data.append(&item, sizeof(T));
            } else {
                encode(data, item);
                ++store_.items_at(place_);
            }
        }
        void append(std::span<T const> items) {
            if constexpr (bare_type<T>)
                store_.at(place_).append(items.data(), items.size_bytes());
            else
                for (T const& item : items) push_back(item);
        }
        /// As `append`, without a copy if the message is empty so far: the items must stay as they are until
        /// the exchange is complete. Only for items that travel as they are.
        void lend(std::span<T const> items) requires bare_type<T> {
            buffer& data = store_.at(place_);
            if (data.empty() && !items.empty())
                data = buffer::lent(reinterpret_cast<std::byte const*>(items.data()), items.size_bytes());
            else
                append(items);
        }
        /// Makes room for so many items in all; only for items of fixed size.
        void reserve(std::size_t items) requires bare_type<T> {
            store_.at(place_).reserve(items * sizeof(T));
        }

    private:
        friend class outbox;
        slot(message_store& store, std::size_t place) noexcept : store_(store), place_(place) {}

        message_store& store_;
        std::size_t place_;
    };

    /// The message to a rank, 0..P-1. A rank outside makes the exchange throw `usage_error` on all ranks.
    slot operator[](int destination) { return slot(store_, store_.place_of(destination)); }

    [[nodiscard]] message_store& store() noexcept { return store_; }

private:
    message_store store_;
};

} // namespace weft
