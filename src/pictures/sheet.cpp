#include <pictures/sheet.hpp>

#include <core/memory_left.hpp>

#include <weft/core/error.hpp>

#include <cairo.h>
#include <pango/pangocairo.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace weft {

namespace {

template <auto Release>
struct released {
    void operator()(auto* what) const noexcept { Release(what); }
};
using owned_surface = std::unique_ptr<cairo_surface_t, released<cairo_surface_destroy>>;
using owned_context = std::unique_ptr<cairo_t, released<cairo_destroy>>;
using owned_layout = std::unique_ptr<PangoLayout, released<g_object_unref>>;
using owned_font = std::unique_ptr<PangoFontDescription, released<pango_font_description_free>>;

/// Returns a pixel of Cairo: 32 bits, the highest eight unused.
std::uint32_t packed(std::uint8_t const* rgb) {
    return static_cast<std::uint32_t>(rgb[0]) << 16 | static_cast<std::uint32_t>(rgb[1]) << 8 | rgb[2];
}

/// Pango starts a thread, and aborts the process if it cannot. This check throws `usage_error` before.
void check_room_for_text() {
    constexpr double needed = 160e6; // for fonts, and the stack and heap of a thread
    if (double const left = memory_left_here().of_process; left < needed)
        throw usage_error("drawing a picture needs at least " + memory_as_text(needed) + " of memory, and " +
                          memory_as_text(left) + " are left");
    try {
        std::thread([] {}).join();
    } catch (std::system_error const& caught) {
        throw usage_error(
            std::string("drawing a picture takes a thread, and none can be started: ") + caught.what());
    }
}

owned_surface new_surface(std::int64_t width, std::int64_t height) {
    owned_surface made(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
    if (cairo_surface_status(made.get()) != CAIRO_STATUS_SUCCESS)
        throw std::runtime_error("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                 " pixels: " + cairo_status_to_string(cairo_surface_status(made.get())));
    return made;
}

} // namespace

struct sheet::drawing {
    drawing(int wide, int high) : width(wide), height(high), surface(new_surface(wide, high)) {
        check_room_for_text();
        context.reset(cairo_create(surface.get()));
    }

    void take(colour const& ink, double opacity = 1) {
        auto const rgb = on_screen(ink);
        cairo_set_source_rgba(context.get(), rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0, opacity);
    }
    void take(line_style const& style) {
        take(style.ink, style.opacity);
        cairo_set_line_width(context.get(), style.width);
        cairo_set_line_join(context.get(), CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_cap(context.get(), style.dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
        double const dashes[] = {3.5 * style.width, 2.5 * style.width};
        cairo_set_dash(context.get(), dashes, style.dashed ? 2 : 0, 0);
    }
    [[nodiscard]] owned_layout layout(std::string_view words, text_style const& style) const {
        owned_layout made(pango_cairo_create_layout(context.get()));
        owned_font const font(pango_font_description_new());
        pango_font_description_set_family(font.get(), "DejaVu Sans, sans-serif");
        pango_font_description_set_absolute_size(font.get(), style.size * PANGO_SCALE);
        if (style.bold) pango_font_description_set_weight(font.get(), PANGO_WEIGHT_BOLD);
        pango_layout_set_font_description(made.get(), font.get());
        pango_layout_set_single_paragraph_mode(made.get(), TRUE);
        pango_layout_set_text(made.get(), words.data(), static_cast<int>(words.size()));
        return made;
    }

    int width;
    int height;
    owned_surface surface;
    owned_context context;
};

sheet::sheet(int width, int height, colour const& ground)
    : drawing_(std::make_unique<drawing>(width, height)) {
    drawing_->take(ground);
    cairo_paint(drawing_->context.get());
}
sheet::~sheet() = default;
sheet::sheet(sheet&&) noexcept = default;
sheet& sheet::operator=(sheet&&) noexcept = default;

int sheet::width() const noexcept {
    return drawing_->width;
}
int sheet::height() const noexcept {
    return drawing_->height;
}

void sheet::text(spot const& at, std::string_view words, text_style const& style) {
    cairo_t* const context = drawing_->context.get();
    owned_layout const layout = drawing_->layout(words, style);
    int wide = 0;
    int high = 0;
    pango_layout_get_pixel_size(layout.get(), &wide, &high);
    double const back = style.at == align::left ? 0 : style.at == align::centre ? wide / 2.0 : wide;
    cairo_save(context);
    cairo_translate(context, at.x, at.y);
    if (style.upwards) cairo_rotate(context, -std::numbers::pi / 2);
    cairo_move_to(context, -back, -high / 2.0);
    drawing_->take(style.ink);
    pango_cairo_show_layout(context, layout.get());
    cairo_restore(context);
}

extent sheet::size_of(std::string_view words, text_style const& style) const {
    int wide = 0;
    int high = 0;
    pango_layout_get_pixel_size(drawing_->layout(words, style).get(), &wide, &high);
    if (style.upwards) std::swap(wide, high);
    return {static_cast<double>(wide), static_cast<double>(high)};
}

void sheet::line(std::vector<spot> const& points, line_style const& style) {
    cairo_t* const context = drawing_->context.get();
    drawing_->take(style);
    cairo_new_path(context); // text leaves a current point
    for (spot const& each : points) cairo_line_to(context, each.x, each.y);
    cairo_stroke(context);
}

void sheet::fill(spot const& corner, extent const& size, colour const& with, double opacity) {
    drawing_->take(with, opacity);
    cairo_rectangle(drawing_->context.get(), corner.x, corner.y, size.width, size.height);
    cairo_fill(drawing_->context.get());
}

void sheet::frame(spot const& corner, extent const& size, line_style const& style) {
    drawing_->take(style);
    cairo_rectangle(drawing_->context.get(), corner.x, corner.y, size.width, size.height);
    cairo_stroke(drawing_->context.get());
}

void sheet::ring(spot const& middle, double radius, line_style const& style) {
    drawing_->take(style);
    cairo_new_path(drawing_->context.get());
    cairo_arc(drawing_->context.get(), middle.x, middle.y, radius, 0, 2 * std::numbers::pi);
    cairo_stroke(drawing_->context.get());
}

void sheet::put(mark shape, spot const& middle, double size, colour const& with) {
    cairo_t* const context = drawing_->context.get();
    double const half = size / 2;
    drawing_->take(with);
    auto const polygon = [&](std::initializer_list<spot> corners) {
        for (spot const& each : corners)
            cairo_line_to(context, middle.x + half * each.x, middle.y + half * each.y);
        cairo_close_path(context);
    };
    cairo_new_path(context);
    switch (shape) {
    case mark::circle:
        cairo_arc(context, middle.x, middle.y, half, 0, 2 * std::numbers::pi);
        break;
    case mark::ring:
        cairo_arc(context, middle.x, middle.y, half, 0, 2 * std::numbers::pi);
        cairo_new_sub_path(context);
        cairo_arc_negative(context, middle.x, middle.y, 0.7 * half, 0, -2 * std::numbers::pi);
        break;
    case mark::square:
        polygon({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
        break;
    case mark::diamond:
        polygon({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
        break;
    case mark::triangle:
        polygon({{0, -1.2}, {1.1, 0.9}, {-1.1, 0.9}});
        break;
    case mark::cross:
        polygon({{-1, -0.4}, {-0.4, -1}, {0, -0.6}, {0.4, -1}, {1, -0.4}, {0.6, 0}, {1, 0.4}, {0.4, 1},
            {0, 0.6}, {-0.4, 1}, {-1, 0.4}, {-0.6, 0}});
        break;
    }
    cairo_fill(context);
}

void sheet::put(picture const& drawn, spot const& corner) {
    owned_surface const pixels = new_surface(drawn.width, drawn.height);
    unsigned char* const rows = cairo_image_surface_get_data(pixels.get());
    int const stride = cairo_image_surface_get_stride(pixels.get());
    for (std::int64_t y = 0; y < drawn.height; ++y)
        for (std::int64_t x = 0; x < drawn.width; ++x) {
            std::uint32_t const pixel =
                packed(&drawn.rgb[static_cast<std::size_t>((y * drawn.width + x) * 3)]);
            std::memcpy(rows + y * stride + x * 4, &pixel, sizeof pixel);
        }
    cairo_surface_mark_dirty(pixels.get());
    cairo_set_source_surface(
        drawing_->context.get(), pixels.get(), std::round(corner.x), std::round(corner.y));
    cairo_paint(drawing_->context.get());
}

picture sheet::drawn() const {
    cairo_surface_flush(drawing_->surface.get());
    unsigned char const* const rows = cairo_image_surface_get_data(drawing_->surface.get());
    int const stride = cairo_image_surface_get_stride(drawing_->surface.get());
    picture result(drawing_->width, drawing_->height);
    for (std::int64_t y = 0; y < result.height; ++y)
        for (std::int64_t x = 0; x < result.width; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, rows + y * stride + x * 4, sizeof pixel);
            std::uint8_t* const rgb = &result.rgb[static_cast<std::size_t>((y * result.width + x) * 3)];
            rgb[0] = static_cast<std::uint8_t>(pixel >> 16);
            rgb[1] = static_cast<std::uint8_t>(pixel >> 8);
            rgb[2] = static_cast<std::uint8_t>(pixel);
        }
    return result;
}

} // namespace weft
