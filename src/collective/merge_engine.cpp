#include "merge_engine.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace weft {

merge_engine::merge_engine(transport& via, int tag, schedule const& rounds, participants const& who,
    detail::merged_values& values, send_mode mode)
    : via_(via), tag_(tag), mode_(mode), values_(values) {
    plan(rounds, who);
}

merge_engine::~merge_engine() {
    for (outgoing& each : sent_)
        if (each.pending) leave_to_mpi(std::move(each.data));
    for (message_source& each : sources_) each.leave();
}

void merge_engine::plan(schedule const& rounds, participants const& who) {
    mine_.reserve(who.mine.size());
    for (std::int64_t const id : who.mine) {
        participant each{id, mine_.size()};
        for (int round = 0; round < rounds.rounds() && each.target < 0; ++round) {
            round_group found = rounds.group_of(round, id);
            if (found.members.size() < 2) continue;
            if (found.keeper == each_keeps_a_share)
                throw usage_error("a merge needs a member that keeps all in every round");
            group next{std::move(found.members)};
            auto const here = std::find(next.members.begin(), next.members.end(), id);
            next.mine = static_cast<std::size_t>(here - next.members.begin());
            std::int64_t const keeper = next.members[static_cast<std::size_t>(found.keeper)];
            if (keeper != id) {
                next.gives_to = keeper;
                each.target = who.rank_of(keeper);
            } else {
                next.parts.resize(next.members.size());
                for (std::int64_t const other : next.members)
                    if (int const rank = who.rank_of(other); rank != via_.rank()) expect_from(rank);
            }
            each.groups.push_back(std::move(next));
        }
        mine_.push_back(std::move(each));
    }
}

void merge_engine::expect_from(int rank) {
    auto const found = std::find_if(
        sources_.begin(), sources_.end(), [&](message_source const& each) { return each.rank == rank; });
    message_source& from = found != sources_.end() ? *found : sources_.emplace_back(message_source{rank});
    ++from.expected;
}

merge_engine::participant& merge_engine::local(std::int64_t id) {
    return *std::lower_bound(mine_.begin(), mine_.end(), id,
        [](participant const& each, std::int64_t wanted) { return each.id < wanted; });
}

void merge_engine::combine_by(detail::combination_runner& runner) {
    runner_ = &runner;
    std::int64_t reads = 0;
    for (message_source const& each : sources_) reads += each.expected;
    values_.expect(static_cast<std::size_t>(reads));
}

void merge_engine::fail(std::exception_ptr thrown) {
    failed_ = failed_ < 0 ? via_.rank() : std::min(failed_, via_.rank());
    if (!thrown_) thrown_ = std::move(thrown);
}

/// After an error nothing is computed any more; only messages go their ways.
template <class Action>
void merge_engine::guarded(Action&& action) {
    if (failed_ >= 0) return;
    try {
        action();
    } catch (...) { fail(std::current_exception()); }
}

/// Combines the part of `member` with its brother, and the pair with its brother, as far as they are here.
void merge_engine::climb(participant& who, std::size_t round, std::size_t member) {
    group& now = who.groups[round];
    std::size_t const size = now.parts.size();
    for (;;) {
        part& here = now.parts[member];
        std::size_t const width = std::size_t{1} << here.height;
        if (width >= size) return;
        bool const is_right = (member & width) != 0;
        if (!is_right && member + width >= size) { // there is no brother
            ++here.height;
            continue;
        }
        std::size_t const left = is_right ? member - width : member;
        part& brother = now.parts[is_right ? left : member + width];
        // mutant: merges_combine_as_values_come
        if (brother.value == absent || brother.height != here.height) return;
        std::size_t const right = left + width;
        if (runner_ != nullptr && failed_ < 0 && hand_over(who, round, left, right)) return;
        guarded([&] { values_.combine(now.parts[left].value, now.parts[right].value); });
        now.parts[right].value = absent;
        ++now.parts[left].height;
        member = left;
    }
}

/// Gives a pair to the runner; false if it must be combined here.
bool merge_engine::hand_over(participant& who, std::size_t round, std::size_t left, std::size_t right) {
    std::vector<part>& parts = who.groups[round].parts;
    detail::owned<detail::combination> pair = values_.combination_of(parts[left].value, parts[right].value);
    if (!pair) return false;
    pairs_.push_back({&who, round, left, std::exchange(parts[left].value, absent)});
    parts[right].value = absent;
    ++in_hand_;
    runner_->begin(pairs_.size() - 1, std::move(pair));
    return true;
}

