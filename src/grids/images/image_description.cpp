#include <grids/images/image_description.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace weft {

namespace {

std::optional<double> number_behind(std::string_view text, std::string_view key) {
    std::size_t const at = text.find(key);
    if (at == text.npos) return std::nullopt;
    text.remove_prefix(at + key.size());
    double number = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

/// Returns a count of at least 1; 1 if it is absent.
std::int64_t count_behind(std::string_view text, std::string_view key) {
    constexpr double most = 1e12;
    return static_cast<std::int64_t>(std::clamp(number_behind(text, key).value_or(1), 1.0, most));
}

image_description of_imagej(std::string_view text) {
    // A straight line of offset 0 and slope 1 changes nothing; other kinds are curves.
    std::optional<double> const curve = number_behind(text, "\ncf=");
    bool const is_identity = curve == 0.0 && number_behind(text, "\nc0=").value_or(0) == 0 &&
                             number_behind(text, "\nc1=").value_or(1) == 1;
    return {"ImageJ", count_behind(text, "\nimages="), count_behind(text, "\nchannels="),
        count_behind(text, "\nslices="), count_behind(text, "\nframes="), curve && !is_identity};
}

} // namespace

image_description image_description_of(std::string_view text, std::int64_t samples) {
    if (text.starts_with("ImageJ=")) return of_imagej(text);
    std::size_t const pixels = text.find("<Pixels ");
    if (text.find("<OME") == text.npos || pixels == text.npos) return {};
    std::string_view const element = text.substr(pixels, text.find('>', pixels) - pixels);
    image_description found{"OME"};
    found.channels = std::max<std::int64_t>(count_behind(element, " SizeC=\"") / samples, 1);
    found.slices = count_behind(element, " SizeZ=\"");
    found.moments = count_behind(element, " SizeT=\"");
    return found;
}

} // namespace weft
