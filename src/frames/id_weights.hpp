/// The weights of this rank by id, and how much lies below an id. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/frames/parts_view.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Sums are integers: weights are multiples of a unit, the same on all ranks, so that sums depend neither on
/// the order nor on the number of ranks. Whole weights whose sum has 53 bits are exact.
class id_weights {
public:
    /// `weights` may be null: each item counts 1. `unit_exponent`: a weight w counts as w 2^unit_exponent.
    id_weights(parts_view<global_id> const& ids, parts_view<double> const* weights, int unit_exponent);

    [[nodiscard]] std::int64_t total() const noexcept { return before_.back(); }
    /// The weight of the ids below each of the points, which ascend.
    void below(std::span<global_id const> points, std::span<std::int64_t> sums) const;

private:
    std::vector<global_id> ids_;       // ascending
    std::vector<std::int64_t> before_; // what lies before each, and in all
};

} // namespace weft
