/// The weights of this rank by id, and how much lies below an id. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/frames/parts_view.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// Sums are integers: weights are multiples of a unit, the same on all ranks, so that sums depend neither on
/// the order nor on the number of ranks. Whole weights whose sum has 53 bits are exact.
class id_weights {
public:
    id_weights() = default;
    /// `weights` may be null: each item counts 1. `unit_exponent`: a weight w counts as w 2^unit_exponent.
    id_weights(parts_view<global_id> const& ids, parts_view<double> const* weights, int unit_exponent);
    /// Items that count 1 each, by ascending ids.
    explicit id_weights(std::vector<global_id> ids) noexcept : ids_(std::move(ids)) {}

    [[nodiscard]] std::int64_t total() const noexcept { return below(ids_.size()); }
    /// The weight of the ids below each of the points, which ascend.
    void below(std::span<global_id const> points, std::span<std::int64_t> sums) const;

private:
    [[nodiscard]] std::int64_t below(std::size_t items) const noexcept {
        return before_.empty() ? static_cast<std::int64_t>(items) : before_[items];
    }

    std::vector<global_id> ids_;       // ascending
    std::vector<std::int64_t> before_; // what lies before each, and in all; empty where each counts 1
};

} // namespace weft
