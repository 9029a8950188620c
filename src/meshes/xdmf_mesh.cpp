#include <meshes/xdmf_mesh.hpp>

#include <core/number_text.hpp>
#include <files/file_handle.hpp>
#ifdef WEFT_WITH_HDF5
#include <grids/hdf5/hdf5_file.hpp>
#endif
#include <core/lower_case.hpp>
#include <grids/values/byte_order.hpp>
#include <meshes/chosen_arrays.hpp>
#include <meshes/xdmf_attributes.hpp>
#include <meshes/xdmf_cells.hpp>
#include <meshes/xml_tree.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

namespace {

bool is_space(char each) noexcept {
    return each == ' ' || each == '\n' || each == '\t' || each == '\r';
}

std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

class xdmf_file {
public:
    explicit xdmf_file(std::filesystem::path const& file) : file_(file), root_(read_xml(file)) {
        if (root_.name != "Xdmf") fail(root_, "expected the element Xdmf, found " + root_.name);
    }

    mesh_piece piece(mesh_request const& wanted) {
        check_xdmf_attributes(file_.string(), root_);
        xml_element const& grid = uniform_grid(only(only(root_, "Domain"), "Grid"));
        take_points(only(grid, "Geometry"));
        take_cells(only(grid, "Topology"));
        std::vector<mesh_array> arrays;
        for (xml_element const* const each : grid.all("Attribute")) take_array(*each, arrays);
        if (!made_.places.empty()) made_.arrays = chosen_arrays(file_.string(), arrays, wanted);
        return std::move(made_);
    }

private:
    /// Returns the grid itself, or the only grid of a collection.
    xml_element const& uniform_grid(xml_element const& grid) const {
        std::string const kind = in_lower_case(grid.attribute("GridType"));
        if (kind == "collection") return uniform_grid(only(grid, "Grid"));
        if (!kind.empty() && kind != "uniform")
            fail(grid, "the grid is a " + kind + "; expected one of the type Uniform");
        if (!grid.all("Grid").empty()) fail(grid, "the grid has grids in it, and is not a collection");
        return grid;
    }

    [[noreturn]] void fail(xml_element const& at, std::string const& text) const {
        throw io_error(file_.string() + ":" + std::to_string(at.line) + ": " + text);
    }

    xml_element const& only(xml_element const& in, char const* name) const {
        std::vector<xml_element const*> const found = in.all(name);
        if (found.size() != 1)
            fail(in, "expected one element " + std::string(name) + " in " + in.name + ", found " +
                         std::to_string(found.size()));
        return *found[0];
    }

    /// Returns an attribute that has one of two names.
    [[nodiscard]] static std::string either(xml_element const& of, char const* name, char const* other) {
        std::string_view const first = of.attribute(name);
        return in_lower_case(first.empty() ? of.attribute(other) : first);
    }

