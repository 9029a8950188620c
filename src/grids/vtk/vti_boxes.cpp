#include <grids/vtk/vti_boxes.hpp>

#include <core/file_handle.hpp>
#include <grids/formats/raw_grid.hpp>
#include <grids/values/grid_memory.hpp>
#include <grids/vtk/vtk_xml.hpp>

#include <weft/core/error.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace weft {

namespace {

std::string_view attribute_in(std::string_view tag, std::string_view name) {
    for (std::size_t at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
        std::size_t const quote = at + name.size() + 1;
        bool const is_whole =
            at > 0 && std::string_view(" \t\r\n").find(tag[at - 1]) != std::string_view::npos;
        if (!is_whole || quote >= tag.size() || tag[quote - 1] != '=') continue;
        std::size_t const end = tag.find(tag[quote], quote + 1);
        return end == tag.npos ? std::string_view() : tag.substr(quote + 1, end - quote - 1);
    }
    return {};
}

/// Reads so many numbers; nothing where a text has others.
template <class Number, std::size_t N>
std::optional<std::array<Number, N>> numbers_in(std::string_view text) {
    std::array<Number, N> numbers{};
    char const* at = text.data();
    char const* const end = at + text.size();
    auto const pass_blanks = [&] {
        while (at != end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
    };
    for (Number& each : numbers) {
        pass_blanks();
        auto const [stop, error] = std::from_chars(at, end, each);
        if (error != std::errc{}) return {};
        at = stop;
    }
    pass_blanks();
    return at == end ? std::optional(numbers) : std::nullopt;
}

std::optional<value_type> type_of_vtk_name(std::string_view name) {
    constexpr std::pair<std::string_view, value_type> types[] = {{"Int8", value_type::int8},
        {"UInt8", value_type::uint8}, {"Int16", value_type::int16}, {"UInt16", value_type::uint16},
        {"Int32", value_type::int32}, {"UInt32", value_type::uint32}, {"Int64", value_type::int64},
        {"UInt64", value_type::uint64}, {"Float32", value_type::float32}, {"Float64", value_type::float64}};
    for (auto const& [known, type] : types)
        if (known == name) return type;
    return {};
}

struct vti_array {
    std::string_view name;
    std::optional<value_type> type;
    std::int64_t components = 1;
    std::int64_t offset = -1;
    bool at_points = true;
};

/// The tags of an image; `is_plain` where boxes can be read.
struct vti_head {
    explicit vti_head(vtk_xml_head const& head) {
        bool at_points = false;
        bool in_values = false;
        std::string_view const text = head.text;
        for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
            std::string_view const tag = text.substr(at, text.find('>', at) - at);
            if (tag.starts_with("<VTKFile")) {
                is_plain = attribute_in(tag, "compressor").empty();
                is_big = attribute_in(tag, "byte_order") == "BigEndian";
                is_wide = attribute_in(tag, "header_type") == "UInt64";
            } else if (tag.starts_with("<ImageData")) {
                whole = attribute_in(tag, "WholeExtent");
                place(tag);
            } else if (tag.starts_with("<Piece")) {
                is_plain = is_plain && ++pieces == 1 && attribute_in(tag, "Extent") == whole;
            } else if (tag.starts_with("<PointData") || tag.starts_with("<CellData")) {
                at_points = tag.starts_with("<PointData");
                in_values = true;
                meant[at_points ? 0 : 1] = {attribute_in(tag, "Vectors"), attribute_in(tag, "Scalars")};
            } else if (tag.starts_with("</PointData") || tag.starts_with("</CellData")) {
                in_values = false;
            } else if (tag.starts_with("<DataArray") && in_values) {
                add(tag, at_points);
            } else if (tag.starts_with("<AppendedData")) {
                is_plain = is_plain && attribute_in(tag, "encoding") == "raw";
            }
        }
        is_plain = is_plain && pieces == 1 && head.values > 0;
    }

    void place(std::string_view tag) {
        auto const read = [&]<std::size_t N>(char const* name, std::array<double, N>& into) {
            std::string_view const text = attribute_in(tag, name);
            if (text.empty()) return;
            auto const found = numbers_in<double, N>(text);
            is_plain = is_plain && found.has_value();
            if (found) into = *found;
        };
        read("Origin", origin);
        read("Spacing", spacing);
        read("Direction", direction);
        auto const six = numbers_in<std::int64_t, 6>(whole);
        is_plain = is_plain && six.has_value();
        if (six) extent = *six;
    }

    void add(std::string_view tag, bool at_points) {
        vti_array made;
        made.name = attribute_in(tag, "Name");
        made.type = type_of_vtk_name(attribute_in(tag, "type"));
        made.at_points = at_points;
        if (auto const text = attribute_in(tag, "NumberOfComponents"); !text.empty())
            made.components = numbers_in<std::int64_t, 1>(text).value_or(std::array<std::int64_t, 1>{0})[0];
        made.offset = numbers_in<std::int64_t, 1>(attribute_in(tag, "offset"))
                          .value_or(std::array<std::int64_t, 1>{-1})[0];
        // Names that VTK writes in another way, and values that are hidden, are for VTK.
        is_plain = is_plain && attribute_in(tag, "format") == "appended" && made.name != "vtkGhostType" &&
                   made.name.find('&') == made.name.npos && !made.name.empty();
        arrays.push_back(made);
    }

    /// By its name; without one what the file itself calls its vectors or scalars, else the first, at points
    /// before those at cells.
    [[nodiscard]] vti_array const* named(std::string const& variable) const {
        for (bool const at_points : {true, false}) {
            vti_array const* first = nullptr;
            std::array<vti_array const*, 2> called{};
            for (vti_array const& each : arrays) {
                if (each.at_points != at_points) continue;
                if (!variable.empty() && each.name == variable) return &each;
                if (first == nullptr) first = &each;
                for (std::size_t i = 0; i < 2; ++i)
                    if (!each.name.empty() && each.name == meant[at_points ? 0 : 1][i]) called[i] = &each;
            }
            if (!variable.empty() || first == nullptr) continue;
            if (called[0] != nullptr && called[0]->components == 3) return called[0];
            return called[1] != nullptr ? called[1] : first;
        }
        return nullptr;
    }

    bool is_plain = false;
    bool is_big = false;
    bool is_wide = false;
    int pieces = 0;
    std::string_view whole;
    std::array<std::int64_t, 6> extent{};
    std::array<double, 3> origin{};
    std::array<double, 3> spacing{1, 1, 1};
    std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::array<std::array<std::string_view, 2>, 2> meant{}; ///< vectors and scalars, of points and of cells
    std::vector<vti_array> arrays;
};

} // namespace

