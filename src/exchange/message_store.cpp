#include <weft/extend/exchange/message_store.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/inbox.hpp>

#include <bit>
#include <string>

namespace weft {

namespace {

std::size_t hash_of(int destination) noexcept {
    // Multiplicative hashing; the table takes the upper bits.
    return static_cast<std::size_t>(static_cast<std::uint64_t>(destination) * 0x9E3779B97F4A7C15ull >> 32);
}

} // namespace

std::size_t message_store::find_place(int destination) {
    if (destination < 0 || destination >= comm_.size())
        fail(std::make_exception_ptr(
            usage_error("exchange: destination " + std::to_string(destination) + " of rank " +
                        std::to_string(comm_.rank()) + " is not a rank; ranks are 0.." +
                        std::to_string(comm_.size() - 1))));
    constexpr std::size_t few = 8;
    if (hash_slots_.empty()) {
        for (std::size_t place = 0; place < messages_.size(); ++place)
            if (messages_[place].peer == destination) return found(place);
        if (messages_.size() < few) return add(destination);
    }
    if (messages_.size() * 2 >= hash_slots_.size()) rehash();
    std::size_t const mask = hash_slots_.size() - 1;
    std::size_t slot = hash_of(destination) & mask;
    for (; hash_slots_[slot] != 0; slot = (slot + 1) & mask) {
        auto const place = static_cast<std::size_t>(hash_slots_[slot] - 1);
        if (messages_[place].peer == destination) return found(place);
    }
    hash_slots_[slot] = static_cast<std::int32_t>(messages_.size() + 1);
    return add(destination);
}

std::size_t message_store::add(int destination) {
    messages_.push_back({destination, {}});
    return found(messages_.size() - 1);
}

std::size_t message_store::found(std::size_t place) noexcept {
    last_destination_ = messages_[place].peer;
    return last_place_ = place;
}

void message_store::rehash() {
    hash_slots_.assign(std::bit_ceil(messages_.size() * 4 + 16), 0);
    std::size_t const mask = hash_slots_.size() - 1;
    for (std::size_t place = 0; place < messages_.size(); ++place) {
        std::size_t slot = hash_of(messages_[place].peer) & mask;
        while (hash_slots_[slot] != 0) slot = (slot + 1) & mask;
        hash_slots_[slot] = static_cast<std::int32_t>(place + 1);
    }
}

void message_store::append_item_counts() noexcept {
    try {
        for (std::size_t place = 0; place < messages_.size(); ++place)
            detail::append_item_count(at(place), items_at(place));
    } catch (...) { fail(std::current_exception()); }
}

void message_store::fail_by_lengths(std::size_t destinations, std::size_t items) {
    fail(std::make_exception_ptr(
        usage_error("exchange: " + std::to_string(items) + " items but " + std::to_string(destinations) +
                    " destinations on rank " + std::to_string(comm_.rank()))));
}

message_list message_store::release(std::exception_ptr& failure) {
    failure = std::move(failure_);
    failure_ = nullptr;
    message_list released = std::move(messages_);
    messages_.clear();
    items_.clear();
    hash_slots_.clear();
    return released;
}

} // namespace weft
