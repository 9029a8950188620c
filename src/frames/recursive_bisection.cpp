#include <weft/frames/recursive_bisection.hpp>

#include "equal_values.hpp"

#include <core/number_text.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/engine.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace weft {

namespace {

constexpr std::size_t bins = 64;
/// Each round narrows the place of a cut to a bin; this number of rounds resolves a double.
constexpr int most_rounds = 9;
/// The share of the work of a box by which a cut may be wrong.
constexpr double good_enough = 1e-3;

/// A box for several ranks, and the search for its cut.
struct open_box {
    std::size_t cut = 0; ///< In preorder.
    int ranks = 1;
    double lo = 0;
    double hi = 0;
    double below = 0;  ///< Work below `lo`.
    double wanted = 0; ///< Work that should be below the cut.
    double total = 0;
    double at = 0; ///< The best place so far, and its error in work.
    double off = std::numeric_limits<double>::infinity();

    void propose(double place, double left) noexcept {
        if (std::abs(left - wanted) >= off) return;
        off = std::abs(left - wanted);
        at = place;
    }
    [[nodiscard]] bool is_found() const noexcept {
        return off <= good_enough * total || !(std::nextafter(lo, hi) < hi);
    }
    /// Returns a factor that keeps lengths in the box finite; exact.
    [[nodiscard]] double unit() const noexcept { return std::isfinite(hi - lo) ? 1 : 0.25; }
    [[nodiscard]] double edge(std::size_t bin) const noexcept {
        double const from = lo * unit();
        double const part = static_cast<double>(bin) / bins;
        return bin == bins ? hi : (from + (hi * unit() - from) * part) / unit();
    }
    [[nodiscard]] std::size_t bin_of(double x) const noexcept {
        double const from = lo * unit();
        return static_cast<std::size_t>(
            std::clamp((x * unit() - from) / (hi * unit() - from) * bins, 0.0, bins - 1.0));
    }
};

/// Returns the unit of weights, a power of 2 that keeps their sums within the range of doubles.
double unit_of_weights(double largest) noexcept {
    if (!(largest > 0) || (largest > 1e-200 && largest < 1e200)) return 1;
    return std::ldexp(1.0, -std::clamp(std::ilogb(largest), -1022, 1022));
}

void add_over_ranks(communicator const& comm, std::vector<double>& values) {
    all_reduce(comm, std::span(values), [](double a, double b) noexcept { return a + b; });
}

template <std::size_t D>
void check(communicator const& comm, std::span<std::array<double, D> const> points,
    std::span<double const> weights) {
    auto const complain = [&](std::string const& text, std::size_t i) {
        throw usage_error("recursive_bisection: " + text + " at position " + std::to_string(i) + " on rank " +
                          std::to_string(comm.rank()));
    };
    if (!weights.empty() && weights.size() != points.size())
        throw usage_error("recursive_bisection: " + std::to_string(weights.size()) + " weights of " +
                          std::to_string(points.size()) + " points on rank " + std::to_string(comm.rank()));
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (double const coordinate : points[i])
            if (!std::isfinite(coordinate)) complain("a coordinate that is not finite", i);
        if (!weights.empty() && !(weights[i] >= 0 && std::isfinite(weights[i])))
            complain("the weight " + number_text(weights[i]), i);
    }
}

} // namespace

