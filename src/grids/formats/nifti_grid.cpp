#include <grids/formats/nifti_grid.hpp>

#include <core/file_handle.hpp>
#include <grids/values/byte_order.hpp>
#include <grids/values/grid_memory.hpp>
#include <grids/views/memory_grid.hpp>

#include <weft/core/error.hpp>

#include <nifti1_io.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

namespace weft {

namespace {

struct free_image {
    void operator()(nifti_image* image) const { nifti_image_free(image); }
};
using image_pointer = std::unique_ptr<nifti_image, free_image>;

value_type type_of(nifti_image const& image, std::string const& file) {
    switch (image.datatype) {
    case DT_INT8:
        return value_type::int8;
    case DT_UINT8:
        return value_type::uint8;
    case DT_INT16:
        return value_type::int16;
    case DT_UINT16:
        return value_type::uint16;
    case DT_INT32:
        return value_type::int32;
    case DT_UINT32:
        return value_type::uint32;
    case DT_INT64:
        return value_type::int64;
    case DT_UINT64:
        return value_type::uint64;
    case DT_FLOAT32:
        return value_type::float32;
    case DT_FLOAT64:
        return value_type::float64;
    default:
        throw io_error(file + ": cannot use values of type " + nifti_datatype_string(image.datatype));
    }
}

/// The values as they are stored, in the byte order of this machine. libniftiio would take zeros for values
/// that a file lacks, and for those that are not numbers. zlib also reads what is not compressed.
std::vector<std::byte> values_of(nifti_image const& image, std::string const& file) {
    auto const value = static_cast<std::size_t>(image.nbyper);
    std::vector<std::byte> values(static_cast<std::size_t>(image.nvox) * value);
    gzFile const in = gzopen(image.iname, "rb");
    if (!in) throw io_error(file + ": cannot open " + image.iname + ", which has its values");
    bool good = image.iname_offset >= 0 && gzseek(in, image.iname_offset, SEEK_SET) == image.iname_offset;
    for (std::size_t done = 0; good && done < values.size();) {
        auto const wanted = static_cast<unsigned>(std::min<std::size_t>(values.size() - done, 1U << 30));
        int const read = gzread(in, values.data() + done, wanted);
        good = read > 0;
        if (good) done += static_cast<std::size_t>(read);
    }
    gzclose(in);
    if (!good)
        throw io_error(file + ": ends before its " + std::to_string(image.nvox) + " values; copy it again");
    if (value > 1 && image.byteorder != nifti_short_order())
        nifti_swap_Nbytes(image.nvox, static_cast<int>(value), values.data());
    return values;
}

/// Checks what libniftiio corrects without a word or prints a complaint of. A name of an .img is not one of a
/// head.
void check_nifti_head(std::filesystem::path const& path) {
    std::string const file = path.string();
    if (file.ends_with(".img") || file.ends_with(".img.gz")) return;
    gzFile const in = gzopen(file.c_str(), "rb");
    std::array<std::byte, 348> head{};
    int const got = in ? gzread(in, head.data(), static_cast<unsigned>(head.size())) : -1;
    if (in) gzclose(in);
    if (got != static_cast<int>(head.size())) throw io_error(file + ": is not a NIfTI file that can be read");
    std::int32_t size = 0;
    std::array<std::int16_t, 8> dim{};
    std::memcpy(&size, head.data(), sizeof size);
    bool const swapped = size != 348;
    if (swapped) {
        swap_bytes(std::span(head).first(4), 4);
        swap_bytes(std::span(head).subspan(40, 16), 2);
        std::memcpy(&size, head.data(), sizeof size);
    }
    if (size != 348)
        throw io_error(file + ": is not a NIfTI-1 file: its head begins with another number than 348");
    std::memcpy(dim.data(), head.data() + 40, sizeof dim);
    std::int16_t type = 0;
    if (swapped) swap_bytes(std::span(head).subspan(70, 2), 2);
    std::memcpy(&type, head.data() + 70, sizeof type);
    if (nifti_is_valid_datatype(type) == 0)
        throw io_error(
            file + ": has values of type " + std::to_string(type) + ", which NIfTI-1 does not know");
    if (dim[0] < 1 || dim[0] > 7)
        throw io_error(file + ": has " + std::to_string(dim[0]) + " dimensions; expected 1 to 7");
    for (std::size_t d = 1; d <= static_cast<std::size_t>(dim[0]); ++d)
        if (dim[d] < 1)
            throw io_error(file + ": has a length of " + std::to_string(dim[d]) + " in dimension " +
                           std::to_string(d) + "; expected at least 1");
}

/// The values of a file, scaled as it says.
struct nifti_values {
    nifti_values(std::filesystem::path const& path, grid_file_options const& options) {
        std::string const file = path.string();
        (void)file_handle::open_to_read(path); // says better why a file cannot be read
        check_nifti_head(path);
        nifti_set_debug_level(0);
        image_pointer const image(nifti_image_read(file.c_str(), 0));
        if (!image) throw io_error(file + ": is not a NIfTI file that can be read");
        if (image->nu > 1 || image->nv > 1 || image->nw > 1)
            throw io_error(file + ": has more than one value a voxel");
        shape.type = type_of(*image, file);
        std::int64_t planes = image->nz;
        shape.z_is_time = image->nt > 1 && image->nz == 1 && options.step < 0;
        if (shape.z_is_time)
            planes = image->nt;
        else if (image->nt > 1 && (options.step < 0 || options.step >= image->nt))
            throw usage_error(file + ": has " + std::to_string(image->nt) +
                              " volumes; say which is meant with --step, counted from 0");
        else if (image->nt <= 1 && options.step > 0)
            throw usage_error(file + ": has one volume, and no step " + std::to_string(options.step) +
                              "; leave --step out");
        shape.points = {image->nx, image->ny, planes};
        check_shape(file, shape);
        check_memory(file, product_of({static_cast<std::int64_t>(image->nvox), image->nbyper}), "its values");
        number_axes(shape);
        double const spacing[] = {image->dx, image->dy, image->dz};
        for (std::size_t d = 0; d < 3; ++d)
            if (spacing[d] > 0)
                for (double& each : shape.axes[d]) each *= spacing[d];
        bytes = values_of(*image, file);
        if (image->nt > 1 && options.step >= 0) keep_volume(static_cast<std::size_t>(options.step));
        scale(image->scl_slope, image->scl_inter);
    }

