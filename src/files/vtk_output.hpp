/// XML files of VTK whose arrays stand behind their description. Private.
#pragma once

#include <files/file_segments.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

/// What VTK calls values of a type.
template <class T>
[[nodiscard]] constexpr char const* vtk_type() noexcept {
    if constexpr (std::is_same_v<T, double>) return "Float64";
    if constexpr (std::is_same_v<T, float>) return "Float32";
    if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
    if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
    if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

/// A file of one piece, of all ranks or of one: describe it in order, then take its segments. Arrays live
/// until these are written.
class vtk_output {
public:
    /// The cells of a piece of polydata.
    struct polygons {
        std::int64_t points = 0;
        std::int64_t verts = 0;
        std::int64_t lines = 0;
        std::int64_t polys = 0;
    };

    [[nodiscard]] static vtk_output polydata(polygons const& all);
    [[nodiscard]] static vtk_output unstructured_grid(std::int64_t points, std::int64_t cells);
    /// `kind`: ImageData or RectilinearGrid. `where_it_lies`: attributes beside the extent.
    [[nodiscard]] static vtk_output grid(
        std::string kind, std::span<std::int64_t const, 3> points, std::string const& where_it_lies);

    /// A section, such as `Points`, up to the next one.
    void section(std::string name, std::string attributes = {}) {
        sections_.push_back({std::move(name), std::move(attributes), {}});
    }
    /// `mine`: this rank's part of an array that has `tuples` of `components` values in all.
    template <class T, class Values>
    void array(std::string name, int components, std::int64_t tuples, Values const& mine) {
        add<T>(std::move(name), components, tuples, std::as_bytes(std::span(mine)), 0, {});
    }
    /// `mine`: the tuples of this rank's part, which `write` makes, as `file_segments` says.
    template <class T>
    void array(std::string name, int components, std::int64_t tuples, std::int64_t mine,
        file_segments::writer write) {
        add<T>(std::move(name), components, tuples, {},
            mine * components * static_cast<std::int64_t>(sizeof(T)), std::move(write));
    }
    /// Fields with a name, components and values.
    template <class Field>
    void fields(std::vector<Field> const& fields, std::int64_t tuples) {
        for (Field const& each : fields) array<double>(each.name, each.components, tuples, each.values);
    }

    [[nodiscard]] file_segments segments() const;
    /// The text of a file that names files which are all described like this one.
    [[nodiscard]] std::string index_of(std::vector<std::string> const& pieces) const;

private:
    struct data_array {
        std::string description; // attributes
        std::uint64_t bytes;
        std::span<std::byte const> held;
        std::int64_t bytes_here; // of those that are not held
        file_segments::writer write;
    };
    struct data_section {
        std::string name;
        std::string attributes;
        std::vector<data_array> arrays;
    };

    vtk_output(std::string kind, std::string whole, std::string piece)
        : kind_(std::move(kind)), whole_(std::move(whole)), piece_(std::move(piece)) {}

    template <class T>
    void add(std::string_view name, int components, std::int64_t tuples, std::span<std::byte const> held,
        std::int64_t bytes_here, file_segments::writer write) {
        sections_.back().arrays.push_back({described(vtk_type<T>(), name, components),
            static_cast<std::uint64_t>(tuples) * static_cast<std::uint64_t>(components) * sizeof(T), held,
            bytes_here, std::move(write)});
    }
    [[nodiscard]] static std::string described(char const* type, std::string_view name, int components);

    std::string kind_;
    std::string whole_; // attributes
    std::string piece_; // attributes
    std::vector<data_section> sections_;
};

} // namespace weft
