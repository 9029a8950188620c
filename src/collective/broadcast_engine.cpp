#include "broadcast_engine.hpp"

#include <core/left_memory.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace weft {

broadcast_engine::broadcast_engine(transport& via, int tag, int root, send_mode mode)
    : via_(via),
      tag_(tag),
      root_(root),
      mode_(mode),
      place_((via.rank() - root + via.size()) % via.size()),
      data_(sizeof(std::int64_t)) {
}

broadcast_engine::~broadcast_engine() {
    auto const open = [](request const& each) { return static_cast<bool>(each); };
    if (receive_ || std::ranges::any_of(sent_, open)) leave_to_mpi(std::move(data_));
}

void broadcast_engine::forward() {
    // Place v was reached in round bit_width(v) - 1 and reaches v + 2^k in every later round k; the largest
    // subtree first.
    int const size = via_.size();
    int const first = std::bit_width(static_cast<unsigned>(place_));
    // Room for all requests first: a message whose request is lost cannot be waited for.
    sent_.reserve(static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(size))));
    // mutant: broadcasts_skip_a_subtree
    for (int k = std::bit_width(static_cast<unsigned>(size)); k-- > first;)
        if (place_ + (1 << k) < size)
            sent_.push_back(via_.send(rank_at(place_ + (1 << k)), tag_, data_.bytes(), mode_));
}

progress broadcast_engine::step() {
    progress result = progress::none;
    if (!here_) {
        std::int64_t failed = failed_;
        if (place_ == 0) {
            std::memcpy(data_.data(), &failed, sizeof(failed));
        } else {
            if (!receiving_) {
                auto const parent = static_cast<int>(std::bit_floor(static_cast<unsigned>(place_)));
                auto const found = via_.probe(rank_at(place_ - parent), tag_);
                if (!found) return progress::none;
                data_.resize(static_cast<std::size_t>(found->bytes));
                receive_ = via_.receive(*found, data_.bytes());
                receiving_ = true;
            }
            if (!via_.test(receive_)) return progress::none;
            std::memcpy(&failed, data_.data(), sizeof(failed));
            failed_ = static_cast<int>(failed);
        }
        here_ = true;
        result = progress::some;
        forward();
    }
    for (request& pending : sent_)
        if (!via_.test(pending)) return result;
    return progress::done;
}

void broadcast_engine::describe_wait(std::string& into) const {
    if (!here_)
        into += "a broadcast of rank " + std::to_string(root_) + ", from rank " +
                std::to_string(
                    rank_at(place_ - static_cast<int>(std::bit_floor(static_cast<unsigned>(place_))))) +
                "; ";
}

} // namespace weft
