#include <labelling/block_labels.hpp>

#include <labelling/face_runs.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace weft {

namespace {

/// Labels each box, then the components that span boxes; fills a layer of each block step by step.
class labelling {
public:
    labelling(block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid,
        label_options const& options)
        : blocks_(blocks), grid_(grid), options_(options) {}

    label_summary run() {
        blocks_.for_each([&](labelled_block& block, block_id) { label_box_of(block); });
        if (grid_.blocks() > 1) {
            blocks_.exchange<face_run>(
                [&](labelled_block& block, block_port<face_run>& port) { send_faces(block, port); });
            blocks_.for_each_port<face_run>(
                [&](labelled_block& block, block_port<face_run>& port) { take_faces(block, port); });
            find_components(blocks_,
                [&](labelled_block& block) -> block_components& { return layer_of(block).components; },
                {.asynchronous = options_.asynchronous});
        }
        return number();
    }

private:
    [[nodiscard]] label_layer& layer_of(labelled_block& block) const noexcept {
        return options_.neighbors.across_planes ? block.whole : block.plane;
    }

    /// Returns the place of the first voxel of a run, counted over the whole grid.
    [[nodiscard]] global_id first_voxel(row_runs const& rows, std::size_t row, std::uint32_t run) const {
        box<std::int64_t> const& all = grid_.domain();
        std::int64_t const z = rows.z_of(row) - all.lo[2];
        std::int64_t const y = rows.y_of(row) - all.lo[1];
        return (z * (all.hi[1] - all.lo[1]) + y) * (all.hi[0] - all.lo[0]) + rows.bounds.lo[0] - all.lo[0] +
               rows.runs[run].begin;
    }

    void label_box_of(labelled_block& block) const {
        label_layer& layer = layer_of(block);
        layer.within = label_box(block.rows, options_.neighbors);
        std::vector<global_id> ids;
        ids.reserve(layer.within.first_run.size());
        std::size_t row = 0;
        for (std::uint32_t const run : layer.within.first_run) {
            while (block.rows.first[row + 1] <= run) ++row;
            ids.push_back(first_voxel(block.rows, row, run));
        }
        layer.components = block_components(std::move(ids));
    }

    /// Returns true if voxels of a block in this direction can be neighbours of voxels of this block.
    [[nodiscard]] bool joins(std::array<std::int8_t, max_dimensions> const& direction) const noexcept {
        return options_.neighbors.joins(direction[0], direction[1], direction[2]);
    }

    void send_faces(labelled_block& block, block_port<face_run>& port) const {
        label_layer const& layer = layer_of(block);
        for (grid_neighbor const& neighbor : grid_.neighbors(port.id()))
            if (is_upward(neighbor.direction) && joins(neighbor.direction))
                port.give(neighbor.block, runs_at_face(block.rows, neighbor.direction, [&](std::size_t run) {
                    return layer.components.id_of(layer.within.of_run[run]);
                }));
    }

    void take_faces(labelled_block& block, block_port<face_run>& port) const {
        label_layer& layer = layer_of(block);
        for (auto const& message : port.messages())
            for (face_run const& there : message.items)
                for (std::int64_t dz = -1; dz <= 1; ++dz)
                    for (std::int64_t dy = -1; dy <= 1; ++dy) {
                        if (!options_.neighbors.joins(0, dy, dz)) continue;
                        // A run of the same row is in a block beside this one: the two are neighbours if they
                        // touch end to end.
                        std::int64_t const reach = dy == 0 && dz == 0 ? 1 : options_.neighbors.reach(dy, dz);
                        for_runs_meeting(block.rows, there.y + dy, there.z + dz, there.begin, there.end,
                            reach, [&](std::size_t run) {
                                layer.components.unite(layer.within.of_run[run], there.name, message.source);
                            });
                    }
    }

