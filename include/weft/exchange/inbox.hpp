/// The messages that a rank has received in one exchange.
#pragma once

#include <weft/detail/core/huge_pages.hpp>
#include <weft/extend/protocol/message.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

namespace detail {
/// Items of variable size are followed by zeros up to a byte per item, so that a count which the bytes cannot
/// hold is refused before anything is allocated, and by their count.
struct counted_items {
    std::span<std::byte const> payload;
    std::size_t count;
};
void append_item_count(buffer& items, std::int64_t count);
[[nodiscard]] counted_items split_item_count(std::span<std::byte const> received);
void check_rest(wire_reader const& reader, std::size_t count, std::size_t payload_bytes);
} // namespace detail

/// The messages that a rank has received in an exchange, ascending by source, at most one per source. The
/// items of a message are in the order of sending. The inbox owns the items; spans are valid as long as the
/// inbox lives. Loop by `for (auto [source, items] : box)`. Trivially copyable items stay in the received
/// bytes; items of other types are decoded.
template <wire_type T>
class inbox {
public:
    /// The items of one message.
    struct entry {
        int source;               ///< The rank that sent the message.
        std::span<T const> items; ///< The items, valid as long as the inbox.
    };

    /// An iterator over the messages, by source.
    class iterator {
    public:
        using value_type = entry;               ///< The type of a message.
        using difference_type = std::ptrdiff_t; ///< The type of the distance of two iterators.

        iterator() = default;
        /// Returns the message at the iterator.
        entry operator*() const { return (*box_)[index_]; }
        /// Moves to the next message.
        iterator& operator++() {
            ++index_;
            return *this;
        }
        /// Moves to the next message; returns an iterator at the message before.
        iterator operator++(int) {
            iterator const before = *this;
            ++index_;
            return before;
        }
        friend bool operator==(iterator const&, iterator const&) = default;

    private:
        friend class inbox;
        iterator(inbox const* box, std::size_t index) : box_(box), index_(index) {}

        inbox const* box_ = nullptr;
        std::size_t index_ = 0;
    };

    inbox() = default;
    /// Makes an inbox of messages ordered by source. Throws: `wire_error`.
    explicit inbox(message_list received) : messages_(std::move(received)) {
        if constexpr (!bare_type<T>) {
            decoded_.reserve(messages_.size());
            for (message const& each : messages_) decoded_.push_back(decode_items(each));
        }
    }

    /// Returns the number of messages.
    [[nodiscard]] std::size_t size() const noexcept { return messages_.size(); }
    /// Returns true if there are no messages.
    [[nodiscard]] bool empty() const noexcept { return messages_.empty(); }
    [[nodiscard]] iterator begin() const noexcept { return {this, 0}; }
    [[nodiscard]] iterator end() const noexcept { return {this, size()}; }

    /// Returns message `index` in the order of sources.
    [[nodiscard]] entry operator[](std::size_t index) const {
        message const& each = messages_[index];
        if constexpr (bare_type<T>)
            return {each.peer, items_in(each)};
        else
            return {each.peer, decoded_[index]};
    }

    /// Returns the number of items in all messages.
    [[nodiscard]] std::size_t item_count() const noexcept {
        std::size_t items = 0;
        for (entry const& each : *this) items += each.items.size();
        return items;
    }

    /// Returns all items, one message after the other.
    [[nodiscard]] std::vector<T> concatenate() const {
        std::vector<T> all;
        detail::reserve_in_huge_pages(all, item_count());
        for (entry const& each : *this) all.insert(all.end(), each.items.begin(), each.items.end());
        return all;
    }

    /// Returns the items of one message as a view of its bytes, without a copy.
    [[nodiscard]] static std::span<T const> items_in(message const& from) noexcept requires bare_type<T> {
        return {reinterpret_cast<T const*>(from.data.data()), from.data.size() / sizeof(T)};
    }
    /// Decodes the items of one message. Throws: `wire_error`.
    [[nodiscard]] static std::vector<T> decode_items(message const& from) requires(!bare_type<T>) {
        auto const [payload, count] = detail::split_item_count(from.data.bytes());
        wire_reader reader(payload);
        std::vector<T> items;
        detail::reserve_in_huge_pages(items, count);
        for (std::size_t i = 0; i < count; ++i) items.push_back(decode<T>(reader));
        detail::check_rest(reader, count, payload.size());
        return items;
    }

private:
    message_list messages_;
    std::vector<std::vector<T>> decoded_; // by message, for types that are encoded
};

} // namespace weft