    [[nodiscard]] std::int64_t whole(xml_element const& of, char const* name) const {
        std::string_view const text = trimmed(of.attribute(name));
        std::int64_t found = 0;
        auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), found);
        if (error != std::errc{} || stop != text.data() + text.size() || found < 0)
            fail(of,
                of.name + ": expected a whole number as " + name + ", found \"" + std::string(text) + '"');
        return found;
    }

    [[nodiscard]] std::vector<std::int64_t> dimensions(xml_element const& item) const {
        std::vector<std::int64_t> along;
        std::string_view text = item.attribute("Dimensions");
        std::int64_t all = 1;
        for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
            std::int64_t each = -1;
            auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), each);
            bool const good =
                error == std::errc{} && each >= 0 && each <= most_numbers / std::max<std::int64_t>(all, 1);
            if (!good)
                fail(item, "DataItem: expected dimensions, found \"" +
                               std::string(item.attribute("Dimensions")) + '"');
            all *= each;
            along.push_back(each);
            text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
        }
        if (along.empty()) fail(item, "DataItem: expected Dimensions");
        return along;
    }

    struct numbers {
        std::vector<double> values;
        std::int64_t of_each = 1; // product of all dimensions but the first
    };

    /// Reads the numbers of an item. Integers up to 2^53 are exact.
    [[nodiscard]] numbers read(xml_element const& item) const {
        std::vector<std::int64_t> const along = dimensions(item);
        numbers made;
        std::int64_t count = along[0];
        for (std::size_t d = 1; d < along.size(); ++d) made.of_each *= along[d];
        count *= made.of_each;
        if (std::string const kind = in_lower_case(item.attribute("ItemType"));
            !kind.empty() && kind != "uniform")
            fail(item, "DataItem: expected one of the ItemType Uniform, found " + kind);
        std::string const format = in_lower_case(item.attribute("Format"));
        if (format.empty() || format == "xml")
            made.values = from_text(item, count);
        else if (format == "binary")
            made.values = from_raw(item, count);
        else if (format == "hdf")
            made.values = from_hdf5(item, count);
        else
            fail(item,
                "DataItem: its numbers are in the format " + format + "; known are XML, Binary and HDF");
        return made;
    }

    [[nodiscard]] std::vector<double> from_text(xml_element const& item, std::int64_t count) const {
        std::vector<double> values;
        for (std::string_view text = trimmed(item.text); !text.empty(); text = trimmed(text)) {
            if (text.front() == '+') text.remove_prefix(1);
            double each = 0;
            auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), each);
            if (error == std::errc::result_out_of_range)
                each = std::strtod(std::string(text.data(), stop).c_str(), nullptr); // 0, or an infinity
            bool const ends = stop == text.data() + text.size() || is_space(*stop);
            if (error == std::errc::invalid_argument || !ends)
                fail(item, "DataItem: expected a number, found \"" +
                               std::string(
                                   text.substr(0, std::min<std::size_t>(text.find_first_of(" \n\t\r"), 40))) +
                               '"');
            values.push_back(each);
            text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
        }
        if (static_cast<std::int64_t>(values.size()) != count)
            fail(item, "DataItem: expected " + std::to_string(count) + " numbers, found " +
                           std::to_string(values.size()));
        return values;
    }

    [[nodiscard]] std::vector<double> from_raw(xml_element const& item, std::int64_t count) const {
        std::string const kind = either(item, "NumberType", "DataType");
        std::int64_t bytes = item.attribute("Precision").empty() ? 4 : whole(item, "Precision");
        if (kind == "char" || kind == "uchar") bytes = 1;
        std::string const endian = in_lower_case(item.attribute("Endian"));
        bool const swapped = endian == (std::endian::native == std::endian::little ? "big" : "little");
        auto const as = [&]<class T>(T) {
            auto const raw = file_handle::open_to_read(file_.parent_path() / std::string(trimmed(item.text)));
            std::int64_t const seek = item.attribute("Seek").empty() ? 0 : whole(item, "Seek");
            if (seek > raw.size() || count > (raw.size() - seek) / static_cast<std::int64_t>(sizeof(T)))
                fail(item, raw.path().string() + " has " + std::to_string(raw.size()) + " bytes; expected " +
                               std::to_string(count) + " numbers of " + std::to_string(sizeof(T)) +
                               " bytes behind byte " + std::to_string(seek));
            std::vector<T> read(static_cast<std::size_t>(count));
            std::span<std::byte> const into = std::as_writable_bytes(std::span(read));
            raw.read_all(into, seek);
            if (swapped) swap_bytes(into, sizeof(T));
            return std::vector<double>(read.begin(), read.end());
        };
        bool const real = kind.empty() || kind == "float";
        if (real && bytes == 4) return as(float{});
        if (real && bytes == 8) return as(double{});
        if (kind == "int" && bytes == 4) return as(std::int32_t{});
        if (kind == "int" && bytes == 8) return as(std::int64_t{});
        if (kind == "uint" && bytes == 4) return as(std::uint32_t{});
        if (kind == "uint" && bytes == 8) return as(std::uint64_t{});
        if ((kind == "int" || kind == "short") && bytes == 2) return as(std::int16_t{});
        if (kind == "char" || (kind == "int" && bytes == 1)) return as(std::int8_t{});
        if (kind == "uchar" || (kind == "uint" && bytes == 1)) return as(std::uint8_t{});
        fail(item, "DataItem: numbers of the type " + kind + " of " + std::to_string(bytes) +
                       " bytes are not known");
    }

