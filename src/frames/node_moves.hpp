/// Moves values between ranks of a node through shared memory. Private.
#pragma once

#include <weft/exchange/exchange_plan.hpp>
#include <weft/extend/transport/shared_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

/// One direction of a plan, split into neighbours on this node (near) and others (far), which have a plan
/// of their own. A sender writes into its part of the memory, in the order of the whole plan; its
/// receivers read there. All ranks synchronize between writing and reading, and between reading and the
/// next writing.
class node_moves {
public:
    /// `most_items`: the greatest number that a rank sends to near neighbours. Collective: yes. Blocks: until
    /// all ranks have called. Cost: an exchange, and on several nodes another plan.
    node_moves(exchange_plan const& plan, std::int64_t most_items);

    /// Makes room for values of this size. Returns false, on all ranks, if there is no memory. Collective:
    /// yes, with the same size. Blocks: if more room is needed.
    [[nodiscard]] bool reserve(std::size_t value_bytes);

    [[nodiscard]] bool sends_near(std::size_t destination) const noexcept {
        return near_out_[destination] >= 0;
    }
    [[nodiscard]] bool comes_from_near(std::size_t source) const noexcept { return near_in_[source] >= 0; }
    /// Return the room for the values to a near destination, and the values of a near source.
    [[nodiscard]] std::byte* room_for(std::size_t destination, std::size_t value_bytes) const noexcept {
        return mine_ + static_cast<std::size_t>(near_out_[destination]) * value_bytes;
    }
    [[nodiscard]] std::byte const* values_of(std::size_t source, std::size_t value_bytes) const noexcept {
        return parts_[source] + static_cast<std::size_t>(near_in_[source]) * value_bytes;
    }
    /// Returns the plan of the far neighbours, in the order of the whole plan; empty on a single node.
    [[nodiscard]] std::optional<exchange_plan> const& far() const noexcept { return far_; }

private:
    exchange_plan plan_;
    std::optional<exchange_plan> far_;
    std::vector<std::int64_t>
        near_out_;                      // by destination: its first item in this rank's part; negative if far
    std::vector<std::int64_t> near_in_; // by source: this rank's first item in the source's part
    std::int64_t most_items_;
    std::size_t room_ = 0; // bytes for each rank
    bool none_to_be_had_ = false;
    shared_memory memory_;
    std::byte* mine_ = nullptr;
    std::vector<std::byte*> parts_; // by source; null if far
};

} // namespace weft
