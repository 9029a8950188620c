#include <weft/extend/core/epoch.hpp>

#include <weft/core/error.hpp>

#include <string>

namespace weft {

std::int64_t epoch_ledger::open() {
    if (full())
        throw usage_error("an exchange cannot begin: one that began " + std::to_string(next_ - oldest_) +
                          " exchanges ago on this communicator is still open, the limit is " +
                          std::to_string(window_ / 2) + "; complete it first, or raise WEFT_TAG_WINDOW");
    closed_[static_cast<std::size_t>(place_of(next_))] = false;
    ++open_count_;
    return next_++;
}

void epoch_ledger::close(std::int64_t epoch) noexcept {
    if (--open_count_ == 0) { // the usual case
        oldest_ = next_;
        return;
    }
    closed_[static_cast<std::size_t>(place_of(epoch))] = true;
    while (oldest_ < next_ && closed_[static_cast<std::size_t>(place_of(oldest_))]) ++oldest_;
}

int tag_pool::propose(int from, int count) const noexcept {
    int free = 0;
    for (int tag = from; tag <= last; ++tag) {
        auto const place = static_cast<std::size_t>(tag - first);
        free = place >= taken_.size() || !taken_[place] ? free + 1 : 0;
        if (free == count) return tag - count + 1;
    }
    return -1;
}

void tag_pool::take(int tag) {
    auto const place = static_cast<std::size_t>(tag - first);
    if (place >= taken_.size()) taken_.resize(place + 1, false);
    taken_[place] = true;
}

void tag_pool::give_back(int tag) noexcept {
    taken_[static_cast<std::size_t>(tag - first)] = false;
}

} // namespace weft
