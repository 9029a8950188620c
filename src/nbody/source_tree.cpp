#include "source_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace weft::nbody {

namespace {

/// Sources that differ only in their mass are merged.
[[nodiscard]] auto identity_of(source const& s) noexcept {
    return std::tuple(s.key, s.place[0], s.place[1], s.place[2], s.half_softening);
}

/// Adds the second moment of a mass at `from` about `seen.center`.
void add_second(multipole& seen, double const (&from)[3], double mass) noexcept {
    double const x = from[0] - seen.center[0];
    double const y = from[1] - seen.center[1];
    double const z = from[2] - seen.center[2];
    seen.second[0] += 3 * mass * x * x;
    seen.second[1] += 3 * mass * y * y;
    seen.second[2] += 3 * mass * z * z;
    seen.second[3] += 3 * mass * x * y;
    seen.second[4] += 3 * mass * x * z;
    seen.second[5] += 3 * mass * y * z;
}

/// Turns mass-weighted sums of place and softening into means.
void divide_by_mass(multipole& seen, double const (&fallback)[3]) noexcept {
    bool const weighs = seen.mass != 0;
    for (std::size_t d = 0; d < 3; ++d) seen.center[d] = weighs ? seen.center[d] / seen.mass : fallback[d];
    seen.half_softening = weighs ? seen.half_softening / seen.mass : 0;
}

} // namespace

opening_rule::opening_rule(double theta) {
    // No point of a cube is farther from its centre than sqrt(3) / 2 sides; the margin covers rounding.
    double const sides = theta > 0 ? std::max(1 / theta, 0.8661) : std::numeric_limits<double>::infinity();
    for (int level = 0; level <= deepest_level; ++level)
        least_[level] = std::ldexp(sides, -level) * std::ldexp(sides, -level);
}

source_tree::source_tree(unit_cube const& cube, std::vector<source> sources)
    : cube_(cube), sources_(std::move(sources)) {
    build();
}

void source_tree::add(std::vector<source> sources, std::vector<distant_cell> cells) {
    std::ranges::sort(sources, {}, &source::key);
    auto const own = static_cast<std::ptrdiff_t>(sources_.size());
    sources_.insert(sources_.end(), sources.begin(), sources.end());
    std::ranges::inplace_merge(sources_, sources_.begin() + own, {}, &source::key);
    distant_ = std::move(cells);
    std::ranges::sort(distant_, [](distant_cell const& a, distant_cell const& b) {
        return std::tie(a.key, a.level) < std::tie(b.key, b.level);
    });
    build();
}

void source_tree::build() {
    merge_equal();
    arrays_.clear();
    cells_.clear();
    multipoles_.clear();
    arrays_.reserve(sources_.size());
    for (source const& each : sources_) arrays_.push_back(each.place, each.mass, each.half_softening);
    if (!sources_.empty() || !distant_.empty()) add_cell({}, 0, {0, sources_.size(), 0, distant_.size()});
}

void source_tree::merge_equal() {
    std::size_t kept = 0;
    for (std::size_t begin = 0; begin < sources_.size();) {
        std::size_t end = begin + 1;
        while (end < sources_.size() && sources_[end].key == sources_[begin].key) ++end;
        if (end - begin > 1)
            std::sort(sources_.begin() + static_cast<std::ptrdiff_t>(begin),
                sources_.begin() + static_cast<std::ptrdiff_t>(end),
                [](source const& a, source const& b) { return identity_of(a) < identity_of(b); });
        std::size_t const first_kept = kept;
        for (; begin < end; ++begin)
            if (kept > first_kept && identity_of(sources_[kept - 1]) == identity_of(sources_[begin]))
                sources_[kept - 1].mass += sources_[begin].mass;
            else
                sources_[kept++] = sources_[begin];
    }
    sources_.resize(kept);
}

void source_tree::see_sources(multipole& seen, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
        source const& each = sources_[i];
        seen.mass += each.mass;
        for (std::size_t d = 0; d < 3; ++d) seen.center[d] += each.mass * each.place[d];
        seen.half_softening += each.mass * each.half_softening;
    }
    divide_by_mass(seen, sources_[begin].place);
    for (std::size_t i = begin; i < end; ++i) add_second(seen, sources_[i].place, sources_[i].mass);
    seen.trace = seen.second[0] + seen.second[1] + seen.second[2];
}

multipole source_tree::combined(std::span<multipole const> parts) {
    if (parts.size() == 1) return parts[0];
    multipole all;
    for (multipole const& part : parts) {
        all.mass += part.mass;
        for (std::size_t d = 0; d < 3; ++d) all.center[d] += part.mass * part.center[d];
        all.half_softening += part.mass * part.half_softening;
    }
    divide_by_mass(all, parts[0].center);
    for (multipole const& part : parts) {
        for (std::size_t k = 0; k < 6; ++k) all.second[k] += part.second[k];
        add_second(all, part.center, part.mass);
    }
    all.trace = all.second[0] + all.second[1] + all.second[2];
    return all;
}

std::size_t source_tree::add_cell(cell_key const& key, int level, span_of_items const& items) {
    std::size_t const place = cells_.size();
    cells_.emplace_back();
    multipoles_.emplace_back();
    tree_cell made;
    cube_.center_of(key, level, made.center);
    made.key = key;
    made.level = level;
    made.begin = items.begin;
    made.end = items.end;
    bool const any_distant = items.first_distant < items.last_distant;
    multipole seen;
    if (any_distant && distant_[items.first_distant].level == level) {
        made.is_distant = true;
        std::vector<multipole> parts;
        for (std::size_t i = items.first_distant; i < items.last_distant; ++i)
            parts.push_back(distant_[i].seen);
        if (items.begin < items.end) {
            parts.emplace_back();
            see_sources(parts.back(), items.begin, items.end);
        }
        seen = combined(parts);
    } else if (!any_distant && (items.end - items.begin <= leaf_size || level == deepest_level)) {
        made.is_leaf = true;
        see_sources(seen, items.begin, items.end);
    } else {
        std::array<multipole, 8> parts;
        std::size_t count = 0;
        span_of_items child{items.begin, items.begin, items.first_distant, items.first_distant};
        for (std::uint64_t digit = 0; digit < 8; ++digit) {
            cell_key const first = key.child(level + 1, digit);
            cell_key const last = first.last(level + 1);
            auto const source_at = [&](std::size_t i) {
                return sources_.begin() + static_cast<std::ptrdiff_t>(i);
            };
            auto const cell_at = [&](std::size_t i) {
                return distant_.begin() + static_cast<std::ptrdiff_t>(i);
            };
            child.begin = child.end;
            child.first_distant = child.last_distant;
            child.end = static_cast<std::size_t>(std::ranges::upper_bound(source_at(child.begin),
                                                     source_at(items.end), last, {}, &source::key) -
                                                 sources_.begin());
            child.last_distant =
                static_cast<std::size_t>(std::ranges::upper_bound(cell_at(child.first_distant),
                                             cell_at(items.last_distant), last, {}, &distant_cell::key) -
                                         distant_.begin());
            if (child.begin == child.end && child.first_distant == child.last_distant) continue;
            parts[count++] = multipoles_[add_cell(first, level + 1, child)];
        }
        seen = combined(std::span(parts).first(count));
    }
    made.after = cells_.size();
    cells_[place] = made;
    multipoles_[place] = seen;
    return place;
}

} // namespace weft::nbody
