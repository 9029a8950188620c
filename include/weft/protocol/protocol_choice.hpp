/// Which protocol `protocol::automatic` stands for.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/protocol/exchange_load.hpp>

namespace weft {

/// Chooses the protocols of a communicator's exchanges from the machine model and the load of the busiest
/// rank in the last exchange that told it. Every rank holds the same model and learns the same loads in the
/// same order, so that all choose alike; the load of one rank never counts.
class protocol_choice {
public:
    explicit protocol_choice(communicator const& comm);

    /// The protocol of the next exchange. Local, O(1) while the load stays in its class.
    [[nodiscard]] protocol next();
    /// The load of an exchange that all ranks have completed before any begins another.
    void learn(exchange_load busiest) noexcept { load_ = busiest; }

private:
    [[nodiscard]] protocol predicted_fastest() const;

    communicator_state& comm_;
    exchange_load load_;
    exchange_load chosen_for_ = {-1, -1};
    protocol chosen_ = protocol::nbx;
};

} // namespace weft
