/// The messages that a rank is to send in one exchange.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/exchange/message_store.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

namespace weft {

template <class T>
class outbox;

namespace detail {
/// The bytes of an outbox.
template <class T>
[[nodiscard]] message_store& store_of(outbox<T>& out) noexcept {
    return out.store_;
}
} // namespace detail

/// Messages of items of type T, at most one per destination. The items of a message are in the order in which
/// they were added. Trivially copyable items are written into the message once and sent from there without a
/// copy; other types of weft/wire/wire.hpp are encoded as they are added. Filling an outbox is local;
/// `exchange` sends its messages.
///
/// `out[destination]` without an item makes an empty message, which is delivered too. T must be a
/// `wire_type`; for other types the compiler prints one sentence with the reason.
template <class T>
class outbox : detail::must_travel<T> {
public:
    /// Makes an empty outbox for the ranks of a communicator. Local.
    explicit outbox(communicator comm) : store_(std::move(comm)) {}

    /// A reference to a message of an outbox, valid as long as the outbox.
    class slot {
    public:
        /// Appends an item to the message.
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
        /// Appends items to the message.
        void append(std::span<T const> items) {
            if constexpr (bare_type<T>)
                store_.at(place_).append(items.data(), items.size_bytes());
            else
                for (T const& item : items) push_back(item);
        }
        /// Appends items, without a copy if the message is empty: the items must not change until the
        /// exchange is complete. Only for trivially copyable items.
        void append_view(std::span<T const> items) requires bare_type<T> {
            buffer& data = store_.at(place_);
            if (data.empty() && !items.empty())
                data = buffer::view_of(reinterpret_cast<std::byte const*>(items.data()), items.size_bytes());
            else
                append(items);
        }
        /// Allocates memory for `items` items in total; only for items of fixed size.
        void reserve(std::size_t items) requires bare_type<T> {
            store_.at(place_).reserve(items * sizeof(T));
        }

    private:
        friend class outbox;
        slot(message_store& store, std::size_t place) noexcept : store_(store), place_(place) {}

        message_store& store_;
        std::size_t place_;
    };

    /// Returns the message to a rank. For an invalid rank the exchange throws `usage_error` on all ranks.
    slot operator[](int destination) { return slot(store_, store_.place_of(destination)); }

private:
    friend message_store& detail::store_of<T>(outbox& out) noexcept;

    message_store store_;
};

} // namespace weft