std::unique_ptr<grid_source> open_vti_boxes(std::filesystem::path const& file, std::string const& variable) {
    vtk_xml_head const text = read_vtk_xml_head(file);
    vti_head const head(text);
    vti_array const* const array = head.is_plain ? head.named(variable) : nullptr;
    if (array == nullptr || !array->type || array->components < 1 || array->components > 1 << 20 ||
        array->offset < 0)
        return nullptr;
    grid_shape shape;
    shape.type = *array->type;
    shape.components = static_cast<int>(array->components);
    for (std::size_t d = 0; d < 3; ++d) shape.points[d] = head.extent[2 * d + 1] - head.extent[2 * d] + 1;
    check_shape(file.string(), shape);
    for (std::size_t d = 0; d < 3; ++d) {
        shape.place.origin[d] = head.origin[d];
        for (std::size_t e = 0; e < 3; ++e) shape.place.matrix[d][e] = head.direction[3 * d + e];
        for (std::int64_t i = head.extent[2 * d]; i <= head.extent[2 * d + 1]; ++i)
            shape.axes[d].push_back(static_cast<double>(i) * head.spacing[d]);
    }
    straighten(shape, file.string());
    if (!array->at_points) {
        check_vtk_xml_cells(file);
        move_to_cells(shape);
    }
    std::size_t const word = head.is_wide ? 8 : 4;
    std::array<std::byte, 8> bytes{};
    file_handle::open_to_read(file).read_all(std::span(bytes).first(word), text.values + array->offset);
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < word; ++i)
        length |= std::to_integer<std::uint64_t>(bytes[head.is_big ? word - 1 - i : i]) << (8 * i);
    std::size_t const expected = bytes_of(shape, points_of(shape));
    if (length != expected)
        throw io_error(file.string() + ": " + std::string(array->name) + " has " + std::to_string(length) +
                       " bytes, expected " + std::to_string(expected));
    bool const swapped = head.is_big != (std::endian::native == std::endian::big);
    return values_in_file(
        file, std::move(shape), text.values + array->offset + static_cast<std::int64_t>(word), swapped);
}

} // namespace weft
