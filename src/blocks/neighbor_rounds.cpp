#include <weft/blocks/neighbor_rounds.hpp>

#include <utility>

namespace weft {

neighbor_rounds::neighbor_rounds(transport& via, int tag, std::vector<int> partners)
    : via_(via), tag_(tag), partners_(std::move(partners)) {
}

void neighbor_rounds::begin(std::vector<buffer> outgoing) {
    for (std::size_t i = 0; i < partners_.size(); ++i) {
        transfer& made = sending_.emplace_back(transfer{{}, {partners_[i], std::move(outgoing[i])}});
        made.pending = via_.send(partners_[i], tag_, made.what.data.bytes(), send_mode::standard);
    }
    expected_ += static_cast<std::int64_t>(partners_.size());
}

progress neighbor_rounds::step() {
    bool any = std::erase_if(sending_, [&](transfer& each) { return via_.test(each.pending); }) > 0;
    while (!abandoned_ && outstanding() > static_cast<std::int64_t>(receiving_.size())) {
        auto const found = via_.probe(transport::any_source, tag_);
        if (!found) break;
        transfer& made = receiving_.emplace_back(
            transfer{{}, {found->source, buffer(static_cast<std::size_t>(found->bytes))}});
        made.pending = via_.receive(*found, made.what.data.bytes());
        any = true;
    }
    for (; !receiving_.empty() && via_.test(receiving_.front().pending); any = true) {
        taken_next_.push_back(std::move(receiving_.front().what));
        receiving_.pop_front();
        ++arrived_;
    }
    if (abandoned_ && at_rest()) return progress::done;
    return any ? progress::some : progress::none;
}

void neighbor_rounds::describe_wait(std::string& into) const {
    into += std::to_string(outstanding()) + " messages of rounds with ranks";
    for (int const partner : partners_) into += " " + std::to_string(partner);
    into += "; ";
    for (transfer const& each : sending_)
        into += "a message to rank " + std::to_string(each.what.peer) + ", which has not taken it; ";
}

message_list neighbor_rounds::take() {
    return std::exchange(taken_next_, {});
}

} // namespace weft
