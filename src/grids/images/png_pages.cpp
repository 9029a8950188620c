#include <grids/images/image_pages.hpp>

#include <files/file_handle.hpp>

#include <weft/core/error.hpp>

#include <png.h>

#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace weft {

namespace {

/// Receives errors of libpng, which returns by longjmp, so functions that call libpng must have no objects to
/// destroy.
struct png_state {
    std::FILE* file = nullptr;
    png_structp png = nullptr;
    png_infop info = nullptr;
    char complaint[256] = "";
};

void keep_complaint(png_structp png, png_const_charp text) {
    auto* const state = static_cast<png_state*>(png_get_error_ptr(png));
    std::snprintf(state->complaint, sizeof state->complaint, "%s", text);
    png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {
}

/// Reads up to the pixels, and requests samples of 8 or 16 bits, as colours instead of a palette.
bool read_head(png_state& state) {
    if (setjmp(png_jmpbuf(state.png))) return false;
    png_init_io(state.png, state.file);
    png_read_info(state.png, state.info);
    if (png_get_color_type(state.png, state.info) == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(state.png);
    if (png_get_bit_depth(state.png, state.info) < 8) png_set_expand_gray_1_2_4_to_8(state.png);
    if constexpr (std::endian::native == std::endian::little) png_set_swap(state.png);
    (void)png_set_interlace_handling(state.png);
    png_read_update_info(state.png, state.info);
    return true;
}

bool read_rows(png_state& state, png_bytepp rows) {
    if (setjmp(png_jmpbuf(state.png))) return false;
    png_read_image(state.png, rows);
    return true;
}

/// One pass over a file, from its begin.
class png_reading {
public:
    explicit png_reading(std::filesystem::path const& file) : name_(file.string()) {
        (void)file_handle::open_to_read(file); // has a clearer error if a file cannot be read
        state_.file = std::fopen(file.c_str(), "rb");
        state_.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state_, keep_complaint, ignore_warning);
        if (state_.png) state_.info = png_create_info_struct(state_.png);
        if (!state_.file || !state_.info || !read_head(state_)) {
            release();
            fail("is not a PNG file that can be read");
        }
    }
    ~png_reading() { release(); }
    png_reading(png_reading const&) = delete;
    png_reading& operator=(png_reading const&) = delete;

    [[nodiscard]] page_shape shape() const {
        return {png_get_image_width(state_.png, state_.info), png_get_image_height(state_.png, state_.info),
            png_get_channels(state_.png, state_.info),
            png_get_bit_depth(state_.png, state_.info) == 16 ? value_type::uint16 : value_type::uint8};
    }

    /// Reads all samples of all pixels.
    [[nodiscard]] std::vector<std::byte> pixels() {
        auto const height = static_cast<std::size_t>(shape().height);
        std::size_t const row_bytes = png_get_rowbytes(state_.png, state_.info);
        std::vector<std::byte> all(height * row_bytes);
        std::vector<png_bytep> rows(height);
        for (std::size_t y = 0; y < height; ++y)
            rows[y] = reinterpret_cast<png_bytep>(all.data() + y * row_bytes);
        if (!read_rows(state_, rows.data())) fail("cannot read its pixels");
        return all;
    }

private:
    [[noreturn]] void fail(char const* what) const {
        throw io_error(name_ + ": " + what + (state_.complaint[0] ? ": " : "") + state_.complaint);
    }
    void release() noexcept {
        if (state_.png) png_destroy_read_struct(&state_.png, &state_.info, nullptr);
        if (state_.file) std::fclose(state_.file);
        state_.file = nullptr;
    }

    std::string name_;
    png_state state_;
};

class png_pages final : public image_pages {
public:
    explicit png_pages(std::filesystem::path file)
        : file_(std::move(file)), shape_(png_reading(file_).shape()) {}

    std::int64_t pages() override { return 1; }
    page_shape shape(std::int64_t) override { return shape_; }

    void read(std::int64_t, int sample, std::span<std::byte> into) override {
        std::vector<std::byte> const all = png_reading(file_).pixels();
        std::size_t const bytes = size_of(shape_.type);
        auto const samples = static_cast<std::size_t>(shape_.samples);
        auto const wanted = static_cast<std::size_t>(sample);
        for (std::size_t pixel = 0; pixel < into.size() / bytes; ++pixel)
            std::memcpy(into.data() + pixel * bytes, all.data() + (pixel * samples + wanted) * bytes, bytes);
    }

private:
    std::filesystem::path file_;
    page_shape shape_;
};

} // namespace

std::unique_ptr<image_pages> open_png(std::filesystem::path const& file) {
    return std::make_unique<png_pages>(file);
}

} // namespace weft
