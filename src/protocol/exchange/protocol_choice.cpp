#include "protocol_choice.hpp"

#include <core/protocol_rows.hpp>

#include <weft/detail/core/communicator_parts.hpp>
#include <weft/machine/machine_model.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace weft {

namespace {

constexpr std::size_t most_candidates = 4; // a census has this number of sums
constexpr double worth_trying = 3;         // times the least predicted time
constexpr double alike = 0.03;             // of the least time: a smaller difference needs no further pass
constexpr int longest_rest = 16;           // between passes, in blocks of a pass
constexpr int rests_that_double = 4;       // the first rests

// A pass tries one protocol after the other, in blocks, so that effects of one protocol are not charged to
// the next; the next pass has the opposite order, so that none is always measured cold. A block of small
// messages takes some 100 us. If ranks outnumber cores, an exchange may take ten times as long for some
// milliseconds. So many passes are needed, with rests of doubling length between them, in which the best
// protocol so far is used. Large messages take long, and a trial of them may cost more than it gains.
struct trial_length {
    int runs_a_block;
    int skipped; // exchanges at the begin of a block
    int most_passes;
    double first_limit; // multiple of the least time that drops a protocol; halved after each pass
};

trial_length length_for(double bytes) {
    if (bytes > 1 << 22) return {3, 1, 24, 1.5};
    if (bytes > 1 << 18) return {5, 2, 24, 1.5};
    if (bytes > 1 << 14) return {16, 4, 24, 1.5};
    return {40, 6, 48, 16};
}

/// Returns the mean of all but the slowest eighth: the cost of an exchange in all its usual states, but
/// without rare disturbances.
std::int64_t typical(std::vector<std::int64_t> samples) {
    // A block without samples, since user code ran in between, has no result.
    if (samples.empty()) return std::numeric_limits<std::int32_t>::max();
    auto const counted = samples.size() - samples.size() / 8;
    std::ranges::nth_element(samples, samples.begin() + static_cast<std::ptrdiff_t>(counted - 1));
    return std::accumulate(
               samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(counted), std::int64_t{0}) /
           static_cast<std::int64_t>(counted);
}

double mean(std::vector<std::int64_t> const& times) {
    return static_cast<double>(std::accumulate(times.begin(), times.end(), std::int64_t{0})) /
           static_cast<double>(times.size());
}

/// Returns true if a protocol needs no further trial after at least two passes: it is significantly slower
/// than the best one so far, or significantly alike (a race: Maron and Moore, NIPS 1993, with paired
/// differences).
bool decided(std::vector<std::int64_t> const& times, std::vector<std::int64_t> const& best) {
    std::vector<std::int64_t> behind;
    for (std::size_t pass = 0; pass < times.size(); ++pass) behind.push_back(times[pass] - best[pass]);
    double const typical_behind = mean(behind);
    auto const passes = static_cast<double>(times.size());
    double squares = 0;
    for (std::int64_t const each : behind) {
        double const from_mean = static_cast<double>(each) - typical_behind;
        squares += from_mean * from_mean;
    }
    // Student's t at 97.5 %, or a little above.
    double const quantile = 2 + 20 / ((passes - 1) * (passes - 1));
    double const chance = quantile * std::sqrt(squares / (passes - 1) / passes);
    return typical_behind > chance || typical_behind + chance < alike * mean(best);
}

/// Returns the load assumed before the first exchange: some neighbours, short messages.
exchange_load first_guess(int ranks) {
    std::int64_t const messages = std::min(ranks - 1, 6);
    return exchange_load::of(messages, 64 * messages);
}

} // namespace

protocol_choice::protocol_choice(communicator const& comm)
    : comm_(detail::communicator_parts::state(comm)), load_(first_guess(comm.size())) {
}

std::size_t protocol_choice::trial::candidate() const noexcept {
    return runs < 0 ? leader : static_cast<std::size_t>(runs / runs_a_block);
}

protocol protocol_choice::choose() {
    if (now_ == nullptr) {
        now_ = &trials_[load_.messages * exchange_load::classes + load_.bytes];
        if (now_->candidates.empty()) {
            now_->candidates = candidates();
            now_->times.resize(now_->candidates.size());
            now_->passes.resize(now_->candidates.size());
            trial_length const length = length_for(exchange_load::typical(load_.bytes));
            now_->runs_a_block = length.runs_a_block;
            now_->skipped = length.skipped;
        }
    }
    return now_->candidates[now_->candidate()];
}

