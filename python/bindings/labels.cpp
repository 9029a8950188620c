/// Connected components of volumes, and objects of frames that follow each other.
#include "decomposition.hpp"
#include "volume_input.hpp"

#include <labelling/block_labels.hpp>
#include <labelling/tracks.hpp>

#include <weft/protocol/collectives.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace weft::python {

namespace {

/// The labels of a block, x fastest, 0 for background.
template <class T>
std::vector<T> painted(labelled_block const& block) {
    row_runs const& rows = block.rows;
    std::vector<T> labels(rows.rows() * static_cast<std::size_t>(rows.width()));
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run) {
            T* const begin = labels.data() + row * static_cast<std::size_t>(rows.width());
            std::fill(begin + rows.runs[run].begin, begin + rows.runs[run].end,
                static_cast<T>(block.whole.number_of(run)));
        }
    return labels;
}

/// The blocks of voxels that ranks label: those that they hold, or layers across `axis`.
struct labelled_parts {
    std::size_t axis = 2;
    decomposition_of_python const* held = nullptr;
    std::vector<int> ranks = {}; ///< of the blocks that are held
};

regular_grid<std::int64_t> blocks_of(labelled_parts const& parts, volume_input const& volume, int ranks) {
    if (parts.held != nullptr) return parts.held->as<regular_grid<std::int64_t>>();
    per_dimension<std::int64_t> divisions{1, 1, 1};
    divisions.values[parts.axis] = std::clamp<std::int64_t>(volume.points[parts.axis], 1, ranks);
    return regular_grid<std::int64_t>(
        box<std::int64_t>{3, {}, {volume.points[0], volume.points[1], volume.points[2]}}, divisions);
}

/// Which values are foreground, and which voxels are neighbours.
struct component_rule {
    std::optional<nb::object> at_least;
    std::optional<nb::object> less_than;
    int neighbors = 6; // or 18, 26

    [[nodiscard]] foreground_rule foreground(std::optional<double> missing) const {
        std::optional<value_bound> below;
        if (less_than) below = bound_of(*less_than);
        return {at_least ? bound_of(*at_least) : value_bound(-std::numeric_limits<double>::infinity()),
            missing, below};
    }
    [[nodiscard]] label_options options() const {
        return {.neighbors = {.corners = neighbors == 26, .edges = neighbors == 18}};
    }
};

/// The blocks of a volume with their labels. To make it is collective.
struct labelled_volume {
    labelled_volume(communicator const& comm, volume_input const& volume, labelled_parts const& parts,
        regular_grid<std::int64_t> const& grid, foreground_rule const& rule, label_options const& options)
        : source(volume.source()),
          blocks(comm, grid,
              parts.held != nullptr ? assignment::by_table(parts.ranks, comm.size())
                                    : assignment::contiguous(grid.blocks(), comm.size()),
              [&](block_id id) {
                  labelled_block block;
                  std::vector<std::byte> values(bytes_of(source->shape(), grid.bounds(id)));
                  source->read(grid.bounds(id), values);
                  block.rows = find_runs(values, source->shape().type, grid.bounds(id), rule);
                  foreground_here += voxels_of(block.rows);
                  return block;
              }),
          foreground(sum(comm, foreground_here)),
          found(label_blocks(blocks, grid, options)) {}

    std::unique_ptr<grid_source> source;
    std::int64_t foreground_here = 0;
    block_set<labelled_block> blocks;
    std::int64_t foreground;
    label_summary found;
};

