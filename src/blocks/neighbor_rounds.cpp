#include "neighbor_rounds.hpp"

#include <algorithm>
#include <utility>

namespace weft {

neighbor_rounds::neighbor_rounds(transport& via, int tag, std::vector<int> partners)
    : via_(via), tag_(tag), partners_(std::move(partners)), tallies_(partners_.size()) {
}

void neighbor_rounds::begin(std::vector<buffer> outgoing) {
    for (std::size_t i = 0; i < partners_.size(); ++i) {
        transfer& made = sending_.emplace_back(transfer{{}, {partners_[i], std::move(outgoing[i])}});
        made.pending = via_.send(partners_[i], tag_, made.what.data.bytes(), send_mode::standard);
    }
    for (tally const& each : tallies_) {
        if (each.found <= begun_) ++not_found_;
        if (each.arrived <= begun_) ++outstanding_;
    }
    ++begun_;
    std::erase_if(early_, [&](early_message& each) {
        if (each.round >= begun_) return false;
        taken_next_.push_back(std::move(each.what));
        return true;
    });
}

neighbor_rounds::tally& neighbor_rounds::tally_of(int partner) noexcept {
    return tallies_[static_cast<std::size_t>(
        std::ranges::lower_bound(partners_, partner) - partners_.begin())];
}

progress neighbor_rounds::step() {
    bool any = std::erase_if(sending_, [&](transfer& each) { return via_.test(each.pending); }) > 0;
    while (!abandoned_ && not_found_ > 0) {
        auto const found = via_.probe(transport::any_source, tag_);
        if (!found) break;
        if (tally_of(found->source).found++ < begun_) --not_found_;
        transfer& made = receiving_.emplace_back(
            transfer{{}, {found->source, buffer(static_cast<std::size_t>(found->bytes))}});
        made.pending = via_.receive(*found, made.what.data.bytes());
        any = true;
    }
    for (; !receiving_.empty() && via_.test(receiving_.front().pending); any = true) {
        message& what = receiving_.front().what;
        std::int64_t const round = tally_of(what.peer).arrived++;
        // mutant: neighbours_count_an_early_message_for_a_missing_one
        if (round < begun_) {
            --outstanding_;
            taken_next_.push_back(std::move(what));
        } else {
            early_.push_back({round, std::move(what)});
        }
        receiving_.pop_front();
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