template <std::size_t D>
recursive_bisection<D>::recursive_bisection(
    communicator const& comm, std::span<point const> points, std::span<double const> weights)
    : ranks_(comm.size()) {
    constexpr std::uint64_t with_weights = 2; // flags beside that of a failure
    constexpr std::uint64_t without = 4;
    census_value found = census_value::identity();
    if (!points.empty()) found.any = weights.empty() ? without : with_weights;
    std::vector<std::size_t> box_of;
    std::exception_ptr const failure = detail::failure_in([&] {
        check<D>(comm, points, weights);
        cuts_.resize(static_cast<std::size_t>(ranks_ - 1));
        box_of.assign(points.size(), 0);
    });
    found = agree_on("recursive_bisection", comm, failure, {}, "differ", found);
    if ((found.any & with_weights) != 0 && (found.any & without) != 0)
        throw usage_error(
            "recursive_bisection: some ranks have weights and others none; give all points a weight");
    double unit = 1;
    auto const weight = [&](std::size_t i) { return weights.empty() ? 1 : weights[i] * unit; };
    constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
    in_operation(comm, "recursive_bisection", [&] { // memory depends on the ranks, not on the points
        std::vector<open_box> boxes;
        if (ranks_ > 1) boxes.push_back({.cut = 0, .ranks = ranks_});
        while (!boxes.empty()) {
            // The sides of each box, and the largest weight; a minimum is computed as the maximum of negated
            // values.
            std::vector<double> ends(2 * D * boxes.size() + 1, -std::numeric_limits<double>::infinity());
            for (double const each : weights) ends.back() = std::max(ends.back(), each);
            for (std::size_t i = 0; i < points.size(); ++i) {
                if (box_of[i] == nowhere) continue;
                for (std::size_t d = 0; d < D; ++d) {
                    double* const end = &ends[2 * D * box_of[i] + 2 * d];
                    end[0] = std::max(end[0], -points[i][d]);
                    end[1] = std::max(end[1], points[i][d]);
                }
            }
            all_reduce(comm, std::span(ends), [](double a, double b) noexcept { return std::max(a, b); });
            unit = unit_of_weights(ends.back());
            std::vector<double> work(boxes.size());
            for (std::size_t i = 0; i < points.size(); ++i)
                if (box_of[i] != nowhere) work[box_of[i]] += weight(i);
            add_over_ranks(comm, work);
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                open_box& box = boxes[b];
                double const* const end = &ends[2 * D * b];
                std::size_t axis = 0;
                for (std::size_t d = 1; d < D; ++d)
                    if (end[2 * d] / 2 + end[2 * d + 1] / 2 > end[2 * axis] / 2 + end[2 * axis + 1] / 2)
                        axis = d;
                cuts_[box.cut].axis = axis;
                box.total = work[b];
                int const below = box.ranks / 2;
                box.wanted = work[b] * below / box.ranks;
                bool const is_empty = end[1] < -end[0];
                box.lo = is_empty ? 0 : -end[2 * axis];
                double const behind =
                    is_empty ? 0 : std::nextafter(end[2 * axis + 1], std::numeric_limits<double>::infinity());
                box.hi = std::min(behind, std::numeric_limits<double>::max());
                box.propose(box.lo, 0);
                box.propose(behind, box.total);
            }

            for (int round = 0; round < most_rounds; ++round) {
                if (std::ranges::all_of(boxes, &open_box::is_found)) break; // the same on all ranks
                std::vector<double> histogram(bins * boxes.size());
                for (std::size_t i = 0; i < points.size(); ++i) {
                    if (box_of[i] == nowhere) continue;
                    open_box const& box = boxes[box_of[i]];
                    double const x = points[i][cuts_[box.cut].axis];
                    if (x >= box.lo && x < box.hi) histogram[bins * box_of[i] + box.bin_of(x)] += weight(i);
                }
                add_over_ranks(comm, histogram);
                for (std::size_t b = 0; b < boxes.size(); ++b) {
                    open_box& box = boxes[b];
                    if (box.is_found()) continue;
                    double left = box.below;
                    std::size_t bin = 0;
                    for (; bin + 1 < bins && left + histogram[bins * b + bin] < box.wanted; ++bin)
                        left += histogram[bins * b + bin];
                    double const first = box.edge(bin);
                    double const last = box.edge(bin + 1);
                    box.propose(first, left);
                    box.propose(last, left + histogram[bins * b + bin]);
                    box.below = left;
                    box.lo = first;
                    box.hi = last;
                }
            }

            std::vector<open_box> halves;
            std::vector<std::array<std::size_t, 2>> half_of(boxes.size());
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                open_box const& box = boxes[b];
                cuts_[box.cut].at = box.at;
                int const left = box.ranks / 2;
                int const ranks[2] = {left, box.ranks - left};
                std::size_t const first_cut[2] = {box.cut + 1, box.cut + static_cast<std::size_t>(left)};
                for (std::size_t side = 0; side < 2; ++side) {
                    half_of[b][side] = ranks[side] > 1 ? halves.size() : nowhere;
                    if (ranks[side] > 1) halves.push_back({.cut = first_cut[side], .ranks = ranks[side]});
                }
            }
            for (std::size_t i = 0; i < points.size(); ++i) {
                if (box_of[i] == nowhere) continue;
                cut const& here = cuts_[boxes[box_of[i]].cut];
                box_of[i] = half_of[box_of[i]][points[i][here.axis] < here.at ? 0 : 1];
            }
            boxes = std::move(halves);
        }
    });
}

template class recursive_bisection<2>;
template class recursive_bisection<3>;

} // namespace weft
