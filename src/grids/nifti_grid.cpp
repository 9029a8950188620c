#include <grids/nifti_grid.hpp>

#include <core/file_handle.hpp>
#include <grids/box_copy.hpp>

#include <weft/core/error.hpp>

#include <nifti1_io.h>

#include <cstring>

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
    case DT_FLOAT32:
        return value_type::float32;
    case DT_FLOAT64:
        return value_type::float64;
    default:
        throw io_error(file + ": cannot use values of type " + nifti_datatype_string(image.datatype));
    }
}

class nifti_grid final : public grid_source {
public:
    nifti_grid(std::filesystem::path const& path, grid_file_options const& options) {
        std::string const file = path.string();
        (void)file_handle::open_to_read(path); // says better why a file cannot be read
        nifti_set_debug_level(0);
        image_.reset(nifti_image_read(file.c_str(), 1));
        if (!image_ || !image_->data) throw io_error(file + ": is not a NIfTI file that can be read");
        if (image_->nu > 1 || image_->nv > 1 || image_->nw > 1)
            throw io_error(file + ": has more than one value a voxel");
        shape_.type = type_of(*image_, file);
        std::int64_t planes = image_->nz;
        if (image_->nt > 1 && image_->nz == 1 && options.step < 0)
            planes = image_->nt;
        else if (image_->nt > 1)
            skip_to(options.step, file);
        shape_.points = {image_->nx, image_->ny, planes};
        number_axes(shape_);
        double const spacing[] = {image_->dx, image_->dy, image_->dz};
        for (std::size_t d = 0; d < 3; ++d)
            if (spacing[d] > 0)
                for (double& each : shape_.axes[d]) each *= spacing[d];
        scale();
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        std::size_t const value = size_of(shape_.type);
        for_rows(points, points_of(shape_), [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
            std::memcpy(into.data() + static_cast<std::size_t>(first) * value,
                values() + static_cast<std::size_t>(offset) * value, static_cast<std::size_t>(count) * value);
        });
    }

private:
    void skip_to(std::int64_t step, std::string const& file) {
        if (step < 0 || step >= image_->nt)
            throw usage_error(file + ": has " + std::to_string(image_->nt) +
                              " volumes; say which is meant with --step, counted from 0");
        skipped_ = static_cast<std::size_t>(step) * static_cast<std::size_t>(image_->nx) *
                   static_cast<std::size_t>(image_->ny) * static_cast<std::size_t>(image_->nz) *
                   size_of(shape_.type);
    }

    [[nodiscard]] std::byte const* values() const {
        return scaled_.empty() ? static_cast<std::byte const*>(image_->data) + skipped_ : scaled_.data();
    }

    void scale() {
        double const slope = image_->scl_slope;
        double const offset = image_->scl_inter;
        if (slope == 0 || (slope == 1 && offset == 0)) return;
        std::size_t const bytes = weft::bytes_of(shape_, points_of(shape_));
        value_type const narrow = size_of(shape_.type) <= 2 || shape_.type == value_type::float32
                                      ? value_type::float32
                                      : value_type::float64;
        visit_values(shape_.type, {values(), bytes}, [&](auto stored) {
            std::vector<std::byte> scaled(stored.size() * size_of(narrow));
            for (std::size_t i = 0; i < stored.size(); ++i) {
                double const value = slope * static_cast<double>(stored[i]) + offset;
                auto const rounded = static_cast<float>(value);
                if (narrow == value_type::float32)
                    std::memcpy(scaled.data() + i * sizeof rounded, &rounded, sizeof rounded);
                else
                    std::memcpy(scaled.data() + i * sizeof value, &value, sizeof value);
            }
            scaled_ = std::move(scaled);
        });
        shape_.type = narrow;
        image_.reset();
    }

    image_pointer image_;
    std::size_t skipped_ = 0; // bytes of the volumes before
    std::vector<std::byte> scaled_;
    grid_shape shape_;
};

} // namespace

bool is_nifti_name(std::filesystem::path const& file) {
    std::string const name = file.filename().string();
    for (char const* const suffix : {".nii", ".nii.gz", ".hdr", ".img"})
        if (name.ends_with(suffix)) return true;
    return false;
}

std::unique_ptr<grid_source> open_nifti_grid(
    std::filesystem::path const& file, grid_file_options const& options) {
    return std::make_unique<nifti_grid>(file, options);
}

} // namespace weft
