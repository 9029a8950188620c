/// The description of a structured grid in an XML file of VTK.
#pragma once

#include <grids/values/value_reader.hpp>
#include <grids/vtk/vtk_xml_tags.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

enum class vtk_encoding : std::uint8_t { text, base64, raw };

/// An array of a piece, and its place.
struct vtk_xml_array {
    std::string name;
    std::string type;
    std::int64_t components = 1;
    vtk_encoding as = vtk_encoding::text;
    std::int64_t begin = 0; ///< offset in the file of its text, or of its head
};

struct vtk_xml_piece {
    box<std::int64_t> points;                         ///< within the whole grid
    std::array<std::vector<vtk_xml_array>, 2> arrays; ///< of its points, and of its cells
    std::vector<vtk_xml_array> places;                ///< coordinates of axes, or points
};

/// The tags of a file. `is_known`: false if only VTK can read the file.
class vtk_xml_file {
public:
    /// Local. Throws: `io_error`.
    explicit vtk_xml_file(std::filesystem::path const& file);

    /// Returns the type of the values of an array; empty if it is unknown.
    [[nodiscard]] static std::optional<value_type> type_of(vtk_xml_array const& array);
    /// Makes a reader of the `count` values of an array. Throws: `io_error` if its head has another
    /// number.
    [[nodiscard]] std::unique_ptr<value_reader> values_of(
        vtk_xml_array const& array, value_type type, std::int64_t count) const;

    [[nodiscard]] std::string name() const { return file_.string(); }
    /// Returns the number of points along each axis.
    [[nodiscard]] std::array<std::int64_t, 3> points() const noexcept;

    bool is_known = true;
    std::string kind;                     ///< ImageData, RectilinearGrid, StructuredGrid
    std::array<std::int64_t, 6> extent{}; ///< of the whole grid: first and last point along each axis
    std::array<double, 3> origin{};
    std::array<double, 3> spacing{1, 1, 1};
    std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
    /// The names of vectors and scalars in the first piece, of points and of cells.
    std::array<std::array<std::string, 2>, 2> meant;
    std::vector<vtk_xml_piece> pieces; ///< without empty ones

private:
    void begin_whole(vtk_xml_tag const& tag);
    void begin_piece(vtk_xml_tag const& tag);
    [[nodiscard]] std::optional<vtk_xml_array> array_of(vtk_xml_tag const& tag) const;
    [[nodiscard]] std::uint64_t word_at(std::span<std::byte const> words, std::size_t number) const;
    [[nodiscard]] std::unique_ptr<byte_reader> unpacked(
        vtk_xml_array const& array, std::unique_ptr<byte_reader> head, std::int64_t bytes) const;

    std::filesystem::path file_;
    std::string compressor_;
    bool is_big_ = false;
    bool is_wide_ = false; // words before values have 8 bytes
    std::int64_t values_ = 0;
    vtk_encoding appended_as_ = vtk_encoding::raw;
};

} // namespace weft
