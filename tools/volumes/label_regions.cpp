#include "label_regions.hpp"

#include "report/table_file.hpp"

#include <collective/fixed_point.hpp>
#include <grids/grid_source.hpp>

#include <weft/exchange/exchange.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <unordered_map>

namespace weft::tool {

namespace {

constexpr int piece_bits = 42; // of a sum, as `fixed_point::pieces` cuts it

/// A component, or a block's part of it. `Value` holds each value of the volume exactly.
template <class Value>
struct region {
    std::int64_t number = 0;
    std::int64_t voxels = 0;
    std::array<std::int64_t, 3> lo{};
    std::array<std::int64_t, 3> hi{}; ///< the last voxel
    std::array<double, 3> sums{};     ///< of coordinates; whole numbers, exact below 2^53
    Value least = std::numeric_limits<Value>::max();
    Value greatest = std::numeric_limits<Value>::lowest();
    std::int64_t contacts = 0;               ///< faces of voxels at the border of the volume
    std::array<std::int64_t, 3> of_values{}; ///< the sum of finite values, in pieces of a `fixed_point`

    void merge(region const& other) noexcept {
        for (std::size_t d = 0; d < 3; ++d) {
            lo[d] = voxels == 0 ? other.lo[d] : std::min(lo[d], other.lo[d]);
            hi[d] = voxels == 0 ? other.hi[d] : std::max(hi[d], other.hi[d]);
            sums[d] += other.sums[d];
            of_values[d] += other.of_values[d];
        }
        for (std::size_t piece = 0; piece < 2; ++piece) { // any number of merges overflows nothing
            of_values[piece + 1] += of_values[piece] >> piece_bits;
            of_values[piece] &= (std::int64_t{1} << piece_bits) - 1;
        }
        contacts += other.contacts;
        voxels += other.voxels;
        least = std::min(least, other.least);
        greatest = std::max(greatest, other.greatest);
    }
};

template <class T>
using exact = std::conditional_t<std::is_floating_point_v<T>, double,
    std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>>;

/// The faces at the border of the volume of a run from `begin` to `last`.
std::int64_t contacts_of_run(
    box<std::int64_t> const& all, std::int64_t begin, std::int64_t last, std::int64_t y, std::int64_t z) {
    std::int64_t const sides = std::int64_t{y == all.lo[1]} + std::int64_t{y == all.hi[1] - 1} +
                               std::int64_t{z == all.lo[2]} + std::int64_t{z == all.hi[2] - 1};
    return std::int64_t{begin == all.lo[0]} + std::int64_t{last == all.hi[0] - 1} +
           sides * (last - begin + 1);
}

template <class T, class Value = exact<T>>
region<Value> region_of_run(box<std::int64_t> const& all, row_runs const& rows, std::size_t row,
    row_runs::run run, T const* values, int unit) {
    std::int64_t const begin = rows.bounds.lo[0] + run.begin;
    std::int64_t const last = rows.bounds.lo[0] + run.end - 1;
    std::int64_t const y = rows.y_of(row);
    std::int64_t const z = rows.z_of(row);
    auto const length = static_cast<double>(last - begin + 1);
    auto const [least, greatest] = std::minmax_element(values + run.begin, values + run.end);
    fixed_point sum(unit);
    for (T const* value = values + run.begin; value != values + run.end; ++value)
        if (std::isfinite(static_cast<double>(*value))) sum.add(static_cast<double>(*value));
    return {0, last - begin + 1, {begin, y, z}, {last, y, z},
        {0.5 * length * static_cast<double>(begin + last), length * static_cast<double>(y),
            length * static_cast<double>(z)},
        static_cast<Value>(*least), static_cast<Value>(*greatest), contacts_of_run(all, begin, last, y, z),
        sum.pieces()};
}

/// The unit in which sums of all values of the foreground are exact to 2^-60 of the greatest, on all ranks.
template <class T>
int unit_of_sums(block_set<labelled_block>& blocks, std::span<std::vector<std::byte> const> values) {
    double most = 0;
    std::size_t place = 0;
    blocks.for_each([&](labelled_block const& block, block_id) {
        auto const* const of_block = reinterpret_cast<T const*>(values[place++].data());
        row_runs const& rows = block.rows;
        for (std::size_t row = 0; row < rows.rows(); ++row)
            for (std::size_t i = rows.first[row]; i < rows.first[row + 1]; ++i)
                for (std::int32_t x = rows.runs[i].begin; x < rows.runs[i].end; ++x) {
                    auto const size =
                        std::abs(static_cast<double>(of_block[row * static_cast<std::size_t>(rows.width()) +
                                                              static_cast<std::size_t>(x)]));
                    if (std::isfinite(size)) most = std::max(most, size);
                }
    });
    // The bits of numbers that are not negative are ordered as they are.
    most = std::bit_cast<double>(max(blocks.comm(), std::bit_cast<std::int64_t>(most)));
    return most > 0 ? std::clamp(std::ilogb(most) - 60, -1000, 1000) : 0;
}

template <class T>
std::vector<region<exact<T>>> regions_of_block(
    labelled_block const& block, box<std::int64_t> const& all, std::span<T const> values, int unit) {
    row_runs const& rows = block.rows;
    std::vector<region<exact<T>>> found;
    std::unordered_map<std::int64_t, std::size_t> place_of;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t i = rows.first[row]; i < rows.first[row + 1]; ++i) {
            std::int64_t const number = block.whole.number_of(i);
            auto const [at, is_new] = place_of.emplace(number, found.size());
            if (is_new) found.emplace_back().number = number;
            found[at->second].merge(region_of_run(all, rows, row, rows.runs[i],
                values.data() + row * static_cast<std::size_t>(rows.width()), unit));
        }
    return found;
}

/// The mean of all values; infinite ones make it so.
template <class Value>
double mean_of(region<Value> const& each, int unit) {
    if (!std::isfinite(static_cast<double>(each.least)) || !std::isfinite(static_cast<double>(each.greatest)))
        return static_cast<double>(each.least) + static_cast<double>(each.greatest);
    fixed_point sum(unit);
    sum.assign(each.of_values);
    return sum.value() / static_cast<double>(each.voxels);
}

} // namespace

