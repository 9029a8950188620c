#include <pictures/coastlines.hpp>

#include <weft/core/error.hpp>

#include <memory>

#ifdef WEFT_WITH_SHAPELIB
#include <shapefil.h>
#endif

namespace weft {

#ifdef WEFT_WITH_SHAPELIB

namespace {

using polyline = std::vector<map_point>;

/// Cuts a polyline at the window and appends the pieces inside. A piece includes the neighbouring point
/// outside, if any, so that lines reach the rim.
void append_pieces(
    polyline const& whole, map_point const& lo, map_point const& hi, std::vector<polyline>& into) {
    auto const is_inside = [&](map_point const& at) {
        return at.longitude >= lo.longitude && at.longitude <= hi.longitude && at.latitude >= lo.latitude &&
               at.latitude <= hi.latitude;
    };
    polyline piece;
    for (map_point const& each : whole) {
        if (is_inside(each)) {
            piece.push_back(each);
        } else if (!piece.empty()) {
            into.push_back(std::move(piece));
            piece.clear();
        }
    }
    if (!piece.empty()) into.push_back(std::move(piece));
}

struct close_shapes {
    void operator()(SHPHandle file) const noexcept { SHPClose(file); }
};
struct free_shape {
    void operator()(SHPObject* shape) const noexcept { SHPDestroyObject(shape); }
};

/// Reads every polygon and line of a file.
std::vector<polyline> read_shapes(std::filesystem::path const& shapefile) {
    std::unique_ptr<std::remove_pointer_t<SHPHandle>, close_shapes> const file(
        SHPOpen(shapefile.c_str(), "rb"));
    if (file == nullptr) throw io_error(shapefile.string() + ": cannot be read as a shapefile of coastlines");
    int count = 0;
    SHPGetInfo(file.get(), &count, nullptr, nullptr, nullptr);
    std::vector<polyline> lines;
    for (int i = 0; i < count; ++i) {
        std::unique_ptr<SHPObject, free_shape> const shape(SHPReadObject(file.get(), i));
        if (shape == nullptr) continue;
        for (int part = 0; part < shape->nParts; ++part) {
            int const end = part + 1 < shape->nParts ? shape->panPartStart[part + 1] : shape->nVertices;
            polyline& line = lines.emplace_back();
            for (int v = shape->panPartStart[part]; v < end; ++v)
                line.push_back({shape->padfX[v], shape->padfY[v]});
        }
    }
    return lines;
}

} // namespace

std::vector<std::vector<map_point>> coastlines_within(
    std::filesystem::path const& shapefile, map_point const& lo, map_point const& hi) {
    std::vector<polyline> pieces;
    for (polyline& line : read_shapes(shapefile))
        for (double const around : {-360.0, 0.0, 360.0}) {
            polyline moved = line;
            for (map_point& each : moved) each.longitude += around;
            append_pieces(moved, lo, hi, pieces);
        }
    return pieces;
}

#else

std::vector<std::vector<map_point>> coastlines_within(
    std::filesystem::path const&, map_point const&, map_point const&) {
    return {};
}

#endif

} // namespace weft
