#include "label_regions.hpp"

#include <files/csv_row.hpp>
#include <grids/grid_source.hpp>

#include <weft/exchange/exchange.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <unordered_map>

namespace weft::tool {

namespace {

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

    void merge(region const& other) noexcept {
        for (std::size_t d = 0; d < 3; ++d) {
            lo[d] = voxels == 0 ? other.lo[d] : std::min(lo[d], other.lo[d]);
            hi[d] = voxels == 0 ? other.hi[d] : std::max(hi[d], other.hi[d]);
            sums[d] += other.sums[d];
        }
        voxels += other.voxels;
        least = std::min(least, other.least);
        greatest = std::max(greatest, other.greatest);
    }
};

template <class T>
using exact = std::conditional_t<std::is_floating_point_v<T>, double,
    std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>>;

template <class T, class Value = exact<T>>
region<Value> region_of_run(row_runs const& rows, std::size_t row, row_runs::run run, T const* values) {
    std::int64_t const begin = rows.bounds.lo[0] + run.begin;
    std::int64_t const last = rows.bounds.lo[0] + run.end - 1;
    std::int64_t const y = rows.y_of(row);
    std::int64_t const z = rows.z_of(row);
    auto const length = static_cast<double>(last - begin + 1);
    auto const [least, greatest] = std::minmax_element(values + run.begin, values + run.end);
    return {0, last - begin + 1, {begin, y, z}, {last, y, z},
        {0.5 * length * static_cast<double>(begin + last), length * static_cast<double>(y),
            length * static_cast<double>(z)},
        static_cast<Value>(*least), static_cast<Value>(*greatest)};
}

template <class T>
std::vector<region<exact<T>>> regions_of_block(labelled_block const& block, std::span<T const> values) {
    row_runs const& rows = block.rows;
    std::vector<region<exact<T>>> found;
    std::unordered_map<std::int64_t, std::size_t> place_of;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t i = rows.first[row]; i < rows.first[row + 1]; ++i) {
            std::int64_t const number = block.whole.number_of(i);
            auto const [at, is_new] = place_of.emplace(number, found.size());
            if (is_new) found.emplace_back().number = number;
            found[at->second].merge(region_of_run(
                rows, row, rows.runs[i], values.data() + row * static_cast<std::size_t>(rows.width())));
        }
    return found;
}

template <class Value>
std::string table_of_regions(std::vector<region<Value>> const& regions) {
    std::string text;
    for (region<Value> const& each : regions) {
        auto const count = static_cast<double>(each.voxels);
        append_csv_row(text, each.number, each.voxels, each.sums[0] / count, each.sums[1] / count,
            each.sums[2] / count, each.lo[0], each.hi[0], each.lo[1], each.hi[1], each.lo[2], each.hi[2],
            each.least, each.greatest);
    }
    return text;
}

} // namespace

std::string head_of_regions() {
    return "component,voxels,x,y,z,x_first,x_last,y_first,y_last,z_first,z_last,least,greatest\n";
}

std::string rows_of_regions(block_set<labelled_block>& blocks, std::int64_t components, value_type type,
    std::span<std::vector<std::byte> const> values) {
    communicator const& comm = blocks.comm();
    uniform_distribution const shares(components, comm.size());
    return visit_values(type, {}, [&]<class T>(std::span<T const>) {
        using part = region<exact<T>>;
        outbox<part> out{comm};
        std::size_t place = 0;
        blocks.for_each([&](labelled_block const& block, block_id) {
            std::span const bytes = values[place++];
            std::span const of_block(reinterpret_cast<T const*>(bytes.data()), bytes.size() / sizeof(T));
            for (part const& each : regions_of_block<T>(block, of_block))
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
        return table_of_regions(mine);
    });
}

} // namespace weft::tool
