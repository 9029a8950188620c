#include <grids/grid_formats.hpp>

#include <grids/formats/netcdf_grid.hpp>
#include <grids/formats/nifti_grid.hpp>
#include <grids/formats/npy_grid.hpp>
#include <grids/formats/nrrd_grid.hpp>
#include <grids/formats/raw_grid.hpp>
#include <grids/hdf5/hdf5_grid.hpp>
#include <grids/images/image_stack.hpp>
#include <grids/vtk/vtk_grid.hpp>
#include <grids/vtk/vtk_legacy.hpp>

namespace weft {

namespace {

using namespace std::string_view_literals;

std::unique_ptr<grid_source> open_pages_of(
    std::filesystem::path const& file, grid_file_options const& options) {
    return open_image_stack({file}, options);
}

/// Readers that switches of CMake may leave out.
using opener = decltype(grid_format::open);
using lister = decltype(grid_format::fields);
#ifdef WEFT_WITH_VTK
constexpr opener open_vtk_xml = open_vtk_grid;
constexpr lister fields_of_vtk = fields_of_vtk_grid;
#else
constexpr lister fields_of_vtk = nullptr;
constexpr opener open_vtk_xml = nullptr;
#endif
#ifdef WEFT_WITH_NETCDF
constexpr opener open_netcdf = open_netcdf_grid;
constexpr lister fields_in_netcdf = fields_of_netcdf;
#else
constexpr opener open_netcdf = nullptr;
constexpr lister fields_in_netcdf = nullptr;
#endif
#ifdef WEFT_WITH_HDF5
std::unique_ptr<grid_source> open_address(
    std::filesystem::path const& file, grid_file_options const& options) {
    return open_hdf5_grid(*io::hdf5_address_of(file), options);
}
constexpr opener open_hdf5 = open_address;
std::vector<std::string> fields_of_address(std::filesystem::path const& file) {
    io::hdf5_address const address = *io::hdf5_address_of(file);
    return address.path.empty() ? fields_of_hdf5_file(address.file) : std::vector<std::string>{};
}
constexpr lister fields_of_hdf5 = fields_of_address;
#else
constexpr lister fields_of_hdf5 = nullptr;
constexpr opener open_hdf5 = nullptr;
#endif
#ifdef WEFT_WITH_NRRD
constexpr opener open_nrrd = open_nrrd_grid;
#else
constexpr opener open_nrrd = nullptr;
#endif
#ifdef WEFT_WITH_NIFTI
constexpr opener open_nifti = open_nifti_grid;
#else
constexpr opener open_nifti = nullptr;
#endif

bool is_in_hdf5(std::filesystem::path const& file) {
    return io::hdf5_address_of(file).has_value();
}

std::string_view ending_of_vtk_xml(std::string_view start) {
    start = start.substr(0, 4096);
    std::size_t const head = start.starts_with('<') ? start.find("<VTKFile") : start.npos;
    if (head == start.npos) return {};
    std::string_view const element = start.substr(head, start.find('>', head) - head);
    if (element.find("ImageData") != element.npos) return ".vti";
    if (element.find("RectilinearGrid") != element.npos) return ".vtr";
    if (element.find("StructuredGrid") != element.npos) return ".vts";
    return {};
}

} // namespace

std::span<grid_format const> grid_formats() {
    static std::vector<grid_format> const rows{
        {.name = "raw", .endings = {".raw", ".bin"}, .heeds = {.raw = true}, .open = open_raw_grid},
        {.name = "raw described in JSON", .endings = {".json"}, .open = open_described_grid},
        {.name = "VTK",
            .endings = {".vtk"},
            .starts = {{"# vtk DataFile", ".vtk"}},
            .heeds = {.variable = true},
            .open = open_vtk_legacy,
            .fields = fields_of_vtk_legacy},
        {.name = "VTK XML",
            .endings = {".vti", ".vtr", ".vts"},
            .ending_of_start = ending_of_vtk_xml,
            .heeds = {.variable = true},
            .open = open_vtk_xml,
            .fields = fields_of_vtk,
            .left_out_by = "WEFT_VTK"},
        {.name = "NetCDF",
            .endings = {".nc", ".cdf", ".nc4"},
            .starts = {{"CDF\1", ".nc"}, {"CDF\2", ".nc"}, {"CDF\5", ".nc"}, {"\x89HDF\r\n\x1a\n", ".nc4"}},
            .heeds = {.variable = true, .step = true},
            .open = open_netcdf,
            .fields = fields_in_netcdf,
            .left_out_by = "WEFT_NETCDF"},
        {.name = "HDF5",
            .endings = {io::hdf5_endings.begin(), io::hdf5_endings.end()},
            .has_name = is_in_hdf5,
            .shown = "FILE.h5:/path",
            .heeds = {.variable = true, .step = true},
            .open = open_hdf5,
            .fields = fields_of_hdf5,
            .left_out_by = "WEFT_HDF5"},
        {.name = "NRRD",
            .endings = {".nrrd", ".nhdr"},
            .starts = {{"NRRD000", ".nrrd"}},
            .open = open_nrrd,
            .left_out_by = "WEFT_NRRD"},
        {.name = "NIfTI",
            .endings = {".nii", ".nii.gz", ".hdr", ".img"},
            .starts = {{"\x1f\x8b", ".nii.gz"}, // the only compressed volumes
                {"n+1\0"sv, ".nii", 344}},
            .heeds = {.step = true},
            .open = open_nifti,
            .left_out_by = "WEFT_NIFTI"},
        {.name = "TIFF",
            .endings = {".tif", ".tiff"},
            .starts = {{"II*\0"sv, ".tif"}, {"MM\0*"sv, ".tif"}, {"II+\0"sv, ".tif"}, {"MM\0+"sv, ".tif"}},
            .heeds = {.channel = true},
            .open = open_pages_of,
            .open_pages = open_tiff},
        {.name = "NumPy",
            .endings = {".npy"},
            .starts = {{"\x93NUMPY", ".npy"}},
            .heeds = {.step = true},
            .open = open_npy_grid},
        {.name = "PNG",
            .endings = {".png"},
            .starts = {{"\x89PNG\r\n\x1a\n", ".png"}},
            .heeds = {.channel = true},
            .open = open_pages_of,
            .open_pages = open_png},
    };
    return rows;
}

} // namespace weft
