#include <meshes/mesh_formats.hpp>

#include <meshes/gmsh_mesh.hpp>
#include <meshes/vtk_mesh.hpp>
#include <meshes/xdmf_mesh.hpp>

#include <io/formats/file_ending.hpp>

#include <algorithm>

namespace weft {

namespace {

#ifdef WEFT_WITH_VTK
constexpr auto read_vtk = read_vtk_mesh;
#else
constexpr decltype(mesh_format::read) read_vtk = nullptr;
#endif

} // namespace

std::span<mesh_format const> mesh_formats() {
    static std::vector<mesh_format> const rows{
        {.name = "VTK XML",
            .endings = {".vtu", ".pvtu"},
            .words = {"type=\"UnstructuredGrid\""},
            .read = read_vtk,
            .left_out_by = "WEFT_VTK"},
        {.name = "VTK",
            .endings = {".vtk"},
            .is_mesh = is_legacy_mesh,
            .read = read_vtk,
            .left_out_by = "WEFT_VTK"},
        {.name = "Gmsh", .endings = {".msh"}, .starts = {"$MeshFormat", "$Comments"}, .read = read_gmsh_mesh},
        {.name = "XDMF", .endings = {".xdmf", ".xmf"}, .words = {"<Xdmf"}, .read = read_xdmf_mesh},
        {.name = "PLOT3D", .endings = {".xyz", ".p3d", ".x", ".g", ".xyzb"}, .with_solution = true},
    };
    return rows;
}

mesh_format const* mesh_format_of(std::filesystem::path const& file) {
    for (mesh_format const& each : mesh_formats())
        if (!io::ending_among(file, each.endings).empty() && (!each.is_mesh || each.is_mesh(file)))
            return &each;
    return nullptr;
}

std::string ending_of_mesh(std::string_view start) {
    std::string_view const head = start.substr(0, 4096);
    auto const begins = [&](std::string_view each) { return head.starts_with(each); };
    auto const has = [&](std::string_view each) { return head.find(each) != head.npos; };
    for (mesh_format const& each : mesh_formats())
        if (std::ranges::any_of(each.starts, begins) || std::ranges::any_of(each.words, has))
            return std::string(each.endings[0]);
    return {};
}

std::string list_of_mesh_formats() {
    std::string list;
    for (mesh_format const& each : mesh_formats()) {
        if (!each.read && !each.with_solution) continue;
        list.append(list.empty() ? "" : ", ").append(each.name) += " (" + io::list_of_endings(each.endings);
        list += each.with_solution ? "; with a solution)" : ")";
    }
    return list;
}

} // namespace weft
