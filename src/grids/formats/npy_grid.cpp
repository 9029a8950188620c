#include <grids/formats/npy_grid.hpp>

#include <files/file_handle.hpp>
#include <grids/formats/array_indices.hpp>
#include <grids/formats/raw_grid.hpp>
#include <grids/values/byte_order.hpp>
#include <grids/views/half_grid.hpp>
#include <io/formats/numpy_header.hpp>

#include <weft/core/error.hpp>

#include <bit>
#include <cstring>
#include <utility>
#include <vector>

namespace weft {

namespace {

value_type type_of_items(io::numpy_header const& header, std::string const& file) {
    struct known {
        char kind;
        std::int64_t bytes;
        value_type type;
    };
    constexpr known all[] = {{'b', 1, value_type::uint8}, {'i', 1, value_type::int8},
        {'u', 1, value_type::uint8}, {'i', 2, value_type::int16}, {'u', 2, value_type::uint16},
        {'i', 4, value_type::int32}, {'u', 4, value_type::uint32}, {'i', 8, value_type::int64},
        {'u', 8, value_type::uint64},
        {'f', 2, value_type::uint16}, // the bits, which are converted to real numbers on reading
        {'f', 4, value_type::float32}, {'f', 8, value_type::float64}};
    for (known const& each : all)
        if (each.kind == header.kind && each.bytes == header.item_bytes) return each.type;
    throw usage_error(file + ": has items of type " + header.kind + std::to_string(header.item_bytes) +
                      ", which cannot be used; save them as f4");
}

/// An array whose first index is fastest: z before y before x before components.
class fortran_grid final : public grid_source {
public:
    fortran_grid(std::filesystem::path const& file, grid_shape shape, array_indices const& indices,
        std::vector<std::int64_t> const& lengths, std::int64_t step, std::int64_t first, bool swapped)
        : file_(file_handle::open_to_read(file)),
          shape_(std::move(shape)),
          first_(first),
          steps_(indices.has_step ? lengths[0] : 1),
          step_(indices.has_step ? step : 0),
          swapped_(swapped) {}

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        auto const value = static_cast<std::int64_t>(size_of(shape_.type));
        auto const& all = shape_.points;
        std::array<std::int64_t, 3> width{};
        for (std::size_t d = 0; d < 3; ++d) {
            width[d] = points.hi[d] - points.lo[d];
            if (width[d] <= 0) return;
        }
        // The contiguous rows along z, or steps and z, for one x.
        std::int64_t const row = steps_ * all[2];
        std::vector<std::byte> rows(static_cast<std::size_t>(width[1] * row * value));
        for (std::int64_t component = 0; component < shape_.components; ++component)
            for (std::int64_t x = 0; x < width[0]; ++x) {
                std::int64_t const before =
                    ((component * all[0] + points.lo[0] + x) * all[1] + points.lo[1]) * row;
                file_.read_all(rows, first_ + before * value);
                for (std::int64_t z = 0; z < width[2]; ++z)
                    for (std::int64_t y = 0; y < width[1]; ++y) {
                        std::int64_t const from = y * row + (points.lo[2] + z) * steps_ + step_;
                        std::int64_t const to =
                            ((z * width[1] + y) * width[0] + x) * shape_.components + component;
                        std::memcpy(into.data() + to * value, rows.data() + from * value,
                            static_cast<std::size_t>(value));
                    }
            }
        if (swapped_) swap_bytes(into, static_cast<std::size_t>(value));
    }

private:
    file_handle file_;
    grid_shape shape_;
    std::int64_t first_;
    std::int64_t steps_;
    std::int64_t step_;
    bool swapped_;
};

} // namespace

std::unique_ptr<grid_source> open_npy_grid(
    std::filesystem::path const& file, grid_file_options const& options) {
    io::numpy_header const header = io::read_numpy_header(file_handle::open_to_read(file));
    std::string const name = file.string();
    grid_shape shape;
    shape.type = type_of_items(header, name);
    array_indices const indices = indices_of(header.shape, options, name, shape);
    bool const swapped = header.big_endian != (std::endian::native == std::endian::big);
    std::unique_ptr<grid_source> made;
    if (header.fortran_order) {
        made = std::make_unique<fortran_grid>(
            file, std::move(shape), indices, header.shape, options.step, header.data, swapped);
    } else {
        std::int64_t const volume = static_cast<std::int64_t>(bytes_of(shape, points_of(shape)));
        std::int64_t const first = header.data + (indices.has_step ? options.step * volume : 0);
        made = values_in_file(file, std::move(shape), first, swapped);
    }
    bool const is_half = header.kind == 'f' && header.item_bytes == 2;
    return is_half ? grid_of_halves(std::move(made)) : std::move(made);
}

} // namespace weft