void write_regions(block_set<labelled_block>& blocks, box<std::int64_t> const& all, std::int64_t components,
    value_type type, std::span<std::vector<std::byte> const> values, std::string const& file) {
    communicator const& comm = blocks.comm();
    uniform_distribution const shares(components, comm.size());
    visit_values(type, {}, [&]<class T>(std::span<T const>) {
        using part = region<exact<T>>;
        constexpr column_kind kind = std::is_floating_point_v<T> ? column_kind::real : column_kind::whole;
        std::vector<table_column> columns{{"component", column_kind::whole}, {"voxels", column_kind::whole}};
        for (char const* const name : {"x", "y", "z"}) columns.push_back({name, column_kind::real});
        for (char const* const name : {"x_first", "x_last", "y_first", "y_last", "z_first", "z_last"})
            columns.push_back({name, column_kind::whole});
        columns.insert(columns.end(), {{"least", kind}, {"greatest", kind}, {"mean", column_kind::real},
                                          {"contacts", column_kind::whole}});
        table_rows rows(file, style_of_table(file), std::move(columns));
        int const unit = unit_of_sums<T>(blocks, values);
        outbox<part> out{comm};
        std::size_t place = 0;
        blocks.for_each([&](labelled_block const& block, block_id) {
            std::span const bytes = values[place++];
            std::span const of_block(reinterpret_cast<T const*>(bytes.data()), bytes.size() / sizeof(T));
            for (part const& each : regions_of_block<T>(block, all, of_block, unit))
                out[shares.owner(each.number - 1)].push_back(each);
        });
        std::vector<part> mine(static_cast<std::size_t>(shares.size(comm.rank())));
        std::int64_t const first = shares.begin(comm.rank()) + 1;
        for (auto [source, parts] : exchange(std::move(out)))
            for (part const& each : parts) {
                part& whole = mine[static_cast<std::size_t>(each.number - first)];
                whole.merge(each);
                whole.number = each.number;
            }
        for (part const& each : mine) {
            auto const count = static_cast<double>(each.voxels);
            rows.append(each.number, each.voxels, each.sums[0] / count, each.sums[1] / count,
                each.sums[2] / count, each.lo[0], each.hi[0], each.lo[1], each.hi[1], each.lo[2], each.hi[2],
                each.least, each.greatest, mean_of(each, unit), each.contacts);
        }
        rows.write(comm);
    });
}

} // namespace weft::tool
