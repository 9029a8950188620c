#include <weft/core/value_bound.hpp>

#include <charconv>

namespace weft {

namespace {

template <class Number>
std::optional<Number> whole_text_as(std::string_view text) noexcept {
    Number number{};
    auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
    return number;
}

} // namespace

std::optional<value_bound> value_bound::parse(std::string_view text) noexcept {
    if (text.starts_with('+')) text.remove_prefix(1);
    if (text.starts_with('+') || text.empty()) return std::nullopt;
    if (auto const number = whole_text_as<std::int64_t>(text)) return value_bound(*number);
    if (auto const number = whole_text_as<std::uint64_t>(text)) return value_bound(*number);
    auto const number = whole_text_as<double>(text);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    return value_bound(*number);
}

} // namespace weft
