#include "kd_builder.hpp"

#include <weft/collective/arrays.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <span>

namespace weft {

namespace {

std::int64_t larger(std::int64_t a, std::int64_t b) noexcept {
    return std::max(a, b);
}

/// Returns an integer key in the order of the numbers; both zeros have the same key.
std::int64_t ordered_key(double number) noexcept {
    auto const bits = std::bit_cast<std::int64_t>(number + 0.0);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

double ordered_number(std::int64_t key) noexcept {
    return std::bit_cast<double>(key < 0 ? key ^ INT64_MAX : key);
}

/// Returns a number x with a < x <= b, the middle if possible.
double plane_between(double a, double b) noexcept {
    double const middle = a / 2 + b / 2;
    return a < middle && middle <= b ? middle : b;
}

/// Returns floor(total share / whole) without products beyond 64 bits; share < whole < 2^31.
std::int64_t points_for(std::int64_t total, std::int64_t share, std::int64_t whole) noexcept {
    return total / whole * share + total % whole * share / whole;
}

/// Returns the number of bins of each part, a power of two: all histograms of a level together stay small.
std::int64_t bins_for(std::size_t parts) noexcept {
    return static_cast<std::int64_t>(
        std::bit_floor(std::clamp((std::size_t{1} << 16) / parts, std::size_t{16}, std::size_t{1024})));
}

/// Equal intervals of keys, starting at `least`.
struct key_bins {
    std::int64_t least;
    std::uint64_t width;

    key_bins(std::int64_t from, std::int64_t to, std::int64_t bins) noexcept
        : least(from), width(distance(from, to) / static_cast<std::uint64_t>(bins) + 1) {}
    [[nodiscard]] std::size_t bin_of(std::int64_t key) const noexcept { return distance(least, key) / width; }
    [[nodiscard]] std::int64_t begin(std::size_t bin) const noexcept {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + bin * width);
    }
    static std::uint64_t distance(std::int64_t from, std::int64_t to) noexcept {
        return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    }
};

} // namespace

kd_builder::kd_builder(communicator const& comm, int dimensions, std::span<double const> points, kd_split how,
    std::vector<std::size_t> order)
    : comm_(comm), dimensions_(dimensions), points_(points), how_(how), order_(std::move(order)) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    root_.end = order_.size();
    root_.points = static_cast<std::int64_t>(order_.size());
    all_reduce(comm_, std::span(&root_.points, 1), std::plus<>());
    std::vector<part> alone{root_};
    find_reaches(alone);
    root_ = alone.front();
}

box<double> kd_builder::bounding_box() const noexcept {
    box<double> bounds{dimensions_};
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions_); ++d) {
        bounds.lo[d] = root_.points > 0 ? ordered_number(root_.reaches[d].least) : 0;
        bounds.hi[d] = root_.points > 0 ? ordered_number(root_.reaches[d].largest) : 1;
    }
    return bounds;
}

std::int64_t kd_builder::key(std::size_t point, int dimension) const noexcept {
    return ordered_key(
        points_[point * static_cast<std::size_t>(dimensions_) + static_cast<std::size_t>(dimension)]);
}

void kd_builder::find_reaches(std::vector<part>& parts) const {
    std::vector<std::int64_t> words; // the largest keys, and the complements of the least ones
    for (part const& here : parts)
        for (int d = 0; d < dimensions_; ++d) {
            reach found;
            for (std::size_t i = here.begin; i < here.end; ++i) {
                std::int64_t const k = key(order_[i], d);
                found.least = std::min(found.least, k);
                found.largest = std::max(found.largest, k);
            }
            words.push_back(found.largest);
            words.push_back(~found.least);
        }
    all_reduce(comm_, std::span(words), larger);
    auto word = words.begin();
    for (part& here : parts)
        for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions_); ++d) {
            here.reaches[d].largest = *word++;
            here.reaches[d].least = ~*word++;
        }
}

/// Returns false if no plane divides the points.
bool kd_builder::choose_dimension(part& here) const {
    int chosen = -1;
    double widest = 0;
    for (int step = 1; step <= dimensions_; ++step) {
        int const d = how_ == kd_split::cycling ? (here.dimension + step) % dimensions_ : step - 1;
        reach const& there = here.reaches[static_cast<std::size_t>(d)];
        if (!there.several()) continue;
        double const width = ordered_number(there.largest) - ordered_number(there.least);
        if (chosen >= 0 && (how_ == kd_split::cycling || width <= widest)) continue;
        chosen = d;
        widest = width;
    }
    if (chosen < 0) return false;
    here.dimension = chosen;
    return true;
}

void kd_builder::cut_by_bounds(part& here) const {
    std::size_t widest = 0;
    auto const width = [&](std::size_t d) { return here.bounds.hi[d] - here.bounds.lo[d]; };
    for (std::size_t d = 1; d < static_cast<std::size_t>(dimensions_); ++d)
        if (width(d) > width(widest)) widest = d;
    auto const below = here.blocks / 2;
    double const share = static_cast<double>(below) / static_cast<double>(here.blocks);
    double const lo = here.bounds.lo[widest];
    double const hi = here.bounds.hi[widest];
    here.at = std::clamp(lo * (1 - share) + hi * share, lo, hi); // avoids overflow of the difference
    here.dimension = static_cast<int>(widest);
    // The points, if there are any, are all equal.
    here.points_below = here.reaches[widest].largest < ordered_key(here.at) ? here.points : 0;
}

