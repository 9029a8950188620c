#include <weft/extend/core/attachment.hpp>
#include <weft/observe/timeline.hpp>

#include <algorithm>
#include <chrono>
#include <limits>

namespace weft {

namespace {

constexpr std::size_t most_operations = 1 << 14;
constexpr double shortest_bundle = 4e-6; // seconds: two readings of the clock take about 1 % of it

double steady_seconds() noexcept {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The time of both clocks at one moment.
struct moment {
    std::int64_t ticks = 0;
    double seconds = 0;
};

/// Returns the tightest of a few readings: the process may lose its core between two clocks.
moment read_clocks() noexcept {
    moment best;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < 5; ++i) {
        std::int64_t const before = timeline::ticks();
        double const seconds = steady_seconds();
        std::int64_t const took = timeline::ticks() - before;
        if (took >= least) continue;
        least = took;
        best = {before + took / 2, seconds};
    }
    return best;
}

/// A stretch that is merged: one piece for each kind, named after its longest part.
struct stretch {
    struct piece {
        std::int64_t length = 0;
        std::int64_t longest = -1;
        timeline_state state;
    };

    void add(timeline_state const& state, std::int64_t length) {
        piece& mine = pieces[static_cast<std::size_t>(state.kind)];
        std::uint32_t const others = mine.longest < 0 ? 0 : mine.state.more + 1;
        if (length > mine.longest) {
            mine.longest = length;
            mine.state = state;
            mine.state.more += others;
        } else {
            mine.state.more += state.more + 1;
        }
        mine.length += length;
        total += length;
    }
    timeline_segment* put(timeline_segment* to) {
        for (piece& each : pieces) {
            if (each.longest < 0) continue;
            *to++ = {begin, each.state};
            begin += each.length;
            each = {};
        }
        total = 0;
        return to;
    }

    std::int64_t begin = 0;
    std::int64_t total = 0;
    std::array<piece, span_kinds> pieces = {};
};

} // namespace

std::size_t coarsen(std::span<timeline_segment> segments, std::int64_t end, std::int64_t at_most) {
    timeline_segment* to = segments.data();
    stretch open;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        timeline_segment const each = segments[i]; // the output may overwrite segments that were read already
        std::int64_t const length = (i + 1 < segments.size() ? segments[i + 1].begin : end) - each.begin;
        if (length >= at_most || open.total + length > at_most) to = open.put(to);
        if (length >= at_most) {
            *to++ = each;
            continue;
        }
        if (open.total == 0) open.begin = each.begin;
        open.add(each.state, length);
    }
    return static_cast<std::size_t>(open.put(to) - segments.data());
}

void timeline::start(std::size_t most) {
    most_ = std::max<std::size_t>(most, 64);
    segments_.clear();
    segments_.reserve(most_);
    operations_.clear();
    operations_.reserve(most_operations);
    works_.clear();
    works_.reserve(most_ / 4);
    messages_.clear();
    messages_.reserve(most_ / 4);
    names_.clear();
    names_.reserve(16);
    totals_ = {};
    callbacks_ = 0;
    in_bundle_ = false;
    bundle_ = 1;
    operations_open_ = 0;
    operations_begun_ = 0;
    stride_ = 1;
    resolution_ = 0;
    lost_ = 0;
    now_ = {};
    on_ = true;
    if (clock_ != nullptr) {
        ticks_a_second_ = 1e9;
        began_ = since_ = now();
        steady_began_ = *clock_;
        return;
    }
    // A rough speed of the ticks; `stop` measures it better.
    moment const before = read_clocks();
    while (steady_seconds() < before.seconds + 2e-5) {}
    moment const now = read_clocks();
    ticks_a_second_ = static_cast<double>(now.ticks - before.ticks) / (now.seconds - before.seconds);
    began_ = since_ = now.ticks;
    steady_began_ = now.seconds;
}

void timeline::stop() noexcept {
    if (!on_) return;
    end_callbacks();
    change({}, now());
    ended_ = since_;
    on_ = false;
    if (clock_ != nullptr) return;
    moment const now = read_clocks();
    steady_ended_ = now.seconds;
    if (steady_ended_ > steady_began_ + 1e-3)
        ticks_a_second_ = static_cast<double>(now.ticks - began_) / (steady_ended_ - steady_began_);
}

double timeline::seconds_of(std::int64_t ticks) const noexcept {
    return steady_began_ + static_cast<double>(ticks - began_) / ticks_a_second_;
}

std::int64_t timeline::steady_ticks() noexcept {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

void timeline::make_room() noexcept {
    if (resolution_ == 0)
        resolution_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(ticks_a_second_ * 1e-6));
    // Each pass merges twice the length. A stretch of the whole time would leave one piece of each kind.
    while (segments_.size() > most_ / 2) {
        segments_.resize(coarsen(segments_, since_, resolution_));
        if (segments_.size() > most_ / 2) resolution_ *= 2;
    }
}

void timeline::end_bundle() noexcept {
    in_bundle_ = false;
    int const callbacks = static_cast<int>(now_.more) + 1;
    switch_to(around_);
    double const each = static_cast<double>(since_ - bundle_began_) / callbacks;
    bundle_ =
        static_cast<int>(std::clamp(shortest_bundle * ticks_a_second_ / std::max(each, 1.0), 1.0, 256.0));
}

timeline_state timeline::enter(char const* operation) noexcept {
    end_callbacks();
    timeline_state const before = switch_to({span_kind::communicate, 0, operation, -1});
    if (operations_open_++ == 0) {
        operation_ = operation;
        operation_began_ = since_;
    }
    return before;
}

void timeline::leave(timeline_state const& before) noexcept {
    end_callbacks();
    switch_to(before);
    if (--operations_open_ > 0) return;
    auto known = std::ranges::find(names_, operation_, &count_of_name::name);
    if (known == names_.end()) {
        if (names_.size() == names_.capacity()) return;
        known = names_.insert(known, {operation_, 0});
    }
    std::int64_t const ordinal = known->count++;
    if (operations_begun_++ % stride_ != 0) return;
    if (operations_.size() == most_operations) {
        stride_ *= 2;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < operations_.size(); i += 2) operations_[kept++] = operations_[i];
        operations_.resize(kept);
        if ((operations_begun_ - 1) % stride_ != 0) return;
    }
    operations_.push_back({operation_began_, since_, operation_, ordinal});
}

void timeline::message(bool sent, int peer, int tag, std::size_t bytes) noexcept {
    if (messages_.size() == messages_.capacity())
        ++lost_;
    else
        messages_.push_back({now(), static_cast<std::int64_t>(bytes), peer, tag, sent});
}

void timeline::work(timeline_work const& done) noexcept {
    if (works_.size() == works_.capacity())
        ++lost_;
    else
        works_.push_back(done);
}

timeline& timeline_of(communicator const& comm) {
    return attachment<timeline>(comm.root());
}

} // namespace weft