#ifdef WEFT_WITH_HDF5
    /// Reads FILE:DATASET, where FILE is relative to the folder of this file.
    [[nodiscard]] std::vector<double> from_hdf5(xml_element const& item, std::int64_t count) const {
        std::string const text(trimmed(item.text));
        std::size_t colon = text.find(":/");
        if (colon == std::string::npos) colon = text.rfind(':');
        if (colon == std::string::npos || colon == 0)
            fail(item, "DataItem: expected FILE:/DATASET, found \"" + text.substr(0, 40) + '"');
        try {
            hdf5_file const held(file_.parent_path() / text.substr(0, colon));
            hdf5_dataset const set = held.open(text.substr(colon + 1));
            std::int64_t found = 1;
            for (std::int64_t const length : set.lengths()) found *= length;
            if (found == count) return set.read_all();
            fail(item, "DataItem: expected " + std::to_string(count) + " numbers, found " +
                           in_words(set.lengths()) + " in " + set.name());
        } catch (usage_error const& caught) { fail(item, std::string("DataItem: ") + caught.what()); }
    }
#else
    [[noreturn]] std::vector<double> from_hdf5(xml_element const& item, std::int64_t) const {
        fail(item, "DataItem: this weft was built without HDF5; build it with -DWEFT_HDF5=ON");
    }