/// Narrows the search for the wanted points by one round: a histogram of the remaining keys.
void kd_builder::narrow(std::vector<part*> const& parts) {
    std::int64_t const bins = bins_for(parts.size());
    std::vector<std::int64_t> counts(parts.size() * static_cast<std::size_t>(bins), 0);
    auto const row = [&](std::size_t p) {
        return std::span(counts).subspan(p * static_cast<std::size_t>(bins), static_cast<std::size_t>(bins));
    };
    for (std::size_t p = 0; p < parts.size(); ++p) {
        part const& here = *parts[p];
        key_bins const cells(here.least, here.largest, bins);
        for (std::size_t i = here.first; i < here.last; ++i)
            ++row(p)[cells.bin_of(key(order_[i], here.dimension))];
    }
    all_reduce(comm_, std::span(counts), std::plus<>());
    for (std::size_t p = 0; p < parts.size(); ++p) {
        part& here = *parts[p];
        key_bins const cells(here.least, here.largest, bins);
        std::size_t bin = 0;
        while (here.below + row(p)[bin] <= here.wanted) here.below += row(p)[bin++];
        here.among = row(p)[bin];
        here.least = cells.begin(bin);
        // The last bin may reach beyond the keys.
        if (key_bins::distance(here.least, here.largest) >= cells.width)
            here.largest = here.least + static_cast<std::int64_t>(cells.width - 1);
        keep_candidates(here);
    }
}

/// Partitions the local points so that those with remaining keys are adjacent, and the next round reads only
/// them.
void kd_builder::keep_candidates(part& here) {
    auto const at = [&](std::size_t place) { return order_.begin() + static_cast<std::ptrdiff_t>(place); };
    auto const end = std::partition(at(here.first), at(here.last), [&](std::size_t point) {
        std::int64_t const k = key(point, here.dimension);
        return here.least <= k && k <= here.largest;
    });
    here.last = static_cast<std::size_t>(end - order_.begin());
}

void kd_builder::cut_by_points(std::vector<part*> const& parts) {
    std::vector<part*> open = parts;
    for (part* here : open) {
        auto const [least, largest] = here->reaches[static_cast<std::size_t>(here->dimension)];
        here->wanted = points_for(here->points, here->blocks / 2, here->blocks);
        here->least = least;
        here->largest = largest;
        here->below = 0;
        here->first = here->begin;
        here->last = here->end;
    }
    while (!open.empty()) {
        narrow(open);
        std::erase_if(open, [](part const* here) { return here->least == here->largest; });
    }

    // The neighbours of that key: the largest key below it, and the complement of the least key above it.
    std::vector<std::int64_t> words;
    for (part const* here : parts) {
        std::int64_t before = INT64_MIN;
        std::int64_t after = INT64_MAX;
        for (std::size_t i = here->begin; i < here->end; ++i) {
            std::int64_t const k = key(order_[i], here->dimension);
            if (k < here->least) before = std::max(before, k);
            if (k > here->least) after = std::min(after, k);
        }
        words.push_back(before);
        words.push_back(~after);
    }
    all_reduce(comm_, std::span(words), larger);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        part& here = *parts[p];
        std::int64_t const too_few = here.wanted - here.below;
        std::int64_t const too_many = here.below + here.among - here.wanted;
        bool const some_above = here.below + here.among < here.points;
        double const number = ordered_number(here.least);
        if (here.below > 0 && (!some_above || too_few <= too_many)) {
            here.at = plane_between(ordered_number(words[2 * p]), number);
            here.points_below = here.below;
        } else {
            here.at = plane_between(number, ordered_number(~words[2 * p + 1]));
            here.points_below = here.below + here.among;
        }
    }
}

/// Appends the two parts of a divided part.
void kd_builder::divide(part const& here, std::vector<part>& next) {
    auto const first = order_.begin() + static_cast<std::ptrdiff_t>(here.begin);
    auto const last = order_.begin() + static_cast<std::ptrdiff_t>(here.end);
    std::int64_t const cut_key = ordered_key(here.at);
    auto const middle =
        std::partition(first, last, [&](std::size_t point) { return key(point, here.dimension) < cut_key; });
    auto const d = static_cast<std::size_t>(here.dimension);

    part lower = here;
    lower.bounds.hi[d] = here.at;
    lower.plane = here.plane + 1;
    lower.blocks = here.blocks / 2;
    lower.points = here.points_below;
    lower.end = static_cast<std::size_t>(middle - order_.begin());

    part upper = here;
    upper.bounds.lo[d] = here.at;
    upper.plane = here.plane + static_cast<std::size_t>(lower.blocks);
    upper.blocks = here.blocks - lower.blocks;
    upper.points = here.points - here.points_below;
    upper.begin = lower.end;

    for (part const& child : {lower, upper})
        if (child.blocks > 1) next.push_back(child);
}

std::vector<detail::kd_plane> kd_builder::cut(box<double> const& domain, std::int64_t blocks) {
    std::vector<detail::kd_plane> planes(static_cast<std::size_t>(blocks - 1));
    root_.bounds = domain;
    root_.blocks = blocks;
    std::vector<part> level;
    if (blocks > 1) level.push_back(root_);
    while (!level.empty()) {
        find_reaches(level);
        std::vector<part*> with_points;
        for (part& here : level)
            if (choose_dimension(here))
                with_points.push_back(&here);
            else
                cut_by_bounds(here);
        if (!with_points.empty()) cut_by_points(with_points);
        std::vector<part> next;
        for (part const& here : level) {
            planes[here.plane] = {here.at, here.dimension};
            divide(here, next);
        }
        level = std::move(next);
    }
    return planes;
}

} // namespace weft
