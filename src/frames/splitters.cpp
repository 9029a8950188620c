#include "splitters.hpp"

#include "share_sums.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace weft {

namespace {
__extension__ using wide = unsigned __int128; // for products of a width and a number of points
}

splitter_search::splitter_search(
    global_id first, global_id end, std::int64_t total, std::vector<double> const& shares)
    : points_{{first, 0}, {end, total}} {
    std::vector<double> const before = sums_before(shares);
    for (std::size_t block = 0; block < shares.size(); ++block)
        ideal_.push_back(before[block] / before.back() * static_cast<double>(total));
    ideal_.push_back(static_cast<double>(total));
    least_share_ = static_cast<double>(total);
    for (std::size_t block = 0; block < shares.size(); ++block)
        if (shares[block] > 0) least_share_ = std::min(least_share_, share(block));
}

std::size_t splitter_search::last_within(double weight) const noexcept {
    auto const behind = std::upper_bound(points_.begin(), points_.end(), weight,
        [](double limit, known const& point) { return limit < static_cast<double>(point.below); });
    return behind == points_.begin() ? 0 : static_cast<std::size_t>(behind - points_.begin()) - 1;
}

std::vector<std::size_t> splitter_search::nearest() const {
    std::vector<std::size_t> ends;
    for (std::size_t bound = 1; bound + 1 < ideal_.size(); ++bound) {
        std::size_t at = last_within(ideal_[bound]);
        if (at + 1 < points_.size() && static_cast<double>(points_[at + 1].below) - ideal_[bound] <
                                           ideal_[bound] - static_cast<double>(points_[at].below))
            ++at;
        ends.push_back(at);
    }
    ends.push_back(points_.size() - 1);
    return ends;
}

std::vector<std::size_t> splitter_search::fill(double capacity) const {
    std::vector<std::size_t> ends;
    std::size_t at = 0;
    for (int block = 0; block < blocks(); ++block) {
        double const room = capacity * share(static_cast<std::size_t>(block));
        at = std::max(at, last_within(static_cast<double>(points_[at].below) + room));
        ends.push_back(at);
    }
    return ends;
}

block_cut splitter_search::cut_at(std::vector<std::size_t> const& ends) const {
    block_cut cut;
    cut.bounds.push_back(points_.front().id);
    std::int64_t before = 0;
    for (std::size_t block = 0; block < ends.size(); ++block) {
        known const& end = points_[ends[block]];
        cut.bounds.push_back(end.id);
        auto const weight = static_cast<double>(end.below - before);
        before = end.below;
        if (share(block) > 0)
            cut.imbalance = std::max(cut.imbalance, weight / share(block) - 1);
        else if (weight > 0)
            cut.imbalance = std::numeric_limits<double>::infinity();
    }
    return cut;
}

block_cut splitter_search::best(double tolerance) const {
    block_cut even = cut_at(nearest());
    if (even.imbalance <= tolerance) return even;
    // Searches the least sufficient capacity by bisection. The capacity of the even cut is sufficient.
    double low = 1;
    double high = std::isfinite(even.imbalance) ? even.imbalance + 1 : static_cast<double>(blocks()) * 1e6;
    block_cut filled = std::move(even);
    for (int step = 0; step < 50 && high - low > 1e-6 * low; ++step) {
        double const capacity = (low + high) / 2;
        std::vector<std::size_t> const ends = fill(capacity);
        if (ends.back() != points_.size() - 1) {
            low = capacity;
            continue;
        }
        block_cut candidate = cut_at(ends);
        high = std::min(capacity, candidate.imbalance + 1);
        if (candidate.imbalance < filled.imbalance) filled = std::move(candidate);
        if (filled.imbalance <= tolerance) break;
    }
    return filled;
}

std::vector<global_id> splitter_search::open_points(int buckets, double tolerance, int rounds) const {
    std::vector<std::size_t> gaps; // by the point before, once for each splitter
    auto const want = [&](double weight, double enough) {
        std::size_t const at = last_within(weight);
        if (at + 1 >= points_.size() || points_[at + 1].id - points_[at].id <= 1) return;
        double const missed = std::min(weight - static_cast<double>(points_[at].below),
            static_cast<double>(points_[at + 1].below) - weight);
        if (missed > enough) gaps.push_back(at);
    };
    for (std::size_t bound = 1; bound + 1 < ideal_.size(); ++bound)
        if (ideal_[bound] != ideal_[bound - 1]) want(ideal_[bound], tolerance / 2 * least_share_);
    // If ideal places cannot be met, other ends may be better: those of blocks filled to the tolerance, and
    // to just below the imbalance reached so far.
    double const reached = points_.size() == 2 ? 0 : best(tolerance).imbalance;
    if (reached > tolerance)
        for (double const capacity : {1 + tolerance, 1 + std::min(reached, 1e6) * 0.999}) {
            std::vector<std::size_t> const ends = fill(capacity);
            for (std::size_t block = 0; block < ends.size(); ++block) {
                auto const start = static_cast<double>(points_[block == 0 ? 0 : ends[block - 1]].below);
                want(start + capacity * share(block), 0);
            }
        }
    std::ranges::sort(gaps);

    std::vector<global_id> chosen;
    for (std::size_t from = 0; from < gaps.size();) {
        std::size_t const gap = gaps[from];
        std::size_t splitters = 0;
        for (; from < gaps.size() && gaps[from] == gap; ++from) ++splitters;
        global_id const low = points_[gap].id;
        auto const width = static_cast<std::uint64_t>(points_[gap + 1].id - low);
        // As many points as are needed to find a single id within the remaining rounds.
        auto const needed = static_cast<std::uint64_t>(
            std::ceil(std::pow(static_cast<double>(width), 1.0 / std::max(rounds, 1))));
        std::uint64_t const asked = static_cast<std::uint64_t>(buckets) * splitters;
        std::uint64_t const wanted =
            std::min(std::max(asked, std::min(needed * splitters, std::uint64_t{1} << 16)), width - 1);
        for (std::uint64_t i = 1; i <= wanted; ++i)
            chosen.push_back(low + static_cast<global_id>(static_cast<wide>(width) * i / (wanted + 1)));
    }
    return chosen;
}

void splitter_search::add(std::span<global_id const> points, std::span<std::int64_t const> below) {
    std::vector<known> fresh;
    fresh.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) fresh.push_back({points[i], below[i]});
    std::vector<known> all;
    all.reserve(points_.size() + fresh.size());
    std::ranges::merge(points_, fresh, std::back_inserter(all), {}, &known::id, &known::id);
    points_ = std::move(all);
}

} // namespace weft
