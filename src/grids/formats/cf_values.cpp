#include <grids/formats/cf_values.hpp>

#include <core/number_text.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace weft {

namespace {

bool is_real(value_type type) noexcept {
    return type == value_type::float32 || type == value_type::float64;
}

/// True for integers that float32 cannot represent exactly.
bool is_wide(value_type type) noexcept {
    return !is_real(type) && size_of(type) >= 4;
}

bool is_unsigned(value_type type) {
    return visit_values(type, {}, []<class T>(std::span<T const>) { return std::is_unsigned_v<T>; });
}

/// The numbers of an attribute; empty if the variable does not have it.
struct attribute {
    nc_type type = NC_NAT;
    std::vector<double> numbers;

    attribute(int file, int variable, char const* name, std::string const& where) {
        std::size_t length = 0;
        if (nc_inq_att(file, variable, name, &type, &length) != NC_NOERR || length == 0) return;
        numbers.resize(length);
        int const status =
            type == NC_CHAR ? NC_ECHAR : nc_get_att_double(file, variable, name, numbers.data());
        if (status != NC_NOERR)
            throw io_error(where + ": its attribute '" + name + "' is not a number: " + nc_strerror(status));
    }

    /// Returns the number of an attribute that must have exactly one.
    [[nodiscard]] std::optional<double> only(char const* name, std::string const& where) const {
        if (numbers.empty()) return {};
        if (numbers.size() != 1 || !std::isfinite(numbers[0]))
            throw io_error(where + ": its attribute '" + name + "' must be one finite number");
        return numbers[0];
    }

    [[nodiscard]] bool is_real() const noexcept { return type == NC_FLOAT || type == NC_DOUBLE; }
};

/// Returns the numbers of an attribute that is a text; empty if the text says that nothing is missing.
/// Throws: `io_error` for other words.
std::vector<double> numbers_of_text(int file, int variable, char const* name, std::string const& where) {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    nc_inq_att(file, variable, name, &type, &length);
    std::string text;
    if (type == NC_CHAR) {
        text.resize(length);
        if (nc_get_att_text(file, variable, name, text.data()) != NC_NOERR) text.clear();
    } else {
        std::vector<char*> words(length, nullptr);
        if (nc_get_att_string(file, variable, name, words.data()) == NC_NOERR) {
            for (char const* const each : words) text += std::string(each ? each : "") + ' ';
            nc_free_string(words.size(), words.data());
        }
    }
    text.resize(std::min(text.find('\0'), text.size()));
    std::vector<double> numbers;
    constexpr std::string_view between = " ,;\t\n";
    for (std::size_t at = 0; (at = text.find_first_not_of(between, at)) != std::string::npos;) {
        std::size_t const end = std::min(text.find_first_of(between, at), text.size());
        std::string const word = text.substr(at, end - at);
        at = end;
        if (word == "none" || word == "None" || word == "N/A") continue;
        char* behind = nullptr;
        numbers.push_back(std::strtod(word.c_str(), &behind));
        // The letter of a type may follow a number, as in CDL: 1e20f.
        bool const has_type = *behind != '\0' && behind[1] == '\0' && std::strchr("fFdDsSbBlL", *behind);
        if (behind == word.c_str() || (*behind != '\0' && !has_type))
            throw io_error(where + ": its attribute '" + name + "' is the text \"" + text.substr(0, 40) +
                           "\"; expected a number");
    }
    return numbers;
}

/// Converts a number to the type of the variable; empty if the type cannot represent it.
std::optional<double> number_in(value_type type, double number) {
    return visit_values(type, {}, [&](auto values) -> std::optional<double> {
        using value = std::remove_const_t<typename decltype(values)::element_type>;
        if constexpr (std::is_integral_v<value>) {
            // In a format without unsigned numbers, attributes of unsigned variables are signed.
            if (std::is_unsigned_v<value> && number < 0)
                number += std::ldexp(1.0, std::numeric_limits<value>::digits);
            if (number < static_cast<double>(std::numeric_limits<value>::min()) ||
                number >= std::ldexp(1.0, std::numeric_limits<value>::digits) || number != std::floor(number))
                return {};
        } else if (std::isfinite(number) && std::abs(number) > std::numeric_limits<value>::max()) {
            return {};
        }
        return static_cast<double>(static_cast<value>(number));
    });
}

} // namespace

