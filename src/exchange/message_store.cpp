#include <weft/extend/exchange/message_store.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/inbox.hpp>

#include <string>

namespace weft {

std::size_t message_store::find_place(int destination) {
    if (destination < 0 || destination >= comm_.size())
        fail(std::make_exception_ptr(
            usage_error("exchange: destination " + std::to_string(destination) + " of rank " +
                        std::to_string(comm_.rank()) + " is not a rank; ranks are 0.." +
                        std::to_string(comm_.size() - 1))));
    constexpr std::size_t few = 8;
    if (messages_.size() <= few) {
        for (std::size_t place = 0; place < messages_.size(); ++place)
            if (messages_[place].peer == destination) return found(place);
    } else {
        while (places_.size() < messages_.size()) (void)places_.number_of(messages_[places_.size()].peer);
        if (auto const place = places_.find(destination); place != places_.none) return found(place);
    }
    messages_.push_back({destination, {}});
    return found(messages_.size() - 1);
}

std::size_t message_store::found(std::size_t place) noexcept {
    last_destination_ = messages_[place].peer;
    return last_place_ = place;
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
    places_.clear();
    return released;
}

} // namespace weft
