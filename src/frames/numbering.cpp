#include <weft/frames/numbering.hpp>

#include "close_points.hpp"
#include "find_blocks.hpp"
#include "item_place.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/curves.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <string>

namespace weft {

namespace {

__extension__ using wide_product = __int128; // for products of two ranges

/// Returns an integer in the order of the doubles; both zeros are equal.
std::int64_t ordered_bits(double value) noexcept {
    auto const bits = std::bit_cast<std::int64_t>(value + 0.0);
    return bits >= 0 ? bits : std::int64_t{INT64_MIN} - bits;
}

double from_ordered_bits(std::int64_t bits) noexcept {
    return std::bit_cast<double>(bits >= 0 ? bits : std::int64_t{INT64_MIN} - bits);
}

struct value_range {
    std::int64_t least;
    std::int64_t largest;
};

/// Returns the range over all ranks; INT64_MAX and INT64_MIN if there are no values.
value_range range_of(communicator const& comm, std::vector<std::int64_t> const& values) {
    census_value value = census_value::identity();
    for (std::int64_t const each : values) {
        value.max[0] = std::max(value.max[0], ~each); // descends as `each` ascends, and cannot overflow
        value.max[1] = std::max(value.max[1], each);
    }
    value = combine_all(comm, value);
    return {~value.max[0], value.max[1]};
}

/// Integers in 0..count-1, as digits of a tuple.
struct digits {
    std::vector<std::int64_t> values;
    std::int64_t count = 1;
};

digits compact(communicator const& comm, std::vector<std::int64_t> const& values) {
    global_numbers numbered = number_ids(comm, values);
    return {std::move(numbered.numbers), std::max<std::int64_t>(numbered.count, 1)};
}

/// Returns the values less their minimum, or numbers for them if their range is too large.
digits digits_of(communicator const& comm, std::vector<std::int64_t> values) {
    value_range const range = range_of(comm, values);
    if (range.least > range.largest) return {std::move(values), 1};
    if (static_cast<wide_product>(range.largest) - range.least < INT64_MAX / 2) {
        for (std::int64_t& each : values) each -= range.least;
        return {std::move(values), range.largest - range.least + 1};
    }
    // Numbers the upper halves first; they become digits before the lower halves.
    std::vector<std::int64_t> upper;
    agreed(comm, [&] { upper.reserve(values.size()); });
    for (std::int64_t const each : values) upper.push_back((each >> 32) + (std::int64_t{1} << 31));
    digits joined = compact(comm, upper);
    if (joined.count > std::int64_t{1} << 30)
        throw usage_error(
            "number_tuples: components of all 64 bits with more than 2^30 different upper halves");
    for (std::size_t i = 0; i < values.size(); ++i)
        joined.values[i] = (joined.values[i] << 32) + (values[i] & 0xFFFFFFFF);
    return compact(comm, joined.values);
}

bool digits_fit(digits const& left, digits const& right) noexcept {
    return static_cast<wide_product>(left.count) * right.count < INT64_MAX / 2;
}

/// Returns the numbers of this rank's ids, to be sent back.
std::vector<global_id> count_up(communicator const& comm, std::size_t mine, std::int64_t& count) {
    std::vector<global_id> numbers;
    agreed(comm, [&] { numbers.resize(mine); });
    prefix const where_from = exclusive_sum(comm, static_cast<std::int64_t>(mine));
    std::iota(numbers.begin(), numbers.end(), where_from.before);
    count = where_from.total;
    return numbers;
}

template <std::size_t D>
curve_grid<D> grid_around(communicator const& comm, parts_view<std::array<double, D>> const& points) {
    agreed(comm, [&] {
        for (std::size_t part = 0; part < points.parts(); ++part)
            for (std::size_t i = 0; i < points[part].size(); ++i)
                for (double const coordinate : points[part][i])
                    if (!std::isfinite(coordinate))
                        throw usage_error(
                            "number_points: a coordinate that is not finite" + where(comm, part, i));
    });
    census_value value = census_value::identity();
    for (std::size_t part = 0; part < points.parts(); ++part)
        for (auto const& point : points[part])
            for (std::size_t axis = 0; axis < D; ++axis) {
                value.max[axis] = std::max(value.max[axis], ordered_bits(-point[axis]));
                value.max[3 + axis] = std::max(value.max[3 + axis], ordered_bits(point[axis]));
            }
    value = combine_all(comm, value);
    std::array<double, D> lower{};
    std::array<double, D> upper{};
    for (std::size_t axis = 0; axis < D; ++axis) {
        if (value.max[axis] == INT64_MIN) continue; // there are no points
        lower[axis] = -from_ordered_bits(value.max[axis]);
        upper[axis] = from_ordered_bits(value.max[3 + axis]);
    }
    return {lower, upper};
}

void check_tolerance(communicator const& comm, double tolerance) {
    agreed(comm, [&] {
        if (!(tolerance >= 0) || std::isinf(tolerance))
            throw usage_error("number_points: a tolerance of " + std::to_string(tolerance) + " on rank " +
                              std::to_string(comm.rank()) + "; expected 0 or a positive number");
    });
    value_range const range = range_of(comm, {ordered_bits(tolerance)});
    if (range.least != range.largest)
        throw usage_error("number_points: tolerances from " + std::to_string(from_ordered_bits(range.least)) +
                          " to " + std::to_string(from_ordered_bits(range.largest)) +
                          "; expected the same on all ranks");
}

template <std::size_t D>
global_numbers number_along_curve(
    communicator const& comm, parts_view<std::array<double, D>> const& points, double tolerance) try {
    using point = std::array<double, D>;
    check_tolerance(comm, tolerance);
    curve_grid<D> const grid = grid_around(comm, points);
    std::vector<global_id> keys;
    std::vector<point> room;
    std::span<point const> all;
    agreed(comm, [&] {
        keys.reserve(points.items());
        for (std::size_t part = 0; part < points.parts(); ++part)
            for (point const& each : points[part]) keys.push_back(grid.hilbert(each));
        all = detail::flat(points, room);
    });
    part_to_block const plan(comm, balance_blocks(comm, keys).blocks, keys);
    std::vector<point> const arrived = plan.keep(all);

    // Equal points have come to the same rank. Few cells have several distinct points.
    std::vector<std::uint32_t> order;
    std::vector<global_id> keys_here;
    std::vector<global_id> numbers;
    agreed(comm, [&] {
        order.resize(plan.arrivals());
        numbers.resize(plan.arrivals());
        keys_here = plan.arrival_ids();
    });
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return keys_here[a] != keys_here[b] ? keys_here[a] < keys_here[b] : arrived[a] < arrived[b];
    });
    std::size_t different = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        different += static_cast<std::size_t>(i == 0 || arrived[order[i]] != arrived[order[i - 1]]);
        numbers[order[i]] = static_cast<global_id>(different) - 1;
    }
    prefix const where_from = exclusive_sum(comm, static_cast<std::int64_t>(different));
    for (global_id& number : numbers) number += where_from.before;
    global_numbers exact{plan.reverse_kept(numbers), where_from.total};
    return tolerance == 0 ? exact : merge_close_points(comm, all, exact, tolerance);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("number_points");
    throw;
}

} // namespace