    /// Appends the facts about the parts of components in a block.
    void collect(labelled_block& block, std::vector<component_facts>& parts) const {
        label_layer& layer = layer_of(block);
        std::size_t const first = parts.size();
        for (std::int64_t place = 0; place < layer.components.size(); ++place) {
            component_facts& each = parts.emplace_back();
            each.label = layer.components.label(place);
            each.first_plane = grid_.domain().hi[2];
            each.last_plane = grid_.domain().lo[2] - 1;
        }
        row_runs const& rows = block.rows;
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            std::int64_t const z = rows.z_of(row);
            for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run) {
                component_facts& each = parts[first + layer.within.of_run[run]];
                each.voxels += rows.runs[run].end - rows.runs[run].begin;
                each.first_plane = std::min(each.first_plane, z);
                each.last_plane = std::max(each.last_plane, z);
            }
        }
    }

    label_summary number() {
        std::vector<component_facts> parts;
        blocks_.for_each([&](labelled_block& block, block_id) { collect(block, parts); });
        label_summary const summary = number_components(blocks_.comm(), voxels_in(grid_.domain()), parts);
        auto next = parts.begin();
        blocks_.for_each([&](labelled_block& block, block_id) {
            label_layer& layer = layer_of(block);
            auto const end = next + static_cast<std::ptrdiff_t>(layer.components.size());
            layer.facts.assign(next, end);
            next = end;
        });
        return summary;
    }

    block_set<labelled_block>& blocks_;
    regular_grid<std::int64_t> const& grid_;
    label_options options_;
};

/// Returns true if a grid can be cut into this number of blocks, each with at least one voxel.
bool fit(std::array<std::int64_t, 3> const& points, std::int64_t blocks) {
    for (std::int64_t along_z = 1; along_z <= std::min(points[2], blocks); ++along_z) {
        if (blocks % along_z != 0) continue;
        std::int64_t const in_plane = blocks / along_z;
        for (std::int64_t along_y = 1; along_y <= std::min(points[1], in_plane); ++along_y)
            if (in_plane % along_y == 0 && in_plane / along_y <= points[0]) return true;
    }
    return false;
}

} // namespace

regular_grid<std::int64_t> blocks_of_voxels(std::array<std::int64_t, 3> const& points, std::int64_t blocks) {
    constexpr std::int64_t thick = 4;
    blocks = std::min(blocks, points[0] * points[1] * points[2]);
    while (!fit(points, blocks)) --blocks;
    box<std::int64_t> const all{3, {}, {points[0], points[1], points[2]}};
    if (blocks <= points[2] / thick || blocks == 1) return {all, {1, 1, blocks}};
    return {all, blocks};
}

std::int64_t voxels_in(box<std::int64_t> const& bounds) {
    std::int64_t voxels = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        std::int64_t const along = bounds.hi[d] - bounds.lo[d];
        if (along > 0 && voxels > INT64_MAX / along)
            throw usage_error("labels: expected a grid of less than 2^63 voxels");
        voxels *= along;
    }
    return voxels;
}

void check_voxel_grid(regular_grid<std::int64_t> const& grid) {
    if (grid.dimensions() != 3)
        throw usage_error(
            "labels: expected a grid of three dimensions, found one of " + std::to_string(grid.dimensions()));
    (void)voxels_in(grid.domain());
    auto const refuse = [](std::size_t d, char const* why) {
        throw usage_error(std::string("labels: the grid ") + why + " along dimension " + std::to_string(d) +
                          "; make one without it");
    };
    block_id const first{0};
    for (grid_neighbor const& there : grid.neighbors(first))
        for (std::size_t d = 0; d < 3; ++d) {
            if (there.wrap[d] != 0) refuse(d, "wraps, where labels do not go on,");
            if (there.direction[d] == 1 && grid.bounds(first).hi[d] > grid.bounds(there.block).lo[d])
                refuse(d, "has layers of cells that blocks share, whose voxels would count twice,");
        }
}

label_summary label_blocks(
    block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid, label_options const& options) {
    agreed(blocks.comm(), [&] { check_voxel_grid(grid); });
    return labelling(blocks, grid, options).run();
}

} // namespace weft
