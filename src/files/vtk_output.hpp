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

/// A name as it stands between quotes in XML.
[[nodiscard]] std::string in_xml(std::string_view name);

/// The byte order of this machine, in VTK's words.
[[nodiscard]] char const* byte_order() noexcept;

/// What VTK calls values of a type.
template <class T>
[[nodiscard]] constexpr char const* vtk_type() noexcept {
    if constexpr (std::is_same_v<T, double>) return "Float64";
    if constexpr (std::is_same_v<T, float>) return "Float32";
    if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
    if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

/// A file of one piece, of all ranks or of one: describe it in order, then `write` it or take its bytes.
/// Arrays live until then.
class vtk_output {
public:
    /// `kind`: PolyData or UnstructuredGrid. `counts`: attributes of the piece.
    vtk_output(std::string kind, std::string const& counts);

    /// A section, such as `Points`, up to the next one.
    void section(std::string const& name, std::string const& attributes = {});
    /// `mine`: this rank's part of an array that has `tuples` of `components` values in all.
    template <class T, class Held>
    void array(std::string const& name, int components, std::int64_t tuples, std::vector<Held> const& mine) {
        auto const bytes = std::as_bytes(std::span(mine));
        add(vtk_type<T>(), name, components, tuples * components * static_cast<std::int64_t>(sizeof(T)),
            {static_cast<std::int64_t>(bytes.size()), bytes, {}});
    }
    /// `mine`: the tuples of this rank's part, which `write` makes, as `file_segments` says.
    template <class T>
    void array(std::string const& name, int components, std::int64_t tuples, std::int64_t mine,
        file_segments::writer write) {
        std::int64_t const each = components * static_cast<std::int64_t>(sizeof(T));
        add(vtk_type<T>(), name, components, tuples * each, {mine * each, {}, std::move(write)});
    }
    /// Fields with a name, components and values.
    template <class Field>
    void fields(std::vector<Field> const& fields, std::int64_t tuples) {
        for (Field const& each : fields) array<double>(each.name, each.components, tuples, each.values);
    }

    /// `leads`: this rank has what is there once.
    [[nodiscard]] file_segments segments(bool leads);

private:
    struct part {
        std::int64_t bytes;
        std::span<std::byte const> held;
        file_segments::writer write; // of those that are not held
    };
    struct appended {
        std::uint64_t bytes;
        part mine;
    };

    void add(char const* type, std::string const& name, int components, std::int64_t bytes, part mine);
    void end_section();

    std::string kind_;
    std::string head_;
    std::string section_;
    std::uint64_t offset_ = 0;
    std::vector<appended> arrays_;
};

} // namespace weft
