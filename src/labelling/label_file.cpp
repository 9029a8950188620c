#include <labelling/label_file.hpp>

#include <core/lower_case.hpp>
#include <files/vtk_output.hpp>
#include <grids/values/box_copy.hpp>
#include <labelling/label_head.hpp>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace weft {

namespace {

std::span<std::byte const> bytes_of(painted_box const& box) {
    return box.wide.empty() ? std::as_bytes(std::span(box.narrow)) : std::as_bytes(std::span(box.wide));
}

/// The number of labels of this rank, and the writer of them.
struct label_share {
    std::int64_t labels = 0;
    file_segments::writer write = {};
};

template <class Label>
void add_labels(vtk_output& made, grid_shape const& shape, label_share mine) {
    made.section("PointData", " Scalars=\"label\"");
    made.array<Label>(
        "label", 1, shape.points[0] * shape.points[1] * shape.points[2], mine.labels, std::move(mine.write));
}

/// `knows_axes`: this rank writes the coordinates of a rectilinear grid.
void add_coordinates(vtk_output& made, grid_shape const& shape, bool knows_axes) {
    made.section("Coordinates");
    for (std::size_t d = 0; d < 3; ++d) {
        std::span<double const> const axis = shape.axes[d];
        made.array<double>({"xyz"[d]}, 1, std::ssize(axis), axis.first(knows_axes ? axis.size() : 0));
    }
}

/// The segments of a file of labels, in the format of its name.
file_segments segments_of(
    std::filesystem::path const& file, grid_shape const& shape, bool wide, label_share mine, bool leads) {
    std::string const where = file.string();
    std::string const suffix = in_lower_case(file.extension().string());
    if (suffix == ".vti" || suffix == ".vtr") {
        vtk_output made = suffix == ".vti" ? vti_head(shape, where) : vtr_head(shape, where);
        if (wide)
            add_labels<std::int64_t>(made, shape, std::move(mine));
        else
            add_labels<std::int32_t>(made, shape, std::move(mine));
        if (suffix == ".vtr") add_coordinates(made, shape, leads);
        return made.segments();
    }
    file_segments made;
    if (suffix == ".nrrd") made.add_once(nrrd_head(shape, wide, where));
    if (suffix == ".nii") made.add_once(nifti_head(shape, wide, where));
    made.add(mine.labels * (wide ? 8 : 4), std::move(mine.write));
    return made;
}

void write_box(file_handle const& file, std::int64_t start, std::array<std::int64_t, 3> const& points,
    painted_box const& mine, std::size_t label_bytes) {
    std::span<std::byte const> const bytes = bytes_of(mine);
    for_rows(mine.bounds, {3, {}, {points[0], points[1], points[2]}},
        [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
            file.write(bytes.subspan(static_cast<std::size_t>(first) * label_bytes,
                           static_cast<std::size_t>(count) * label_bytes),
                start + offset * static_cast<std::int64_t>(label_bytes));
        });
}

} // namespace

void check_label_file(std::filesystem::path const& file, grid_shape const& shape) {
    (void)segments_of(file, shape, false, {}, true);
}

void write_labels(communicator const& comm, std::filesystem::path const& file, grid_shape const& shape,
    bool wide, std::vector<painted_box> const& mine) {
    gate call(comm, "write_labels");
    file_segments segments;
    call.guard([&] {
        label_share share;
        for (painted_box const& each : mine) share.labels += std::ssize(each.narrow) + std::ssize(each.wide);
        share.write = [&](file_handle const& opened, std::int64_t, std::int64_t start) {
            for (painted_box const& each : mine) write_box(opened, start, shape.points, each, wide ? 8 : 4);
        };
        segments = segments_of(file, shape, wide, std::move(share), comm.rank() == 0);
    });
    segments.write(call, file);
}

} // namespace weft
