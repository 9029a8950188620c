#include "file_kind.hpp"

#include <core/lower_case.hpp>
#include <files/file_handle.hpp>
#include <grids/grid_formats.hpp>
#include <io/formats/graph_formats.hpp>
#include <io/formats/numpy_header.hpp>
#include <meshes/mesh_formats.hpp>
#include <snapshots/snapshot_formats.hpp>

#include <weft/core/error.hpp>
#include <weft/io/named_generator.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace weft::tool {

namespace {

bool is_generator(std::string const& text) {
    return names_generator(text) && !std::filesystem::exists(text);
}

file_kind kind_of_array(std::filesystem::path const& file) {
    io::numpy_header const header = io::read_numpy_header(file_handle::open_to_read(file));
    if (header.shape.size() != 2) return file_kind::volume;
    bool const is_real = header.kind == 'f';
    if (header.shape[1] == 2 && !is_real) return file_kind::graph;
    if (header.shape[1] == 3) return is_real ? file_kind::particles : file_kind::graph;
    return file_kind::volume;
}

/// True for a table whose first line names the columns x, y and z.
bool has_places(std::filesystem::path const& path) {
    file_handle const file = file_handle::open_to_read(path);
    std::string text(4096, '\0');
    text.resize(file.read(text.data(), text.size(), 0));
    std::string line = in_lower_case(text.substr(0, text.find('\n')));
    std::ranges::replace_if(
        line, [](char c) { return std::string_view(",;\t\r\"").find(c) != std::string_view::npos; }, ' ');
    line = ' ' + line + ' ';
    return std::ranges::all_of(
        std::array{" x ", " y ", " z "}, [&](char const* name) { return line.find(name) != line.npos; });
}

bool begins_as_particles(std::filesystem::path const& path) {
    if (std::filesystem::is_directory(path)) return false;
    file_handle const file = file_handle::open_to_read(path);
    return snapshots::is_checkpoint(file) || snapshots::is_tipsy(file) || snapshots::is_gadget(file);
}

/// A surface would else be taken for the text of a graph.
void refuse_surface(std::filesystem::path const& file) {
    std::string const suffix = in_lower_case(file.extension().string());
    if (suffix == ".vtp" || suffix == ".pvtp" || suffix == ".stl" || suffix == ".ply" || suffix == ".obj")
        throw usage_error(
            file.string() +
            ": is a surface by its ending; Weft writes surfaces but does not read them (ParaView does)");
}

file_kind kind_here(std::string const& name) {
    std::filesystem::path const file = name;
    if (is_generator(name)) return file_kind::graph;
    refuse_surface(file);
    if (mesh_format_of(file)) return file_kind::mesh;
    grid_format const* const grid = grid_format_of(file);
    if (grid && grid->name == "NumPy") return kind_of_array(file);
    if (grid) return file_kind::volume;
    std::string const suffix = io::suffix_of_text(file);
    if (suffix == ".csv" || suffix == ".txt")
        return file.extension() == suffix && has_places(file) ? file_kind::particles : file_kind::graph;
    if (io::format_of_suffix(file, true) != graph_format::automatic) return file_kind::graph;
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored) || name.find_first_of("*?[") != name.npos)
        return file_kind::volume; // a stack of images
    return begins_as_particles(file) ? file_kind::particles : file_kind::graph;
}

} // namespace

char const* name_of(file_kind kind) noexcept {
    constexpr char const* names[] = {"graph", "volume", "mesh", "particles"};
    return names[static_cast<std::size_t>(kind)];
}

file_kind kind_of_file(communicator const& comm, std::string const& file) {
    auto kind = file_kind::graph;
    agreed(comm, [&] {
        if (comm.rank() == 0) kind = kind_here(file);
    });
    return static_cast<file_kind>(max(comm, static_cast<std::int64_t>(kind))); // the others have the least
}

} // namespace weft::tool
