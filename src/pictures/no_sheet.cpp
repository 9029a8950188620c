/// The sheet of a build without pictures. The command refuses options of pictures before it makes a sheet.
#include <pictures/sheet.hpp>

#include <weft/core/error.hpp>

namespace weft {

struct sheet::drawing {};

sheet::sheet(int, int, colour const&) {
    throw usage_error("this weft was built without pictures; build it with -DWEFT_PICTURES=ON");
}
sheet::~sheet() = default;
sheet::sheet(sheet&&) noexcept = default;
sheet& sheet::operator=(sheet&&) noexcept = default;
int sheet::width() const noexcept {
    return 0;
}
int sheet::height() const noexcept {
    return 0;
}
void sheet::text(spot const&, std::string_view, text_style const&) {
}
extent sheet::size_of(std::string_view, text_style const&) const {
    return {};
}
void sheet::line(std::vector<spot> const&, line_style const&) {
}
void sheet::fill(spot const&, extent const&, colour const&, double) {
}
void sheet::frame(spot const&, extent const&, line_style const&) {
}
void sheet::ring(spot const&, double, line_style const&) {
}
void sheet::put(mark, spot const&, double, colour const&) {
}
void sheet::put(picture const&, spot const&) {
}
picture sheet::drawn() const {
    return {};
}

} // namespace weft