    std::vector<std::byte> bytes;
    grid_shape shape;

private:
    void keep_volume(std::size_t step) {
        std::size_t const volume = bytes_of(shape, points_of(shape));
        auto const first = bytes.begin() + static_cast<std::ptrdiff_t>(step * volume);
        bytes = std::vector<std::byte>(first, first + static_cast<std::ptrdiff_t>(volume));
    }

    void scale(double slope, double offset) {
        if (slope == 0 || (slope == 1 && offset == 0)) return;
        value_type const narrow = size_of(shape.type) <= 2 || shape.type == value_type::float32
                                      ? value_type::float32
                                      : value_type::float64;
        std::vector<std::byte> const as_stored = std::exchange(bytes, {});
        visit_values(shape.type, as_stored, [&](auto stored) {
            std::vector<std::byte> scaled(stored.size() * size_of(narrow));
            for (std::size_t i = 0; i < stored.size(); ++i) {
                double const value = slope * static_cast<double>(stored[i]) + offset;
                auto const rounded = static_cast<float>(value);
                if (narrow == value_type::float32)
                    std::memcpy(scaled.data() + i * sizeof rounded, &rounded, sizeof rounded);
                else
                    std::memcpy(scaled.data() + i * sizeof value, &value, sizeof value);
            }
            bytes = std::move(scaled);
        });
        shape.type = narrow;
    }
};

} // namespace

bool is_nifti_name(std::filesystem::path const& file) {
    std::string name = file.filename().string();
    for (char& each : name) each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
    for (char const* const suffix : {".nii", ".nii.gz", ".hdr", ".img"})
        if (name.ends_with(suffix)) return true;
    return false;
}

std::unique_ptr<grid_source> open_nifti_grid(
    std::filesystem::path const& file, grid_file_options const& options) {
    auto const found = std::make_shared<nifti_values const>(file, options);
    return grid_in_memory(found->shape, found->bytes, found);
}

} // namespace weft