namespace {

/// Numbers ids of which one is 2^63 - 1, which no block can have: it gets the last number.
global_numbers number_with_last(
    communicator const& comm, block_distribution const& blocks, parts_view<global_id> const& ids) {
    constexpr global_id last_id = std::numeric_limits<global_id>::max();
    std::vector<global_id> others;
    global_numbers made;
    agreed(comm, [&] {
        made.numbers.resize(ids.items());
        for (std::size_t part = 0; part < ids.parts(); ++part)
            std::ranges::copy_if(
                ids[part], std::back_inserter(others), [](global_id id) { return id != last_id; });
    });
    part_to_block const plan(comm, blocks, others);
    std::vector<global_id> const mine = count_up(comm, plan.ids().size(), made.count);
    std::vector<global_id> const of_others = plan.reverse(mine);
    auto next = of_others.begin();
    auto into = made.numbers.begin();
    for (std::size_t part = 0; part < ids.parts(); ++part)
        for (global_id const id : ids[part]) *into++ = id == last_id ? made.count : *next++;
    ++made.count;
    return made;
}

} // namespace

global_numbers number_ids(communicator const& comm, parts_view<global_id> const& ids) try {
    global_id largest = -1;
    balanced_blocks const cut = balance_all_ids(comm, ids, largest);
    if (end_behind(largest) == largest) return number_with_last(comm, cut.blocks, ids);
    part_to_block const plan(comm, cut.blocks, ids);
    global_numbers made;
    std::vector<global_id> const mine = count_up(comm, plan.ids().size(), made.count);
    made.numbers = plan.reverse(mine);
    return made;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("number_ids");
    throw;
}

global_numbers number_tuples(
    communicator const& comm, parts_view<std::int64_t> const& tuples, int width) try {
    std::vector<std::int64_t> room;
    std::span<std::int64_t const> all;
    digits joined;
    gate call(comm, "number_tuples");
    call.same("width", width);
    agreed(call, [&] {
        if (width < 1) throw usage_error("number_tuples: a width of " + std::to_string(width));
        for (std::size_t part = 0; part < tuples.parts(); ++part)
            if (tuples[part].size() % static_cast<std::size_t>(width) != 0)
                throw usage_error("number_tuples: " + std::to_string(tuples[part].size()) +
                                  " integers in part " + std::to_string(part) + " on rank " +
                                  std::to_string(comm.rank()) + " are not whole tuples of " +
                                  std::to_string(width));
        all = detail::flat(tuples, room);
        joined.values.resize(all.size() / static_cast<std::size_t>(width));
    });
    auto const step = static_cast<std::size_t>(width);
    for (std::size_t component = 0; component < step; ++component) {
        std::vector<std::int64_t> values;
        agreed(call, [&] { values.reserve(joined.values.size()); });
        for (std::size_t at = component; at < all.size(); at += step) values.push_back(all[at]);
        digits next = digits_of(comm, std::move(values));
        if (!digits_fit(joined, next)) joined = compact(comm, joined.values);
        if (!digits_fit(joined, next)) next = compact(comm, next.values);
        if (!digits_fit(joined, next))
            throw usage_error("number_tuples: more than 2^62 pairs of " + std::to_string(joined.count) +
                              " different tuples and " + std::to_string(next.count) + " further components");
        for (std::size_t i = 0; i < joined.values.size(); ++i)
            joined.values[i] = joined.values[i] * next.count + next.values[i];
        joined.count *= next.count;
    }
    return number_ids(comm, joined.values);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("number_tuples");
    throw;
}

global_numbers number_points(
    communicator const& comm, parts_view<std::array<double, 2>> const& points, double tolerance) {
    return number_along_curve(comm, points, tolerance);
}

global_numbers number_points(
    communicator const& comm, parts_view<std::array<double, 3>> const& points, double tolerance) {
    return number_along_curve(comm, points, tolerance);
}

} // namespace weft
