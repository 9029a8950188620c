#include <labelling/label_head.hpp>

#include <weft/core/error.hpp>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

namespace weft {

namespace {

using three = std::array<double, 3>;

constexpr bool is_little = std::endian::native == std::endian::little;

double length_of(three const& of) {
    return std::hypot(of[0], of[1], of[2]);
}

template <class T>
void put(std::string& head, std::size_t at, T value) {
    std::memcpy(head.data() + at, &value, sizeof value);
}

} // namespace

even_place even_place_of(grid_shape const& shape, std::string const& where) {
    even_place found;
    three first{};
    for (std::size_t d = 0; d < 3; ++d) {
        auto const axis = even_axis_of(shape.axes[d]);
        if (!axis)
            throw usage_error(where + ": cannot say where its points lie along " + "xyz"[d] +
                              ", which are not evenly spaced; write a .vtr, which can");
        first[d] = axis->origin;
        for (std::size_t e = 0; e < 3; ++e) // + 0: no negative zero
            found.steps[d][e] = shape.place.matrix[e][d] * axis->spacing + 0.0;
    }
    found.origin = shape.place.to_world(first);
    return found;
}

vtk_output vti_head(grid_shape const& shape, std::string const& where) {
    auto const [origin, steps] = even_place_of(shape, where);
    three const spacing{length_of(steps[0]), length_of(steps[1]), length_of(steps[2])};
    std::string direction;
    bool turned = false;
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t e = 0; e < 3; ++e) { // by rows; the columns of the matrix are the directions of axes
            double const each = steps[e][d] / spacing[e];
            turned = turned || each != (d == e ? 1 : 0);
            fmt::format_to(std::back_inserter(direction), "{}{}", direction.empty() ? "" : " ", each);
        }
    std::string lies = fmt::format(R"( Origin="{} {} {}" Spacing="{} {} {}")", origin[0], origin[1],
        origin[2], spacing[0], spacing[1], spacing[2]);
    if (turned) lies += R"( Direction=")" + direction + '"';
    return vtk_output::grid("ImageData", shape.points, lies);
}

vtk_output vtr_head(grid_shape const& shape, std::string const& where) {
    if (shape.place.moves())
        throw usage_error(
            where + ": cannot hold a volume that is turned in space; write a .vti, .nrrd or .nii");
    return vtk_output::grid("RectilinearGrid", shape.points, "");
}

std::string nrrd_head(grid_shape const& shape, bool wide, std::string const& where) {
    auto const [origin, steps] = even_place_of(shape, where);
    std::string head = fmt::format("NRRD0004\ntype: {}\ndimension: 3\n", wide ? "int64" : "int32");
    head += shape.space.empty() ? "space dimension: 3\n" : "space: " + shape.space + '\n';
    fmt::format_to(std::back_inserter(head), "sizes: {} {} {}\nspace directions:", shape.points[0],
        shape.points[1], shape.points[2]);
    for (auto const& each : steps)
        fmt::format_to(std::back_inserter(head), " ({},{},{})", each[0], each[1], each[2]);
    fmt::format_to(std::back_inserter(head),
        "\nkinds: domain domain domain\nendian: {}\nencoding: raw\nspace origin: ({},{},{})\n\n",
        is_little ? "little" : "big", origin[0], origin[1], origin[2]);
    return head;
}

std::string nifti_head(grid_shape const& shape, bool wide, std::string const& where) {
    auto const [origin, steps] = even_place_of(shape, where);
    std::string head(352, '\0'); // no extension follows; the fields are those of nifti1.h
    put(head, 0, std::int32_t{348});
    put(head, 40, std::int16_t{3});
    for (std::size_t d = 0; d < 3; ++d) {
        if (shape.points[d] > INT16_MAX)
            throw usage_error(where + ": NIfTI-1 cannot have " + std::to_string(shape.points[d]) +
                              " points along " + "xyz"[d] + ", 32767 at most; write a .nrrd");
        put(head, 42 + 2 * d, static_cast<std::int16_t>(shape.points[d]));
        put(head, 80 + 4 * d, static_cast<float>(length_of(steps[d])));
    }
    for (std::size_t d = 4; d < 8; ++d) put(head, 40 + 2 * d, std::int16_t{1});
    put(head, 70, static_cast<std::int16_t>(wide ? 1024 : 8));
    put(head, 72, static_cast<std::int16_t>(wide ? 64 : 32));
    put(head, 76, 1.0F);
    put(head, 108, 352.0F);
    put(head, 112, 1.0F);
    put(head, 254, std::int16_t{2}); // a sform, in a space that need not be that of the scanner
    bool const to_left = shape.space.starts_with("left");
    bool const to_back = shape.space.find("-posterior-") != std::string::npos;
    for (std::size_t d = 0; d < 3; ++d) {
        double const sign = (d == 0 && to_left) || (d == 1 && to_back) ? -1 : 1;
        for (std::size_t e = 0; e < 3; ++e)
            put(head, 280 + 16 * d + 4 * e, static_cast<float>(sign * steps[e][d]));
        put(head, 280 + 16 * d + 12, static_cast<float>(sign * origin[d]));
    }
    std::memcpy(head.data() + 344, "n+1", 4);
    return head;
}

} // namespace weft
