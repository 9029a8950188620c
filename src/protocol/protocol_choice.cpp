#include <weft/protocol/protocol_choice.hpp>

#include <weft/core/machine_model.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace weft {

namespace {

constexpr std::size_t most_candidates = 4; // as many as a census has sums
// One protocol after the other, so that what one leaves behind is not charged to the next, and the first runs
// do not count. Large messages take long, and their times vary little.
constexpr int first_runs = 2;
constexpr int small_runs_each = 12;
constexpr int large_runs_each = 4;
constexpr double large_bytes = 1 << 18;
constexpr double worth_trying = 3; // times the least predicted time

/// Before anything is known: some neighbours, short messages.
exchange_load first_guess(int ranks) {
    std::int64_t const messages = std::min(ranks - 1, 6);
    return exchange_load::of(messages, 64 * messages);
}

} // namespace

protocol_choice::protocol_choice(communicator const& comm)
    : comm_(comm.state()), load_(first_guess(comm.size())) {
}

protocol protocol_choice::next() {
    if (now_ == nullptr) {
        now_ = &trials_[key()];
        if (now_->candidates.empty()) {
            now_->candidates = promising();
            now_->times.resize(now_->candidates.size());
            bool const large = exchange_load::typical(load_.bytes) > large_bytes;
            now_->runs_each = large ? large_runs_each : small_runs_each;
        }
    }
    return now_->candidates[now_->on_trial()];
}

bool protocol_choice::learn(experience const& seen) {
    if (seen.busiest != load_) { // says nothing about the class it was chosen for
        load_ = seen.busiest;
        now_ = nullptr;
        return false;
    }
    if (now_ == nullptr || now_->candidates.size() == 1) return false;
    auto const on_trial = now_->on_trial();
    if (seen.how != now_->candidates[on_trial]) return false; // it was given, not chosen
    bool const counts = seen.seconds >= 0 && now_->runs % now_->runs_each >= first_runs;
    if (counts) now_->times[on_trial].push_back(static_cast<std::int64_t>(seen.seconds * 1e9));
    ++now_->runs;
    return now_->runs == now_->runs_each * static_cast<int>(now_->candidates.size());
}

std::vector<std::int64_t> protocol_choice::times() const {
    std::vector<std::int64_t> medians;
    for (auto samples : now_->times) {
        // A protocol that was only seen around user code keeps its place in the prediction.
        if (samples.empty()) samples.push_back(std::numeric_limits<std::int32_t>::max());
        auto const middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
        std::ranges::nth_element(samples, middle);
        medians.push_back(*middle);
    }
    return medians;
}

void protocol_choice::settle(std::span<std::int64_t const> times_of_all) {
    auto const best = std::ranges::min_element(times_of_all.first(now_->candidates.size()));
    now_->candidates = {now_->candidates[static_cast<std::size_t>(best - times_of_all.begin())]};
    now_->times.clear();
    now_->runs = 0;
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
