#include "frames_of_c.hpp"

#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/curves.hpp>
#include <weft/frames/directory.hpp>
#include <weft/frames/numbering.hpp>
#include <weft/frames/sort_by_key.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <span>
#include <string>
#include <utility>

struct weft_sorted {
    std::vector<std::int64_t> keys;
    weft::buffer values;
};

struct weft_directory {
    weft::directory of;
};

namespace weft::c {

namespace {

static_assert(sizeof(item_location) == sizeof(weft_location) && sizeof(weft_location) == 16);

/// Arrays of a program: what it gives, and the places where it wants numbers.
struct numbered_items {
    void const* given;
    std::size_t items;
    int64_t* numbers;
    int64_t* count;
};

/// The gate of a call that numbers items, `same` on all ranks in the dimensions or the width; then that call
/// of C++, and the numbers for the program.
template <class Number>
weft_status number(char const* name, weft_comm const* comm, numbered_items const& what, int width, int least,
    int most, Number&& number_all) {
    return call([&] {
        communicator const& of = given(comm, "comm").of;
        gate open(of, name);
        open.guard([&] {
            if (width < least || width > most)
                throw usage_error(std::string(name) + ": " + std::to_string(width) + " numbers an item");
            expect_given(what.count, "count");
            if (what.items == 0) return;
            expect_given(what.given, "items");
            expect_given(what.numbers, "numbers");
            if (what.items > SIZE_MAX / 16 / static_cast<std::size_t>(width))
                throw usage_error(std::string(name) + ": " + std::to_string(what.items) + " items");
        });
        open.same("width", width).agree();
        global_numbers const made = number_all(of);
        std::copy(made.numbers.begin(), made.numbers.end(), what.numbers);
        *what.count = made.count;
    });
}

template <std::size_t D>
global_numbers number_points_of(
    communicator const& comm, double const* coordinates, std::size_t points, double tolerance) {
    auto const* const first = reinterpret_cast<std::array<double, D> const*>(coordinates);
    return number_points(comm, parts_view<std::array<double, D>>(std::span(first, points)), tolerance);
}

/// Where the points of a program lie along a curve.
struct points_of_c {
    double const* coordinates;
    std::size_t points;
    double const* lower;
    double const* upper;
};

template <std::size_t D, class Key>
void find_keys(points_of_c const& at, int64_t* keys, Key const& key) {
    auto const point = [](double const* from) {
        std::array<double, D> made;
        std::copy_n(from, D, made.begin());
        for (double const each : made)
            if (!std::isfinite(each)) throw usage_error("a coordinate is not finite");
        return made;
    };
    curve_grid<D> const grid(point(at.lower), point(at.upper));
    for (std::size_t i = 0; i < at.points; ++i) keys[i] = key(grid, point(at.coordinates + i * D));
}

template <class Key>
weft_status keys_along(points_of_c const& at, int dimensions, int64_t* keys, Key const& key) {
    return call([&] {
        if (dimensions != 2 && dimensions != 3)
            throw usage_error("curves go through 2 or 3 dimensions, not " + std::to_string(dimensions));
        expect_given(at.lower, "lower");
        expect_given(at.upper, "upper");
        if (at.points == 0) return;
        expect_given(at.coordinates, "coordinates");
        expect_given(keys, "keys");
        if (dimensions == 2)
            find_keys<2>(at, keys, key);
        else
            find_keys<3>(at, keys, key);
    });
}

/// Sorted values of any size.
class sorted_values final : public detail::sorted_taker {
public:
    void take(detail::sorted_bytes&& run) override {
        made.keys = std::move(run.keys);
        made.values = std::move(run.values);
    }
    weft_sorted made;
};

} // namespace

} // namespace weft::c

namespace c = weft::c;

weft_status weft_blocks_uniform(weft_comm const* comm, int64_t total, weft_blocks** made) {
    return c::call([&] {
        c::hand_over(
            new weft_blocks{weft::block_distribution::uniform(c::given(comm, "comm").of, total)}, made);
    });
}

weft_status weft_blocks_of_sizes(weft_comm const* comm, int64_t mine, weft_blocks** made) {
    return c::call([&] {
        c::hand_over(
            new weft_blocks{weft::block_distribution::from_sizes(c::given(comm, "comm").of, mine)}, made);
    });
}

weft_status weft_blocks_balanced(weft_comm const* comm, weft_parts const* ids, double const* weights,
    double tolerance, weft_blocks** made, double* imbalance) {
    return c::call([&] {
        weft::communicator const& of = c::given(comm, "comm").of;
        weft::parts_view<weft::global_id> parts;
        weft::agreed(of, [&] { parts = c::parts_of(ids); });
        // A rank without ids has no array of weights either.
        bool const weighted = weft::max(of, weights != nullptr ? 1 : 0) != 0;
        weft::parts_view<double> weights_of_parts;
        if (weighted && (weights != nullptr || parts.items() == 0))
            for (std::size_t part = 0; part < parts.parts(); ++part)
                weights_of_parts.add({weights + parts.offset(part), parts[part].size()});
        weft::balance_options const options{.tolerance = tolerance};
        weft::balanced_blocks balanced = weighted ? weft::balance_blocks(of, parts, weights_of_parts, options)
                                                  : weft::balance_blocks(of, parts, options);
        c::hand_over(new weft_blocks{std::move(balanced.blocks)}, made);
        if (imbalance != nullptr) *imbalance = balanced.imbalance;
    });
}