/// Goes on with the pairs that have been combined; true if there were any.
bool merge_engine::collect(bool idle) {
    bool any = false;
    while (auto const ended = runner_->next(idle && !any)) {
        any = true;
        --in_hand_;
        if (ended->thrown) fail(ended->thrown);
        pair_in_hand const made = pairs_[ended->number];
        part& left = made.who->groups[made.round].parts[made.left];
        left.value = made.value;
        ++left.height;
        climb(*made.who, made.round, made.left);
        if (made.round == made.who->current) get_on(*made.who);
    }
    return any;
}

/// A member's value has come, mostly before its keeper is in that round.
void merge_engine::place(participant& keeper, std::int64_t from, std::size_t value) {
    for (std::size_t round = keeper.current; round < keeper.groups.size(); ++round) {
        group& each = keeper.groups[round];
        auto const found = std::find(each.members.begin(), each.members.end(), from);
        if (found == each.members.end()) continue;
        auto const member = static_cast<std::size_t>(found - each.members.begin());
        each.parts[member].value = value;
        climb(keeper, round, member);
        if (round == keeper.current) get_on(keeper);
        return;
    }
}

/// A participant with its value comes into its next round.
void merge_engine::enter(participant& who) {
    if (who.current == who.groups.size()) return;
    group& now = who.groups[who.current];
    if (now.gives_to >= 0) {
        give(who, now.gives_to);
        return;
    }
    now.parts[now.mine].value = who.value;
    climb(who, who.current, now.mine);
    get_on(who);
}

/// Leaves the round of a participant if its group is complete.
void merge_engine::get_on(participant& who) {
    group const& now = who.groups[who.current];
    part const& all = now.parts.front();
    // mutant: merges_leave_groups_early
    if (all.value == absent || (std::size_t{1} << all.height) < now.parts.size()) return;
    who.value = all.value;
    ++who.current;
    enter(who);
}

void merge_engine::give(participant& who, std::int64_t to) {
    ++who.current;
    who.gave = true;
    if (who.target == via_.rank()) {
        place(local(to), who.id, who.value);
        return;
    }
    outgoing& now = sent_.emplace_back();
    heading* const head = reinterpret_cast<heading*>(now.data.extend(sizeof(heading)));
    *head = {who.id, to, -1};
    guarded([&] { values_.write(who.value, now.data); });
    if (failed_ >= 0) now.data.resize(sizeof(heading));
    // Writing may have moved the bytes, or failed.
    reinterpret_cast<heading*>(now.data.data())->failed = failed_;
    now.pending = via_.send(who.target, tag_, now.data.bytes(), mode_);
}

void merge_engine::take(std::span<std::byte const> bytes) {
    heading head;
    std::memcpy(&head, bytes.data(), sizeof(head));
    // mutant: merges_forget_errors_of_others
    if (head.failed >= 0)
        failed_ =
            failed_ < 0 ? static_cast<int>(head.failed) : std::min(failed_, static_cast<int>(head.failed));
    std::size_t value = 0; // after an error any number does
    guarded([&] { value = values_.read(bytes.subspan(sizeof(heading))); });
    place(local(head.to), head.from, value);
}

progress merge_engine::step() {
    progress result = progress::none;
    if (!begun_) {
        begun_ = true;
        result = progress::some;
        for (participant& each : mine_) enter(each);
    }
    bool complete = true;
    for (message_source& each : sources_) {
        // mutant: merges_take_messages_of_the_next_merge
        if (each.receive(via_, tag_, [&](std::span<std::byte const> bytes) { take(bytes); }))
            result = progress::some;
        complete = complete && each.expected == 0;
    }
    if (in_hand_ > 0 && collect(result == progress::none)) result = progress::some;
    // mutant: merges_end_while_threads_combine
    if (!complete || in_hand_ > 0) return result;
    while (sent_complete_ < sent_.size() && via_.test(sent_[sent_complete_].pending)) ++sent_complete_;
    return sent_complete_ == sent_.size() ? progress::done : result;
}

void merge_engine::describe_wait(std::string& into) const {
    for (message_source const& each : sources_)
        if (each.expected > 0)
            into += std::to_string(each.expected) + " values of a merge from rank " +
                    std::to_string(each.rank) + "; ";
    if (in_hand_ > 0) into += std::to_string(in_hand_) + " pairs of values that are combined; ";
}

std::vector<merge_engine::result> merge_engine::results() const {
    std::vector<result> found;
    for (std::size_t place = 0; place < mine_.size(); ++place)
        if (!mine_[place].gave) found.push_back({place, mine_[place].value});
    return found;
}

} // namespace weft
