#include "label_contacts.hpp"

#include "report/table_file.hpp"

#include <weft/blocks/fill_ghosts.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace weft::tool {

namespace {

using numbered_voxels = block_array<std::int64_t>;

/// The pairs of voxels by the components that they touch in, the lower one first.
using contact_counts = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

struct contact {
    std::int64_t lower;
    std::int64_t higher;
    std::int64_t pairs;
};

/// The component of each voxel of a block, 0 for background; ghosts are 0.
numbered_voxels numbers_of(regular_grid<std::int64_t> const& grid, block_id id, labelled_block const& block) {
    numbered_voxels numbers(grid, id);
    row_runs const& rows = block.rows;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t i = rows.first[row]; i < rows.first[row + 1]; ++i) {
            std::int64_t* const begin = &numbers(rows.bounds.lo[0], rows.y_of(row), rows.z_of(row));
            std::fill(begin + rows.runs[i].begin, begin + rows.runs[i].end, block.whole.number_of(i));
        }
    return numbers;
}

/// Counts pairs of which this block has the first voxel: x fastest, then y, then z.
void count_contacts(numbered_voxels const& numbers, contact_counts& counts) {
    box<std::int64_t> const& core = numbers.core();
    box<std::int64_t> const& all = numbers.bounds();
    std::array<std::array<std::int64_t, 3>, 13> later{}; // the steps to half of the 26 neighbours
    std::size_t steps = 0;
    for (std::int64_t code = 14; code < 27; ++code)
        later[steps++] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
    for (std::int64_t z = core.lo[2]; z < core.hi[2]; ++z)
        for (std::int64_t y = core.lo[1]; y < core.hi[1]; ++y)
            for (std::int64_t x = core.lo[0]; x < core.hi[0]; ++x) {
                std::int64_t const mine = numbers(x, y, z);
                if (mine == 0) continue;
                for (auto const& [dx, dy, dz] : later) {
                    if (!contains(all, {x + dx, y + dy, z + dz})) continue;
                    std::int64_t const other = numbers(x + dx, y + dy, z + dz);
                    if (other != 0 && other != mine) ++counts[std::minmax(mine, other)];
                }
            }
}

} // namespace

void write_contacts(block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid,
    std::int64_t components, std::string const& file) {
    communicator const& comm = blocks.comm();
    coordinates<std::int64_t> const cuts = grid.divisions();
    regular_grid<std::int64_t> const with_ghosts{grid.domain(), {cuts[0], cuts[1], cuts[2]}, {.ghosts = 1}};
    std::vector<numbered_voxels> made;
    blocks.for_each([&](labelled_block const& block, block_id id) {
        made.push_back(numbers_of(with_ghosts, id, block));
    });
    block_set<numbered_voxels> voxels(comm, with_ghosts, blocks.where(), [&](block_id id) {
        return std::move(made[static_cast<std::size_t>(blocks.where().local_place(id))]);
    });
    fill_ghosts(voxels, with_ghosts);
    contact_counts counts;
    voxels.for_each([&](numbered_voxels const& block, block_id) { count_contacts(block, counts); });

    uniform_distribution const shares(components, comm.size());
    outbox<contact> out{comm};
    for (auto const& [pair, pairs] : counts)
        out[shares.owner(pair.first - 1)].push_back({pair.first, pair.second, pairs});
    contact_counts whole;
    for (auto [source, parts] : exchange(std::move(out)))
        for (contact const& each : parts) whole[{each.lower, each.higher}] += each.pairs;
    table_rows rows(file, style_of_table(file),
        {{"component", column_kind::whole}, {"other", column_kind::whole}, {"pairs", column_kind::whole}});
    for (auto const& [pair, pairs] : whole) rows.append(pair.first, pair.second, pairs);
    rows.write(comm);
}

} // namespace weft::tool
