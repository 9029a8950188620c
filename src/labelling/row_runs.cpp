#include <labelling/row_runs.hpp>

#include <weft/core/error.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace weft {

namespace {

/// The rule for values of one type: least <= value <= most, and not missing.
template <class T>
struct typed_rule {
    T least{};
    T most = std::numeric_limits<T>::max();
    T missing{};
    bool none = false;        // true: all voxels are background
    bool has_most = false;    // and some values exceed `most`
    bool has_missing = false; // and `missing` lies between `least` and `most`

    explicit typed_rule(foreground_rule const& rule) {
        std::optional<T> const first = rule.threshold.template least<T>();
        none = !first;
        if (none) return;
        least = *first;
        if constexpr (std::is_floating_point_v<T>) most = std::numeric_limits<T>::infinity();
        if (rule.below) {
            std::optional<T> const last = rule.below->template greatest_below<T>();
            has_most = true;
            most = last.value_or(most);
            none = !last || !(least <= most);
        }
        if (none || !rule.missing) return;
        if constexpr (std::is_integral_v<T>) {
            if (!is_within(*rule.missing) || *rule.missing != std::floor(*rule.missing)) return;
        }
        missing = static_cast<T>(*rule.missing);
        has_missing = missing >= least && missing <= most;
    }

private:
    /// Returns true if T has this whole number. A double cannot be the greatest T of 64 bits, hence `<`.
    static bool is_within(double number) {
        return number >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
               number < std::ldexp(1.0, std::numeric_limits<T>::digits);
    }
};

constexpr std::size_t chunk = 64;

/// Returns a word whose bit i is byte i, which is 0 or 1.
std::uint64_t bits_of(std::array<std::uint8_t, chunk> const& bytes) noexcept {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < chunk; i += 8) {
        std::uint64_t eight = 0;
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(&eight, bytes.data() + i, 8);
        } else {
            for (std::size_t k = 0; k < 8; ++k) eight |= std::uint64_t{bytes[i + k]} << (8 * k);
        }
        // Byte k moves to bit 56 + k; no two of the products fall on the same bit.
        bits |= (eight * 0x0102040810204080U >> 56) << i;
    }
    return bits;
}

/// `Bounded`: the rule has more conditions than value >= least.
template <bool Bounded, class T>
std::uint64_t inside(T const* values, std::size_t count, typed_rule<T> const& rule) noexcept {
    std::array<std::uint8_t, chunk> bytes;
    auto const test = [&](T value) {
        if constexpr (Bounded)
            return static_cast<std::uint8_t>(
                static_cast<unsigned>(value >= rule.least) & static_cast<unsigned>(value <= rule.most) &
                (static_cast<unsigned>(value != rule.missing) | static_cast<unsigned>(!rule.has_missing)));
        return static_cast<std::uint8_t>(value >= rule.least);
    };
    if (count == chunk) {
        for (std::size_t i = 0; i < chunk; ++i) bytes[i] = test(values[i]);
    } else {
        bytes.fill(0);
        for (std::size_t i = 0; i < count; ++i) bytes[i] = test(values[i]);
    }
    return bits_of(bytes);
}

template <bool Bounded, class T>
void append_row(
    T const* values, std::size_t width, typed_rule<T> const& rule, std::vector<row_runs::run>& runs) {
    std::uint64_t before = 0; // the last bit of the previous chunk
    for (std::size_t start = 0; start < width; start += chunk) {
        std::size_t const count = width - start < chunk ? width - start : chunk;
        std::uint64_t const bits = inside<Bounded>(values + start, count, rule);
        // A run begins or ends at each bit that differs from the one before.
        for (std::uint64_t turns = bits ^ (bits << 1 | before); turns != 0; turns &= turns - 1) {
            auto const at = static_cast<std::int32_t>(start) + std::countr_zero(turns);
            if (before == 0)
                runs.push_back({at, at});
            else
                runs.back().end = at;
            before ^= 1;
        }
    }
    if (before != 0) runs.back().end = static_cast<std::int32_t>(width);
}

template <bool Bounded, class T>
void append_rows(std::span<T const> values, typed_rule<T> const& rule, row_runs& into) {
    auto const width = static_cast<std::size_t>(into.width());
    std::size_t const rows = into.first.size() - 1;
    for (std::size_t row = 0; row < rows; ++row) {
        into.first[row] = into.runs.size();
        append_row<Bounded>(values.data() + row * width, width, rule, into.runs);
    }
    into.first[rows] = into.runs.size();
}

} // namespace

row_runs find_runs(std::span<std::byte const> values, value_type type, box<std::int64_t> const& bounds,
    foreground_rule const& rule) {
    row_runs found;
    found.bounds = bounds;
    if (found.width() > std::numeric_limits<std::int32_t>::max())
        throw usage_error("a block of more than 2^31 - 1 voxels along x; use more blocks");
    found.first.assign(static_cast<std::size_t>(found.height() * found.depth()) + 1, 0);
    visit_values(type, values, [&]<class T>(std::span<T const> typed) {
        typed_rule<T> const each(rule);
        if (each.none) return;
        if (each.has_missing || each.has_most)
            append_rows<true>(typed, each, found);
        else
            append_rows<false>(typed, each, found);
    });
    if (found.runs.size() >= std::numeric_limits<std::uint32_t>::max())
        throw usage_error("a block with 2^32 - 1 runs of foreground or more; use more blocks");
    return found;
}

std::int64_t voxels_of(row_runs const& rows) noexcept {
    std::int64_t voxels = 0;
    for (row_runs::run const& each : rows.runs) voxels += each.end - each.begin;
    return voxels;
}

} // namespace weft
