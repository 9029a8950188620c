/// Sums of doubles that do not depend on the order of the addends. Private.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace weft {

/// A sum in integers: every addend is cut to a multiple of 2^`unit`, and from there on all is exact. So the
/// sum is a function of the addends alone, however they are ordered or dealt to ranks.
class fixed_point {
public:
    /// For a unit of -1000..1000; all sums of addends must stay below 2^126 units.
    explicit fixed_point(int unit) noexcept : unit_(unit), units_of_one_(std::ldexp(1, -unit)) {}

    [[gnu::always_inline]] void add(double addend) noexcept { units_ += in_units(addend); }
    /// Adds it as often as `times` says; 2^40 times at most.
    void add(double addend, std::int64_t times) noexcept { units_ += in_units(addend) * times; }

    /// The sum in pieces of 42 bits for a census: those of 2^20 ranks add up without overflow.
    [[nodiscard]] std::array<std::int64_t, 3> pieces() const noexcept {
        constexpr auto low = (wide{1} << piece_bits) - 1;
        return {static_cast<std::int64_t>(units_ & low),
            static_cast<std::int64_t>((units_ >> piece_bits) & low),
            static_cast<std::int64_t>(units_ >> (2 * piece_bits))};
    }
    void assign(std::array<std::int64_t, 3> const& summed) noexcept {
        units_ = summed[0] + (wide{summed[1]} << piece_bits) + (wide{summed[2]} << (2 * piece_bits));
    }

    [[nodiscard]] double value() const noexcept { return std::ldexp(static_cast<double>(units_), unit_); }

private:
    __extension__ using wide = __int128;
    static constexpr int piece_bits = 42;

    /// Cuts as a conversion does, which is a call for numbers of 128 bits.
    [[nodiscard, gnu::always_inline]] wide in_units(double addend) const noexcept {
        double const scaled = addend * units_of_one_;
        return std::abs(scaled) < 0x1p62 ? static_cast<std::int64_t>(scaled) : cut(scaled);
    }
    [[nodiscard, gnu::noinline]] static wide cut(double scaled) noexcept {
        auto const bits = std::bit_cast<std::uint64_t>(scaled);
        int const exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1075; // of the last of 53 digits: above 0
        auto const digits =
            static_cast<std::int64_t>((bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52);
        return (scaled < 0 ? -wide{digits} : wide{digits}) << std::min(exponent, 127);
    }

    int unit_;
    double units_of_one_;
    wide units_ = 0;
};

} // namespace weft