cf_values::cf_values(int file, int variable, value_type stored, std::string const& where)
    : stored_(stored), type_(stored) {
    attribute const scale(file, variable, "scale_factor", where);
    attribute const offset(file, variable, "add_offset", where);
    scale_ = scale.only("scale_factor", where).value_or(1);
    offset_ = offset.only("add_offset", where).value_or(0);
    packed_ = scale_ != 1 || offset_ != 0;
    if (scale_ == 0) throw io_error(where + ": its attribute 'scale_factor' is 0, so all values are lost");
    read_missing(file, variable, where);
    read_range(file, variable, where);

    bool const has_range = std::isfinite(lo_) || std::isfinite(hi_);
    bool const wide = stored == value_type::float64 || is_wide(stored) || scale.type == NC_DOUBLE ||
                      offset.type == NC_DOUBLE;
    if (packed_ || (!is_real(stored) && (has_range || missing_.size() > 1)))
        type_ = wide ? value_type::float64 : value_type::float32;
    plain_ = type_ == stored_ && !packed_ && (!is_real(stored) || (missing_.empty() && !has_range));
}

void cf_values::read_missing(int file, int variable, std::string const& where) {
    auto const add = [&](double number) {
        auto const as_stored = number_in(stored_, number);
        if (as_stored && !std::isnan(*as_stored) && std::ranges::find(missing_, *as_stored) == missing_.end())
            missing_.push_back(*as_stored);
    };
    for (char const* const name : {"_FillValue", "missing_value"}) {
        nc_type type = NC_NAT;
        std::size_t length = 0;
        if (nc_inq_att(file, variable, name, &type, &length) != NC_NOERR) continue;
        bool const is_text = type == NC_CHAR || type == NC_STRING;
        nc_type of_variable = NC_NAT;
        if (nc_inq_vartype(file, variable, &of_variable) == NC_NOERR && of_variable == NC_CHAR)
            continue; // a character, and all of them are values
        for (double const each : is_text ? numbers_of_text(file, variable, name, where)
                                         : attribute(file, variable, name, where).numbers)
            add(each);
    }
    // Numbers that were never written; among integers they could be meant.
    if (stored_ == value_type::float32) add(NC_FILL_FLOAT);
    if (stored_ == value_type::float64) add(NC_FILL_DOUBLE);
}

void cf_values::read_range(int file, int variable, std::string const& where) {
    attribute const both(file, variable, "valid_range", where);
    attribute const least(file, variable, "valid_min", where);
    attribute const most(file, variable, "valid_max", where);
    if (both.numbers.size() != 0 && both.numbers.size() != 2)
        throw io_error(where + ": its attribute 'valid_range' has " + std::to_string(both.numbers.size()) +
                       " numbers, expected 2");
    if (!both.numbers.empty()) {
        lo_ = both.numbers[0];
        hi_ = both.numbers[1];
    }
    if (!least.numbers.empty()) lo_ = least.numbers[0];
    if (!most.numbers.empty()) hi_ = most.numbers[0];
    range_of_values_ = packed_ && !is_real(stored_) && (both.is_real() || least.is_real() || most.is_real());
    if (stored_ == value_type::float32 || (is_unsigned(stored_) && !range_of_values_)) {
        lo_ = number_in(stored_, lo_).value_or(lo_);
        hi_ = number_in(stored_, hi_).value_or(hi_);
    }
    if (!(lo_ <= hi_))
        throw io_error(where + ": its valid values are from " + number_text(lo_) + " to " + number_text(hi_) +
                       ", so there are none");
}

std::optional<double> cf_values::missing() const noexcept {
    if (is_real(type_) || missing_.size() != 1) return {};
    return missing_[0];
}

void cf_values::convert(
    std::span<std::byte const> numbers, value_type as, std::byte* into, std::size_t step) const {
    visit_values(stored_, numbers, [&](auto from) {
        using number = std::remove_const_t<typename decltype(from)::element_type>;
        auto const store = [&]<class To>(To) {
            for (std::size_t i = 0; i < from.size(); ++i) {
                number const stored = from[i];
                auto const exact = static_cast<double>(stored);
                double const value = packed_ ? exact * scale_ + offset_ : exact;
                double const held = range_of_values_ ? value : exact;
                bool none = held < lo_ || held > hi_;
                for (double const each : missing_) none = none || exact == each;
                To const result = none ? std::numeric_limits<To>::quiet_NaN() : static_cast<To>(value);
                std::memcpy(into + i * step * sizeof(To), &result, sizeof result);
            }
        };
        if (as == value_type::float64)
            store(double{});
        else
            store(float{});
    });
}

} // namespace weft
