#include "plan_troubles.hpp"

#include <core/simulated_ranks.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace weft {

plan_troubles::head plan_troubles::notice::head() const noexcept {
    plan_troubles::head read;
    std::memcpy(&read, bytes.data(), sizeof read);
    return read;
}

progress plan_troubles::step(transport& via) {
    progress result = progress::none;
    while (auto const found = via.probe(transport::any_source, tag_)) {
        notice& made =
            told_.emplace_back(notice{found->source, {}, buffer(static_cast<std::size_t>(found->bytes))});
        made.receive = via.receive(*found, made.bytes.bytes());
        ++pending_;
        result = progress::some;
    }
    if (pending_ == 0) return result;
    for (notice& each : told_) {
        if (each.here || !via.test(each.receive)) continue;
        each.here = true;
        --pending_;
        result = progress::some;
    }
    return result;
}

void plan_troubles::throw_of(int direction, std::int64_t run) {
    auto const is_of_run = [&](notice const& each) {
        // mutant: plan_takes_the_trouble_of_another_run
        return each.head().direction == direction && each.head().run == run;
    };
    notice const* lowest = nullptr;
    for (notice const& each : told_)
        if (is_of_run(each) && (lowest == nullptr || each.source < lowest->source)) lowest = &each;
    if (lowest == nullptr) return; // of a run that this rank has not begun
    error_kind const kind = lowest->head().kind;
    int const source = lowest->source;
    auto const text = std::as_const(lowest->bytes).bytes().subspan(sizeof(head));
    std::string const words(reinterpret_cast<char const*>(text.data()), text.size());
    std::erase_if(told_, is_of_run);
    throw_remote(kind, source, words);
}

progress plan_wait::step() {
    progress result = progress::none;
    for (; complete_ < pending_.size() && via_.test(pending_[complete_]); ++complete_)
        result = progress::some;
    // mutant: plan_leaves_before_it_has_heard_all
    if (complete_ == pending_.size() && way_.troubles.at_rest()) return progress::done;
    // A simulated rank sleeps after few polls, until something comes.
    if (result == progress::none && (++fruitless_ % polls_between_looks == 0 || is_simulated_rank()))
        result = way_.troubles.step(via_);
    return result;
}

void plan_wait::describe_wait(std::string& into) const {
    into += std::to_string(pending_.size() - complete_) + " of " + std::to_string(pending_.size()) +
            " messages with neighbours in the plan; ";
}

plan_refusal::plan_refusal(transport& via, plan_way& way, plan_sides const& sides, std::exception_ptr why)
    : via_(via), way_(way), why_(std::move(why)) {
    plan_troubles::head const head{way.runs, way.direction, kind_of(why_)};
    std::string const text = text_of(why_);
    notice_.append(&head, sizeof head);
    notice_.append(text.data(), text.size());
    for (int const rank : sides.sources)
        if (rank != via_.rank()) sources_.push_back({rank});
    for (int const rank : sides.destinations)
        if (rank != via_.rank()) destinations_.push_back({rank, {}});
    // mutant: plan_sends_items_before_its_trouble_is_known
    for (destination& each : destinations_)
        each.pending =
            via_.send(each.rank, way_.troubles.tag(), std::as_const(notice_).bytes(), send_mode::synchronous);
}

progress plan_refusal::step() {
    // Others may be in the same place and tell this one.
    progress result = way_.troubles.step(via_);
    bool all = way_.troubles.at_rest();
    for (destination& each : destinations_) {
        if (!via_.test(each.pending)) {
            all = false;
        } else if (!each.told) {
            each.told = true;
            each.pending = via_.send(each.rank, way_.tag, {}, send_mode::standard);
            all = false;
            result = progress::some;
        }
    }
    progress const received = receive();
    return all && received == progress::done ? progress::done : result;
}

progress plan_refusal::receive() {
    progress result = progress::done;
    for (source& each : sources_) {
        if (!each.found) {
            auto const found = via_.probe(each.rank, way_.tag);
            if (found) {
                each.room.resize(static_cast<std::size_t>(found->bytes));
                each.pending = via_.receive(*found, each.room.bytes());
                each.found = true;
            }
        }
        if (!each.found || !via_.test(each.pending)) result = progress::none;
    }
    return result;
}

void plan_refusal::describe_wait(std::string& into) const {
    for (destination const& each : destinations_)
        if (!each.told)
            into += "rank " + std::to_string(each.rank) + ", which is to learn that this one has failed; ";
}

} // namespace weft
