/// The light that a piece of a ray adds to a pixel, by the value there.
#pragma once

#include <rendering/transfer.hpp>

#include <cstddef>
#include <vector>

namespace weft {

/// A transfer function for pieces of one length, whose entries are premultiplied by opacity and interpolated
/// linearly. Its error is about 1e-9 if the function is smooth, and at most the difference of two entries
/// near its knots.
class sample_table {
public:
    using entry = float __attribute__((vector_size(16)));

    /// `length`: of a piece, in voxels.
    sample_table(transfer_function const& transfer, double length);

    /// Returns red, green, blue and opacity.
    [[nodiscard]] entry at(float value) const noexcept {
        float const place = (value < 0 ? 0 : value > 1 ? 1 : value) * static_cast<float>(steps);
        auto const whole = static_cast<int>(place);
        entry const lo = entries_[static_cast<std::size_t>(whole)];
        return lo +
               (place - static_cast<float>(whole)) * (entries_[static_cast<std::size_t>(whole) + 1] - lo);
    }
    /// Returns true if pieces with values in this range add nothing.
    [[nodiscard]] bool is_clear(float least, float greatest) const noexcept;

private:
    static constexpr std::size_t steps = 4096;
    std::vector<entry> entries_;
    std::vector<int> opaque_before_; // for each entry, the number of earlier entries with an opacity
};

} // namespace weft
