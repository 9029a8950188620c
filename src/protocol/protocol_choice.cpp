#include <weft/protocol/protocol_choice.hpp>

#include <weft/core/machine_model.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace weft {

namespace {

constexpr std::size_t most_candidates = 4; // as many as a census has sums
constexpr double worth_trying = 3;         // times the least predicted time
// Who goes on after each pass: times the least measured time. The fewer are left, the nearer they are, and
// the less it costs to look again; the last pass leaves one.
constexpr std::array worth_another_pass{16.0, 4.0, 2.0, 1.5, 1.25, 1.12, 1.0};

// A pass is one protocol after the other, so that what one leaves behind is not charged to the next; the next
// pass is in the opposite order, so that none is judged by a cold start. A block of small messages is over in
// some 100 us, and other jobs may slow the whole pass: several tell, with rests between them that double, in
// which the best so far is used. Large messages take long, and a trial of them may cost more than it ever
// brings.
struct trial_length {
    int runs_a_block;
    int skipped;             // at its begin
    std::size_t first_limit; // of those above
};

trial_length length_for(double bytes) {
    if (bytes > 1 << 22) return {2, 1, 3};
    if (bytes > 1 << 18) return {5, 2, 3};
    if (bytes > 1 << 14) return {16, 4, 3};
    return {40, 6, 0};
}

std::int64_t median(std::vector<std::int64_t> samples) {
    // A block that was only seen around user code says nothing.
    if (samples.empty()) return std::numeric_limits<std::int32_t>::max();
    auto const middle = samples.begin() + static_cast<std::ptrdiff_t>((samples.size() - 1) / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

/// Before anything is known: some neighbours, short messages.
exchange_load first_guess(int ranks) {
    std::int64_t const messages = std::min(ranks - 1, 6);
    return exchange_load::of(messages, 64 * messages);
}

} // namespace

protocol_choice::protocol_choice(communicator const& comm)
    : comm_(comm.state()), load_(first_guess(comm.size())) {
}

std::size_t protocol_choice::trial::candidate() const noexcept {
    return runs < 0 ? leader : static_cast<std::size_t>(runs / runs_a_block);
}

protocol protocol_choice::next() {
    if (now_ == nullptr) {
        now_ = &trials_[load_.messages * exchange_load::classes + load_.bytes];
        if (now_->candidates.empty()) {
            now_->candidates = promising();
            now_->times.resize(now_->candidates.size());
            now_->passes.resize(now_->candidates.size());
            trial_length const length = length_for(exchange_load::typical(load_.bytes));
            now_->runs_a_block = length.runs_a_block;
            now_->skipped = length.skipped;
            now_->limit = length.first_limit;
        }
    }
    return now_->candidates[now_->candidate()];
}

bool protocol_choice::learn(experience const& seen) {
    if (seen.busiest != load_) { // says nothing about the class it was chosen for
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
    for (auto const& block : now_->times) made.push_back(median(block));
    return made;
}

void protocol_choice::settle(std::span<std::int64_t const> times_of_all) {
    std::size_t const tried = now_->candidates.size();
    std::vector<std::int64_t> typical;
    for (std::size_t i = 0; i < tried; ++i) {
        now_->passes[i].push_back(times_of_all[i]);
        typical.push_back(median(now_->passes[i]));
    }
    std::int64_t const least = *std::ranges::min_element(typical);
    double const limit = worth_another_pass.at(now_->limit);
    trial next;
    next.runs_a_block = now_->runs_a_block;
    next.skipped = now_->skipped;
    next.limit = now_->limit + 1;
    next.runs = -(next.runs_a_block << (now_->passes.front().size() - 1)); // twice as long each time
    for (std::size_t i = tried; i-- > 0;) {
        if (static_cast<double>(typical[i]) > limit * static_cast<double>(least)) continue;
        if (typical[i] == least) next.leader = next.candidates.size();
        next.candidates.push_back(now_->candidates[i]);
        next.passes.push_back(std::move(now_->passes[i]));
    }
    if (next.limit == worth_another_pass.size()) {
        next.candidates = {next.candidates[next.leader]};
        next.leader = 0;
    }
    next.times.resize(next.candidates.size());
    *now_ = std::move(next);
}

std::vector<protocol> protocol_choice::promising() const {
    // Without rsx: nothing tells before its first use whether the windows of this machine work, and where
    // they do it was never the fastest.
    constexpr std::array all{protocol::pcx, protocol::store_and_forward, protocol::nbx, protocol::pex,
        protocol::nbx_two_level, protocol::pcx_two_level};
    communicator const comm(comm_);
    exchange_shape shape;
    shape.ranks = comm.size();
    shape.nodes = comm.topology().node_count();
    shape.largest_node = comm.topology().largest_node();
    shape.messages = exchange_load::typical(load_.messages);
    shape.bytes = exchange_load::typical(load_.bytes);
    bool const has_levels = shape.nodes > 1 && shape.nodes < shape.ranks;
    auto const seconds = [&](protocol how) { return predicted_seconds(comm.machine(), how, shape); };

    std::vector<protocol> found(all.begin(), has_levels ? all.end() : all.begin() + 4);
    std::ranges::stable_sort(found, {}, seconds);
    double const limit = worth_trying * seconds(found.front());
    std::erase_if(found, [&](protocol how) { return seconds(how) > limit; });
    if (found.size() > most_candidates) found.resize(most_candidates);
    return found;
}

} // namespace weft
