#include <grids/grid_content.hpp>

namespace weft {

namespace {

using namespace std::string_view_literals;

struct known_start {
    std::string_view bytes;
    std::string_view ending;
};

constexpr known_start starts[] = {
    {"NRRD000"sv, ".nrrd"}, {"CDF\1"sv, ".nc"}, {"CDF\2"sv, ".nc"}, {"CDF\5"sv, ".nc"},
    {"\x89HDF\r\n\x1a\n"sv, ".nc4"}, {"\x93NUMPY"sv, ".npy"}, {"\x89PNG\r\n\x1a\n"sv, ".png"},
    {"II*\0"sv, ".tif"}, {"MM\0*"sv, ".tif"}, {"II+\0"sv, ".tif"}, {"MM\0+"sv, ".tif"},
    {"# vtk DataFile"sv, ".vtk"}, {"\x1f\x8b"sv, ".nii.gz"}, // the only packed volumes there are
};

std::string_view ending_of_vtk_xml(std::string_view start) {
    std::size_t const head = start.find("<VTKFile");
    if (head == start.npos) return {};
    std::string_view const element = start.substr(head, start.find('>', head) - head);
    if (element.find("ImageData") != element.npos) return ".vti";
    if (element.find("RectilinearGrid") != element.npos) return ".vtr";
    if (element.find("StructuredGrid") != element.npos) return ".vts";
    return {};
}

} // namespace

std::string ending_of_grid(std::string_view start) {
    for (known_start const& each : starts)
        if (start.starts_with(each.bytes)) return std::string(each.ending);
    if (start.size() >= 348 && start.substr(344, 4) == "n+1\0"sv) return ".nii";
    start = start.substr(0, 4096);
    if (start.starts_with('<'))
        if (auto const ending = ending_of_vtk_xml(start); !ending.empty()) return std::string(ending);
    return ".raw";
}

} // namespace weft