int64_t weft_blocks_begin(weft_blocks const* blocks, int rank) {
    return blocks == nullptr || rank < 0 || rank > blocks->of.parts() ? -1 : blocks->of.begin(rank);
}

int64_t weft_blocks_size(weft_blocks const* blocks, int rank) {
    return blocks == nullptr || rank < 0 || rank >= blocks->of.parts() ? -1 : blocks->of.size(rank);
}

int weft_blocks_owner(weft_blocks const* blocks, int64_t id) {
    return blocks == nullptr || !blocks->of.contains(id) ? -1 : blocks->of.owner(id);
}

void weft_blocks_free(weft_blocks* blocks) {
    delete blocks;
}

weft_status weft_number_ids(
    weft_comm const* comm, size_t items, int64_t const* ids, int64_t* numbers, int64_t* count) {
    return c::number(
        "weft_number_ids", comm, {ids, items, numbers, count}, 1, 1, 1, [&](weft::communicator const& of) {
            return weft::number_ids(of, weft::parts_view<weft::global_id>(std::span(ids, items)));
        });
}

weft_status weft_number_tuples(
    weft_comm const* comm, size_t items, int64_t const* tuples, int width, int64_t* numbers, int64_t* count) {
    return c::number("weft_number_tuples", comm, {tuples, items, numbers, count}, width, 1, INT_MAX,
        [&](weft::communicator const& of) {
            std::span const all(tuples, items * static_cast<std::size_t>(width));
            return weft::number_tuples(of, weft::parts_view<std::int64_t>(all), width);
        });
}

weft_status weft_number_points(weft_comm const* comm, size_t points, double const* coordinates,
    int dimensions, double tolerance, int64_t* numbers, int64_t* count) {
    return c::number("weft_number_points", comm, {coordinates, points, numbers, count}, dimensions, 2, 3,
        [&](weft::communicator const& of) {
            return dimensions == 2 ? c::number_points_of<2>(of, coordinates, points, tolerance)
                                   : c::number_points_of<3>(of, coordinates, points, tolerance);
        });
}

weft_status weft_sort_by_key(weft_comm const* comm, size_t items, int64_t const* keys, void const* values,
    size_t value_bytes, double tolerance, weft_sorted** made) {
    return c::call([&] {
        weft::communicator const& of = c::given(comm, "comm").of;
        weft::gate open(of, "weft_sort_by_key");
        open.guard([&] {
            if (items == 0) return;
            c::expect_given(keys, "keys");
            if (value_bytes != 0) c::expect_given(values, "values");
        });
        open.same("value_bytes", value_bytes).agree();
        weft::parts_view<weft::global_id> const parts(std::span(keys, items));
        c::sorted_values sorted;
        if (value_bytes == 0)
            sorted.made.keys = weft::sort_keys(of, parts, tolerance);
        else
            weft::detail::sort_items(of, parts,
                {{static_cast<std::byte const*>(values), items * value_bytes}, value_bytes,
                    c::type_of_values(value_bytes), tolerance, {}},
                sorted);
        c::hand_over(new weft_sorted(std::move(sorted.made)), made);
    });
}

size_t weft_sorted_items(weft_sorted const* sorted) {
    return sorted == nullptr ? 0 : sorted->keys.size();
}

int64_t const* weft_sorted_keys(weft_sorted const* sorted) {
    return sorted == nullptr ? nullptr : sorted->keys.data();
}

void const* weft_sorted_values(weft_sorted const* sorted) {
    return sorted == nullptr ? nullptr : sorted->values.data();
}

void weft_sorted_free(weft_sorted* sorted) {
    delete sorted;
}

weft_status weft_hilbert_keys(size_t points, double const* coordinates, int dimensions, double const* lower,
    double const* upper, int64_t* keys) {
    return c::keys_along({coordinates, points, lower, upper}, dimensions, keys,
        [](auto const& grid, auto const& point) { return grid.hilbert(point); });
}

weft_status weft_morton_keys(size_t points, double const* coordinates, int dimensions, double const* lower,
    double const* upper, int64_t* keys) {
    return c::keys_along({coordinates, points, lower, upper}, dimensions, keys,
        [](auto const& grid, auto const& point) { return grid.morton(point); });
}

weft_status weft_directory_make(weft_comm const* comm, weft_parts const* parts, weft_directory** made) {
    return c::call([&] {
        weft::communicator const& of = c::given(comm, "comm").of;
        weft::parts_view<weft::global_id> registered;
        weft::agreed(of, [&] { registered = c::parts_of(parts); });
        c::hand_over(new weft_directory{weft::directory(of, registered)}, made);
    });
}

weft_status weft_directory_find(
    weft_directory const* directory, size_t count, int64_t const* ids, weft_lists** found) {
    return c::call([&] {
        weft::directory const& of = c::given(directory, "directory").of;
        weft::agreed(of.comm(), [&] {
            if (count != 0) c::expect_given(ids, "ids");
        });
        weft::ragged<weft::item_location> places = of.find({ids, count});
        weft_lists lists{std::move(places.offsets), {}};
        lists.items.append(places.values.data(), places.values.size() * sizeof(weft_location));
        c::hand_over(new weft_lists(std::move(lists)), found);
    });
}

void weft_directory_free(weft_directory* directory) {
    delete directory;
}