#endif

    void take_points(xml_element const& geometry) {
        std::string const kind = either(geometry, "GeometryType", "Type");
        std::int64_t const axes = kind == "xy" ? 2 : 3;
        if (kind == "x_y_z") return take_axes(geometry);
        if (kind != "xy" && kind != "xyz" && !kind.empty())
            fail(geometry, "the geometry is of the type " + kind + "; known are XYZ, XY and X_Y_Z");
        xml_element const& item = only(geometry, "DataItem");
        numbers const found = read(item);
        if (static_cast<std::int64_t>(found.values.size()) % axes != 0)
            fail(item, "expected " + std::to_string(axes) + " coordinates for each point");
        made_.places.resize(found.values.size() / static_cast<std::size_t>(axes));
        for (std::size_t i = 0; i < found.values.size(); ++i)
            made_.places[i / static_cast<std::size_t>(axes)][i % static_cast<std::size_t>(axes)] =
                found.values[i];
    }

    /// Reads coordinates along x, y and z that have an item each.
    void take_axes(xml_element const& geometry) {
        std::vector<xml_element const*> const items = geometry.all("DataItem");
        if (items.size() != 3)
            fail(geometry,
                "expected three elements DataItem, of x, y and z, found " + std::to_string(items.size()));
        for (std::size_t d = 0; d < 3; ++d) {
            std::vector<double> const along = read(*items[d]).values;
            if (d == 0) made_.places.resize(along.size());
            if (along.size() != made_.places.size())
                fail(*items[d], "expected " + std::to_string(made_.places.size()) + " coordinates, found " +
                                    std::to_string(along.size()));
            for (std::size_t i = 0; i < along.size(); ++i) made_.places[i][d] = along[i];
        }
    }

    /// Returns the point with a number in a cell; points count from `first_point_`.
    [[nodiscard]] global_id corner(xml_element const& at, double number) const {
        double const value = number - first_point_;
        auto const points = static_cast<double>(made_.places.size());
        if (!(value >= 0 && value < points) || value != std::floor(value))
            fail(at, "the cell " + std::to_string(kept_.size()) + " has the corner " + number_text(number) +
                         ", and there are " + std::to_string(made_.places.size()) + " points" +
                         (first_point_ == 0 ? "" : ", counted from " + number_text(first_point_)));
        return static_cast<global_id>(value);
    }

    void take_cell(xml_element const& at, xdmf_cell const& as, double const* corners) {
        if (as.kind) {
            made_.kinds.push_back(*as.kind);
            std::size_t const many = corners_of(*as.kind);
            if (static_cast<std::size_t>(as.points) > many) ++made_.straightened;
            for (std::size_t c = 0; c < many; ++c) made_.corners.push_back(corner(at, corners[c]));
        } else {
            ++made_.left_out;
        }
        kept_.push_back(as.kind.has_value());
    }

    void take_cells(xml_element const& topology) {
        std::string const kind = xdmf_cell_name(either(topology, "TopologyType", "Type"));
        if (std::string_view const text = trimmed(topology.attribute("BaseOffset")); !text.empty()) {
            std::int64_t first = 0;
            auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), first);
            if (error != std::errc{} || stop != text.data() + text.size())
                fail(topology, "expected a whole number as BaseOffset, found \"" + std::string(text) + '"');
            first_point_ = static_cast<double>(first);
        }
        numbers const found = read(only(topology, "DataItem"));
        if (kind == "mixed")
            take_mixed(topology, found.values);
        else
            take_uniform(topology, kind, found.values);
        char const* const name =
            topology.attribute("NumberOfElements").empty() ? "Dimensions" : "NumberOfElements";
        if (topology.attribute(name).empty()) return;
        if (std::int64_t const said = whole(topology, name); said != static_cast<std::int64_t>(kept_.size()))
            fail(topology,
                "expected " + std::to_string(said) + " cells, found " + std::to_string(kept_.size()));
    }

    void take_uniform(
        xml_element const& topology, std::string const& kind, std::vector<double> const& numbers) {
        for (xdmf_cell const& each : xdmf_cells) {
            if (kind != each.name) continue;
            std::int64_t const corners = each.points > 0 ? each.points : whole(topology, "NodesPerElement");
            if (corners < 1 || static_cast<std::int64_t>(numbers.size()) % corners != 0)
                fail(topology, "expected " + std::to_string(corners) + " corners for each cell");
            for (std::size_t at = 0; at < numbers.size(); at += static_cast<std::size_t>(corners))
                take_cell(topology, each, numbers.data() + at);
            return;
        }
        fail(topology, "cells of the type " + (kind.empty() ? "that is not named" : kind) +
                           " are not known; known are Tetrahedron, Pyramid, Wedge, Hexahedron and Mixed");
    }

    void take_mixed(xml_element const& topology, std::vector<double> const& numbers) {
        for (std::size_t at = 0; at < numbers.size();) {
            double const code = numbers[at++];
            auto const* const as = std::ranges::find(xdmf_cells, code, &xdmf_cell::code);
            if (as == std::end(xdmf_cells))
                fail(topology, "the cell " + std::to_string(kept_.size()) + " is of the type " +
                                   number_text(code) + ", which is not known");
            double corners = as->points;
            if (as->points == 0 && at < numbers.size()) corners = numbers[at++];
            if (!(corners >= 1 && corners <= static_cast<double>(numbers.size() - at)))
                fail(topology, "the cell " + std::to_string(kept_.size()) + " ends behind the last number");
            take_cell(topology, *as, numbers.data() + at);
            at += static_cast<std::size_t>(corners);
        }
    }

    void take_array(xml_element const& attribute, std::vector<mesh_array>& into) const {
        std::string const center = in_lower_case(attribute.attribute("Center"));
        if (center != "node" && center != "cell" && !center.empty()) return; // of grids, faces or edges
        bool const of_cells = center == "cell";
        numbers found = read(only(attribute, "DataItem"));
        std::size_t const of = of_cells ? kept_.size() : made_.places.size();
        std::size_t const components = of == 0 ? 1 : found.values.size() / of;
        if (of > 0 && (components == 0 || components * of != found.values.size()))
            fail(attribute, std::string(attribute.attribute("Name")) + ": expected values of " +
                                std::to_string(of) + (of_cells ? " cells" : " points") + ", found " +
                                std::to_string(found.values.size()));
        mesh_array made{
            {std::string(attribute.attribute("Name")), static_cast<int>(components), {}}, of_cells};
        if (of_cells) {
            for (std::size_t cell = 0; cell < of; ++cell)
                if (kept_[cell])
                    made.what.values.insert(made.what.values.end(),
                        found.values.begin() + static_cast<std::ptrdiff_t>(cell * components),
                        found.values.begin() + static_cast<std::ptrdiff_t>((cell + 1) * components));
        } else {
            made.what.values = std::move(found.values);
        }
        into.push_back(std::move(made));
    }

    static constexpr std::int64_t most_numbers = std::int64_t{1} << 48;

    std::filesystem::path file_;
    xml_element root_;
    mesh_piece made_;
    double first_point_ = 0; // the number that cells use for the first point
    std::vector<bool> kept_; // for each cell of the file
};

} // namespace

mesh_piece read_xdmf_mesh(std::filesystem::path const& file, mesh_request const& wanted) {
    return xdmf_file(file).piece(wanted);
}

} // namespace weft
