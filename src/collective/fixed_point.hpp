/// Sums of doubles that do not depend on the order of the addends. Private.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace weft {

/// A sum in integers: every addend is cut to a multiple of 2^`unit`, and from there on all is exact. So the
/// sum is a function of the addends alone, however they are ordered or dealt to ranks.
class fixed_point {
public:
    /// For a unit of -1000..1000; all sums of addends must stay below 2^126 units.
    explicit fixed_point(int unit) noexcept : unit_(unit), units_of_one_(std::ldexp(1, -unit)) {}

    void add(double addend) noexcept { units_ += static_cast<wide>(addend * units_of_one_); }

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

    int unit_;
    double units_of_one_;
    wide units_ = 0;
};

} // namespace weft