/// Labels the part of this rank.
dict_by_name label(communicator const& comm, volume_input const& volume, labelled_parts const& parts,
    component_rule const& given) {
    std::size_t const axis = parts.axis;
    foreground_rule const rule = given.foreground(volume.missing);
    label_summary found;
    std::int64_t foreground = 0;
    std::vector<std::int32_t> labels;
    std::vector<std::int64_t> wide;
    regular_grid<std::int64_t> const grid = blocks_of(parts, volume, comm.size());
    {
        collective_call const call(comm, "label");
        labelled_volume made(comm, volume, parts, grid, rule, given.options());
        found = made.found;
        foreground = made.foreground;
        bool const large = found.components > INT32_MAX;
        made.blocks.for_each([&](labelled_block& block, block_id) { // one, or none
            if (large)
                wide = painted<std::int64_t>(block);
            else
                labels = painted<std::int32_t>(block);
        });
    }
    std::vector<std::int64_t> offsets; // of layers
    for (int rank = 0; rank <= comm.size() && parts.held == nullptr; ++rank)
        offsets.push_back(rank < grid.blocks() ? grid.bounds(block_id{rank}).lo[axis] : volume.points[axis]);
    dict_by_name made;
    if (found.components > INT32_MAX)
        made["labels"] = array_of(std::move(wide));
    else
        made["labels"] = array_of(std::move(labels));
    made["offsets"] = array_of(std::move(offsets));
    made["components"] = found.components;
    made["foreground"] = foreground;
    made["largest"] = found.largest;
    return made;
}

void give_links(dict_by_name& to, char const* name, object_links&& links) {
    to[(std::string(name) + "_ends").c_str()] =
        array_of(std::vector<std::int64_t>(links.first.begin() + 1, links.first.end()));
    to[name] = array_of(std::move(links.numbers));
}

/// Follows the objects of this rank from plane to plane.
dict_by_name follow(communicator const& comm, volume_input const& volume, component_rule const& given) {
    labelled_parts const parts;
    foreground_rule const rule = given.foreground(volume.missing);
    regular_grid<std::int64_t> const grid = blocks_of(parts, volume, comm.size());
    tracks found;
    {
        collective_call const call(comm, "track");
        labelled_volume made(comm, volume, parts, grid, rule, given.options());
        found = find_tracks(made.blocks, grid, given.options());
    }
    std::vector<std::int64_t> rows;
    std::vector<double> centroids;
    for (frame_object const& each : found.objects) {
        rows.insert(rows.end(),
            {each.number, each.frame, each.component, each.first_frame, each.last_frame, each.size});
        centroids.push_back(static_cast<double>(each.sum_x) / static_cast<double>(each.size));
        centroids.push_back(static_cast<double>(each.sum_y) / static_cast<double>(each.size));
    }
    dict_by_name made;
    made["rows"] = array_of(std::move(rows));
    made["centroids"] = array_of(std::move(centroids));
    give_links(made, "previous", std::move(found.previous));
    give_links(made, "next", std::move(found.next));
    made["frames"] = found.frames;
    made["objects"] = found.summary.objects;
    made["links"] = found.summary.links;
    made["splits"] = found.summary.splits;
    made["merges"] = found.summary.merges;
    made["births"] = found.summary.births;
    made["deaths"] = found.summary.deaths;
    return made;
}

} // namespace

void bind_labels(nb::module_& module) {
    module.def(
        "label",
        [](communicator const& comm, volume_input const& volume, std::size_t axis,
            decomposition_of_python const* held, std::vector<int> ranks,
            std::optional<nb::object> const& at_least, std::optional<nb::object> const& less_than,
            int neighbors) {
            return label(comm, volume, {axis, held, std::move(ranks)}, {at_least, less_than, neighbors});
        },
        nb::arg("comm"), nb::arg("volume"), nb::arg("axis"), nb::arg("held").none(), nb::arg("ranks"),
        nb::arg("threshold").none(), nb::arg("below").none(), nb::arg("neighbors"));
    module.def(
        "track",
        [](communicator const& comm, volume_input const& volume, std::optional<nb::object> const& at_least,
            std::optional<nb::object> const& less_than, int neighbors) {
            return follow(comm, volume, {at_least, less_than, neighbors});
        },
        nb::arg("comm"), nb::arg("volume"), nb::arg("threshold").none(), nb::arg("below").none(),
        nb::arg("neighbors"));
}

} // namespace weft::python
