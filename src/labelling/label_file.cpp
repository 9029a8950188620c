#include <labelling/label_file.hpp>

#include <files/file_handle.hpp>
#include <files/output_file.hpp>
#include <grids/values/box_copy.hpp>
#include <labelling/label_head.hpp>

#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <cctype>
#include <span>
#include <string>

namespace weft {

namespace {

std::span<std::byte const> bytes_of(painted_box const& box) {
    return box.wide.empty() ? std::as_bytes(std::span(box.narrow)) : std::as_bytes(std::span(box.wide));
}

label_frame frame_of(std::filesystem::path const& file, grid_shape const& shape, bool wide) {
    std::string suffix = file.extension().string();
    std::ranges::transform(
        suffix, suffix.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
    if (suffix == ".vti") return vti_frame(shape, wide, file.string());
    if (suffix == ".vtr") return vtr_frame(shape, wide, file.string());
    if (suffix == ".nrrd") return nrrd_frame(shape, wide, file.string());
    if (suffix == ".nii") return nifti_frame(shape, wide, file.string());
    return {};
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
    (void)frame_of(file, shape, false);
}

void write_labels(communicator const& comm, std::filesystem::path const& file, grid_shape const& shape,
    bool wide, std::vector<painted_box> const& mine) {
    std::size_t const label_bytes = wide ? sizeof(std::int64_t) : sizeof(std::int32_t);
    auto const& points = shape.points;
    std::int64_t const bytes = points[0] * points[1] * points[2] * static_cast<std::int64_t>(label_bytes);
    label_frame frame;
    agreed(comm, [&] { frame = frame_of(file, shape, wide); });
    auto const start = static_cast<std::int64_t>(frame.head.size());
    output_file part(comm, file);
    agreed(comm, [&] {
        file_handle opened = part.open();
        if (comm.rank() == 0) {
            opened.write(frame.head.data(), frame.head.size(), 0);
            opened.write(frame.foot.data(), frame.foot.size(), start + bytes);
        }
        for (painted_box const& each : mine) write_box(opened, start, points, each, label_bytes);
        opened.close();
    });
    part.finish();
}

} // namespace weft
