#include "deviations.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace weft {

namespace {

constexpr std::string_view letters = "hdbspoja"; // by kind
constexpr std::size_t random_kinds = 5;          // the first ones

bool has_amount(deviation::kind what) noexcept {
    return what != deviation::kind::blocks && what != deviation::kind::parks;
}

/// Returns a number from 0 to below 1.
double fraction_of(std::uint64_t bits) noexcept {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

template <class Integer>
Integer take_number(std::string_view& rest, std::string_view whole) {
    Integer number = 0;
    auto const [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (failure != std::errc{} || number < 0)
        throw usage_error("WEFT_ADVERSARY=replay: \"" + std::string(whole) +
                          "\": expected letters and numbers such as h12,d40x30");
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return number;
}

} // namespace

deviations::deviations(std::uint64_t seed, std::int64_t run)
    : random_(counter_random(seed, static_cast<std::uint64_t>(run))) {
    counter_random const of_run(~seed, static_cast<std::uint64_t>(run));
    density_ = std::pow(10, -3 + 2.8 * fraction_of(of_run(0))); // from one in a thousand to most
    kinds_ = static_cast<std::uint32_t>(of_run(1) % ((1U << random_kinds) - 1)) + 1;
}

std::optional<std::int32_t> deviations::at(deviation::kind what, std::int64_t number) {
    deviation found{what, 0, number};
    if (random_) {
        // Answers are late in runs with held messages, so that the other kinds are what they always were.
        bool const answers = what == deviation::kind::answers;
        auto const bit = static_cast<std::uint32_t>(answers ? deviation::kind::holds : what);
        auto const place = static_cast<std::uint64_t>(number) * random_kinds + bit;
        std::uint64_t const bits = (*random_)(answers ? ~place : place);
        if ((kinds_ >> bit & 1) == 0 || fraction_of(bits) >= density_) return std::nullopt;
        // From a fraction of a message's time up to much more.
        if (has_amount(what) && what != deviation::kind::holds && !answers)
            found.amount = static_cast<std::int32_t>(std::pow(10, 3 * fraction_of(detail::mixed(bits))));
    } else {
        auto const given = std::ranges::find_if(
            given_, [&](deviation const& each) { return each.what == what && each.number == number; });
        if (given == given_.end()) return std::nullopt;
        found = *given;
    }
    note(found);
    return found.amount;
}

std::string to_text(std::vector<deviation> const& all) {
    std::string text;
    for (deviation const& each : all) {
        if (!text.empty()) text += ',';
        text += letters[static_cast<std::size_t>(each.what)] + std::to_string(each.number);
        if (each.amount > 0) text += 'x' + std::to_string(each.amount);
    }
    return text;
}

std::vector<deviation> deviations_of(std::string_view text) {
    std::vector<deviation> all;
    while (!text.empty()) {
        std::string_view const whole = text.substr(0, text.find(','));
        text.remove_prefix(std::min(whole.size() + 1, text.size()));
        std::size_t const letter = letters.find(whole.empty() ? '?' : whole.front());
        std::string_view rest = whole.substr(std::min<std::size_t>(1, whole.size()));
        deviation read;
        if (letter != std::string_view::npos) {
            read.what = static_cast<deviation::kind>(letter);
            read.number = take_number<std::int64_t>(rest, whole);
            if (has_amount(read.what) && rest.starts_with('x')) {
                rest.remove_prefix(1);
                read.amount = take_number<std::int32_t>(rest, whole);
            }
        }
        if (letter == std::string_view::npos || !rest.empty()) (void)take_number<int>(rest = "?", whole);
        all.push_back(read);
    }
    return all;
}

} // namespace weft
