#include "node_round.hpp"

namespace weft {

node_round::node_round(transport& via, int tag, std::span<int const> members)
    : via_(via),
      tag_(tag),
      members_(members),
      outgoing_(members.size()),
      incoming_(members.size()),
      receives_(members.size()),
      state_(members.size(), state::expected) {
}

void node_round::begin() {
    for (std::size_t place = 0; place < members_.size(); ++place) {
        if (members_[place] == via_.rank()) {
            state_[place] = state::here;
            ++here_;
            continue;
        }
        sends_.push_back(via_.send(members_[place], tag_, outgoing_[place].bytes(), send_mode::standard));
    }
}

progress node_round::step() {
    progress result = progress::none;
    for (std::size_t place = 0; here_ < members_.size() && place < members_.size(); ++place) {
        if (state_[place] == state::expected) {
            auto const found = via_.probe(members_[place], tag_);
            if (!found) continue;
            incoming_[place].resize(static_cast<std::size_t>(found->bytes));
            receives_[place] = via_.receive(*found, incoming_[place].bytes());
            state_[place] = state::receiving;
            result = progress::some;
        }
        if (state_[place] == state::receiving && via_.test(receives_[place])) {
            state_[place] = state::here;
            ++here_;
            result = progress::some;
        }
    }
    return here_ == members_.size() ? progress::done : result;
}

bool node_round::sent() {
    while (!sends_.empty() && via_.test(sends_.back())) sends_.pop_back();
    return sends_.empty();
}

std::int64_t node_round::bytes() const noexcept {
    std::int64_t all = 0;
    for (buffer const& each : outgoing_) all += static_cast<std::int64_t>(each.size());
    return all;
}

} // namespace weft