bool protocol_choice::learn_from(experience const& seen) {
    if (seen.busiest != load_) { // tells nothing about the class for which it was chosen
        load_ = seen.busiest;
        now_ = nullptr;
        return false;
    }
    if (now_ == nullptr || settled()) return false;
    if (seen.how != now_->candidates[now_->candidate()]) return false; // it was given, not chosen
    if (now_->runs < 0) {
        ++now_->runs;
        return false;
    }
    if (seen.seconds >= 0 && now_->runs % now_->runs_a_block >= now_->skipped)
        now_->times[now_->candidate()].push_back(static_cast<std::int64_t>(seen.seconds * 1e9));
    ++now_->runs;
    return now_->runs == now_->runs_a_block * static_cast<int>(now_->times.size());
}

std::vector<std::int64_t> protocol_choice::times() const {
    std::vector<std::int64_t> made;
    for (auto const& block : now_->times) made.push_back(typical(block));
    return made;
}

void protocol_choice::settle(std::span<std::int64_t const> times_of_all) {
    std::size_t const tried = now_->candidates.size();
    std::vector<double> means;
    for (std::size_t i = 0; i < tried; ++i) {
        now_->passes[i].push_back(times_of_all[i]);
        means.push_back(mean(now_->passes[i]));
    }
    auto const best = static_cast<std::size_t>(std::ranges::min_element(means) - means.begin());
    trial_length const length = length_for(exchange_load::typical(load_.bytes));
    auto const passes = static_cast<int>(now_->passes[best].size());
    double const limit = std::ldexp(length.first_limit, 1 - passes);
    auto const goes_on = [&](std::size_t i) {
        if (i == best || passes == length.most_passes) return i == best;
        // A few passes may share a disturbance: while the limit is above 1, only the limit drops a protocol.
        if (limit > 1 && means[i] <= limit * means[best]) return true;
        return passes > 1 && !decided(now_->passes[i], now_->passes[best]);
    };
    trial next;
    next.runs_a_block = now_->runs_a_block;
    next.skipped = now_->skipped;
    next.runs = -next.runs_a_block * (passes <= rests_that_double ? 1 << (passes - 1) : longest_rest);
    std::vector<std::size_t> left;
    for (std::size_t i = tried; i-- > 0;)
        if (goes_on(i)) left.push_back(i);
    for (std::size_t const i : left) {
        if (i == best) next.leader = next.candidates.size();
        next.candidates.push_back(now_->candidates[i]);
        next.passes.push_back(std::move(now_->passes[i]));
    }
    next.times.resize(next.candidates.size());
    *now_ = std::move(next);
    communicator const comm = detail::communicator_parts::handle_of(comm_);
    if (settled() && comm.rank() == 0) choices_of(comm).store(key(), now_->candidates.front());
}

choice_key protocol_choice::key() const {
    communicator const comm = detail::communicator_parts::handle_of(comm_);
    return {comm.size(), comm.topology().node_count(), comm.topology().largest_node(), load_.messages,
        load_.bytes};
}

std::vector<protocol> protocol_choice::candidates() const {
    communicator const comm = detail::communicator_parts::handle_of(comm_);
    exchange_shape shape;
    shape.ranks = comm.size();
    shape.nodes = comm.topology().node_count();
    shape.largest_node = comm.topology().largest_node();
    shape.messages = exchange_load::typical(load_.messages);
    shape.bytes = exchange_load::typical(load_.bytes);
    bool const has_levels = shape.nodes > 1 && shape.nodes < shape.ranks;
    auto const seconds = [&](protocol how) { return predicted_seconds(comm.machine(), how, shape); };

    auto const tried_as = [](protocol how) { return facts_of(how).tried_as; };
    std::vector<protocol> found;
    for (protocol const each : all_protocols())
        if (tried_as(each) > 0 && (has_levels || !facts_of(each).needs_levels)) found.push_back(each);
    std::ranges::sort(found, {}, tried_as);
    auto const stored = choices_of(comm).find(key());
    if (stored && std::ranges::find(found, *stored) != found.end()) return {*stored};
    std::ranges::stable_sort(found, {}, seconds);
    double const limit = worth_trying * seconds(found.front());
    std::erase_if(found, [&](protocol how) { return seconds(how) > limit; });
    std::size_t const most = shape.ranks == 1 ? 1 : most_candidates; // a single rank only copies
    if (found.size() > most) found.resize(most);
    return found;
}

} // namespace weft
