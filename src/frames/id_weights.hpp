/// The weights of this rank by id, and the weight below an id. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/frames/parts_view.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// Sums are integers: weights are multiples of a unit that is the same on all ranks, so that sums depend
/// neither on the order nor on the number of ranks. Whole weights with a sum of 53 bits are exact.
class id_weights {
public:
    id_weights() = default;
    /// `weights` may be null: then each item counts 1. A weight w counts as w 2^unit_exponent.
    id_weights(parts_view<global_id> const& ids, parts_view<double> const* weights, int unit_exponent);
    /// Makes weights of 1 for items with ascending ids.
    explicit id_weights(std::vector<global_id> ids) noexcept : ids_(std::move(ids)) {}

    [[nodiscard]] std::int64_t total() const noexcept { return below(ids_.size()); }
    /// Computes the weight of the ids below each point; points must ascend.
    void below(std::span<global_id const> points, std::span<std::int64_t> sums) const;

private:
    [[nodiscard]] std::int64_t below(std::size_t items) const noexcept {
        return before_.empty() ? static_cast<std::int64_t>(items) : before_[items];
    }

    std::vector<global_id> ids_;       // ascending
    std::vector<std::int64_t> before_; // the weight before each, and the total; empty if each counts 1
};

} // namespace weft
