#include <labelling/paint_labels.hpp>

#include <core/file_handle.hpp>
#include <grids/values/box_copy.hpp>
#include <protocol/output_file.hpp>

#include <weft/protocol/agreement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

namespace weft {

namespace {

template <class Label>
std::vector<Label> paint(row_runs const& rows, label_layer const& layer) {
    auto const width = static_cast<std::size_t>(rows.width());
    std::vector<Label> labels;
    labels.reserve(width * rows.rows());
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        std::size_t const start = labels.size();
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run) {
            labels.resize(start + static_cast<std::size_t>(rows.runs[run].begin));
            labels.resize(start + static_cast<std::size_t>(rows.runs[run].end),
                static_cast<Label>(layer.number_of(run)));
        }
        labels.resize(start + width);
    }
    return labels;
}

std::span<std::byte const> bytes_of(painted_box const& box) {
    return box.wide.empty() ? std::as_bytes(std::span(box.narrow)) : std::as_bytes(std::span(box.wide));
}

/// The head before the labels in a file of VTK, up to the number of their bytes.
std::string vti_head(
    std::array<std::int64_t, 3> const& points, label_space const& space, bool wide, std::uint64_t bytes) {
    std::string const extent = fmt::format("0 {} 0 {} 0 {}", points[0] - 1, points[1] - 1, points[2] - 1);
    std::string head = fmt::format(
        R"(<?xml version="1.0"?>
<VTKFile type="ImageData" version="1.0" byte_order="{}" header_type="UInt64">
  <ImageData WholeExtent="{}" Origin="{} {} {}" Spacing="{} {} {}">
    <Piece Extent="{}">
      <PointData Scalars="label">
        <DataArray type="{}" Name="label" NumberOfComponents="1" format="appended" offset="0"/>
      </PointData>
    </Piece>
  </ImageData>
  <AppendedData encoding="raw">
   _)",
        std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", extent, space.origin[0],
        space.origin[1], space.origin[2], space.spacing[0], space.spacing[1], space.spacing[2], extent,
        wide ? "Int64" : "Int32");
    head.append(reinterpret_cast<char const*>(&bytes), sizeof bytes);
    return head;
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

painted_box paint_labels(row_runs const& rows, label_layer const& layer, bool wide) {
    painted_box painted{rows.bounds, {}, {}};
    if (wide)
        painted.wide = paint<std::int64_t>(rows, layer);
    else
        painted.narrow = paint<std::int32_t>(rows, layer);
    return painted;
}

void write_labels(communicator const& comm, std::filesystem::path const& file,
    std::array<std::int64_t, 3> const& points, label_space const& space, bool wide,
    std::vector<painted_box> const& mine) {
    std::size_t const label_bytes = wide ? sizeof(std::int64_t) : sizeof(std::int32_t);
    std::int64_t const bytes = points[0] * points[1] * points[2] * static_cast<std::int64_t>(label_bytes);
    std::string head;
    std::string foot;
    if (file.extension() == ".vti") {
        head = vti_head(points, space, wide, static_cast<std::uint64_t>(bytes));
        foot = "\n  </AppendedData>\n</VTKFile>\n";
    }
    auto const start = static_cast<std::int64_t>(head.size());
    output_file part(comm, file);
    agreed(comm, [&] {
        file_handle opened = part.open();
        if (comm.rank() == 0) {
            opened.write(head.data(), head.size(), 0);
            opened.write(foot.data(), foot.size(), start + bytes);
        }
        for (painted_box const& each : mine) write_box(opened, start, points, each, label_bytes);
        opened.close();
    });
    part.finish();
}

} // namespace weft
