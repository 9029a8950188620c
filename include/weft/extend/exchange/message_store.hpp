/// The outgoing messages of a rank as bytes: the storage of an outbox, also filled by bindings of other
/// languages.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/detail/core/id_table.hpp>
#include <weft/extend/protocol/message.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace weft {

/// Messages as bytes, one per destination. A few are found by linear search, more by a hash table, so memory
/// is O(destinations used) and never O(P).
class message_store {
public:
    /// Makes an empty store for the ranks of a communicator.
    explicit message_store(communicator comm) : comm_(std::move(comm)) {}

    /// Returns the place of the message to `destination`, which is empty if it is new. For an invalid
    /// destination, items are dropped, and the exchange throws a `usage_error` on all ranks.
    std::size_t place_of(int destination) {
        if (destination == last_destination_ && !messages_.empty()) return last_place_;
        return find_place(destination);
    }
    /// Returns the bytes of the message at a place.
    [[nodiscard]] buffer& at(std::size_t place) noexcept { return messages_[place].data; }
    /// Returns the number of items of the message at a place.
    [[nodiscard]] std::int64_t& items_at(std::size_t place) {
        if (place >= items_.size()) items_.resize(messages_.size());
        return items_[place];
    }
    /// Returns all messages, in the order of their first item.
    [[nodiscard]] message_list& messages() noexcept { return messages_; }
    /// Returns the communicator of the messages.
    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }

    /// Stores the error with which the exchange must fail; the first error is kept.
    void fail(std::exception_ptr why) {
        if (!failure_) failure_ = std::move(why);
    }

    /// Appends the number of its items to every message; if that fails, the exchange fails.
    void append_item_counts() noexcept;

    /// Stores the error of spans of destinations and items that differ in length.
    void fail_by_lengths(std::size_t destinations, std::size_t items);

    /// Returns the messages and leaves the store empty.
    [[nodiscard]] message_list release(std::exception_ptr& failure);

private:
    std::size_t find_place(int destination);
    std::size_t found(std::size_t place) noexcept;

    communicator comm_;
    message_list messages_;
    std::vector<std::int64_t> items_; // by place, where they are counted
    detail::id_table<> places_;       // of the destinations, once they are many
    int last_destination_ = -1;
    std::size_t last_place_ = 0;
    std::exception_ptr failure_;
};

} // namespace weft
