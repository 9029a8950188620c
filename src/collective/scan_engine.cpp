#include "scan_engine.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace weft {

namespace {

/// From a participant to the one that it sends to in a round.
std::int64_t distance_in(int round) noexcept {
    return std::int64_t{1} << round;
}

} // namespace

scan_engine::scan_engine(transport& via, int tag, participants const& who, std::int64_t all,
    detail::merged_values& values, send_mode mode)
    : via_(via), tag_(tag), mode_(mode), all_(all), who_(who), values_(values) {
    std::map<int, std::int64_t> expected; // messages, by rank
    for (std::int64_t const id : who_.mine) {
        std::size_t const place = mine_.size();
        mine_.push_back({id, place});
        ready_.push_back(place);
        for (int round = 0; distance_in(round) <= id; ++round) {
            int const from = who_.rank_of(id - distance_in(round));
            if (from != via_.rank()) ++expected[from];
        }
    }
    for (auto const& [rank, messages] : expected) sources_.push_back({rank, messages});
}

scan_engine::~scan_engine() {
    for (outgoing& each : sent_)
        if (each.pending) leave_to_mpi(std::move(each.data));
    for (message_source& each : sources_) each.leave();
}

template <class Action>
void scan_engine::guarded(Action&& action) {
    if (failed_) return;
    try {
        action();
    } catch (...) {
        failed_ = true;
        thrown_ = std::current_exception();
    }
}

/// Goes through the rounds of a participant as far as values are here.
void scan_engine::go_on(std::size_t place) {
    participant& now = mine_[place];
    while (distance_in(now.round) < all_) {
        std::int64_t const distance = distance_in(now.round);
        if (!now.sent_this_round && now.id + distance < all_) pass(now, now.id + distance);
        now.sent_this_round = true;
        if (now.id >= distance) {
            // mutant: scans_combine_in_the_order_of_arrival
            auto const before = std::ranges::find(now.early, now.round, &arrival::round);
            if (before == now.early.end()) return;
            guarded([&] {
                // mutant: scans_combine_backwards
                values_.combine(before->value, now.value);
                now.value = before->value;
            });
            now.early.erase(before);
        }
        now.sent_this_round = false;
        ++now.round;
    }
}

void scan_engine::pass(participant const& from, std::int64_t to) {
    int const rank = who_.rank_of(to);
    buffer data;
    data.resize(sizeof(heading));
    guarded([&] { values_.write(from.value, data); });
    heading const head{to, from.round, failed_ ? 1 : 0};
    std::memcpy(data.data(), &head, sizeof head);
    if (rank == via_.rank()) return take(data.bytes());
    outgoing& now = sent_.emplace_back();
    now.data = std::move(data);
    now.pending = via_.send(rank, tag_, now.data.bytes(), mode_);
}

void scan_engine::take(std::span<std::byte const> bytes) {
    heading head;
    std::memcpy(&head, bytes.data(), sizeof head);
    failed_ = failed_ || head.failed != 0;
    auto const found = std::ranges::lower_bound(mine_, head.to, {}, &participant::id);
    std::size_t value = 0; // of no meaning after an error
    guarded([&] { value = values_.read(bytes.subspan(sizeof head)); });
    found->early.push_back({head.round, value});
    ready_.push_back(static_cast<std::size_t>(found - mine_.begin()));
}

progress scan_engine::step() {
    bool any = false;
    for (message_source& each : sources_)
        any = each.receive(via_, tag_, [&](std::span<std::byte const> bytes) { take(bytes); }) || any;
    for (; !ready_.empty(); any = true) {
        std::size_t const place = ready_.back();
        ready_.pop_back();
        go_on(place);
    }
    while (sent_complete_ < sent_.size() && via_.test(sent_[sent_complete_].pending)) {
        sent_[sent_complete_++].data = {};
        any = true;
    }
    bool const heard =
        std::ranges::all_of(sources_, [](message_source const& each) { return each.expected == 0; });
    if (heard && sent_complete_ == sent_.size()) return progress::done;
    return any ? progress::some : progress::none;
}

std::vector<std::size_t> scan_engine::results() const {
    std::vector<std::size_t> found;
    for (participant const& each : mine_) found.push_back(each.value);
    return found;
}

void scan_engine::describe_wait(std::string& into) const {
    for (message_source const& each : sources_)
        if (each.expected > 0)
            into += std::to_string(each.expected) + " prefixes from rank " + std::to_string(each.rank) + "; ";
}

} // namespace weft
