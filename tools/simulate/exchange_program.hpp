/// Simulated ranks in rounds of a sparse exchange with random targets.
#pragma once

#include <weft/extend/protocol/sparse_exchange.hpp>
#include <weft/extend/transport/simulated_machine.hpp>

#include <cstdint>
#include <optional>

namespace weft::tool {

/// The traffic: in each round every rank sends to `degree` random others.
struct exchange_traffic {
    int degree;
    std::int64_t least_bytes;
    std::int64_t most_bytes;
    int rounds;
    double compute; ///< seconds of the processor before each round
    std::uint64_t seed;

    /// The same with every standard library.
    [[nodiscard]] message_list of(int rank, int round, int ranks) const;
};

/// The rounds of one rank, one exchange after the other without a barrier.
class exchange_program {
public:
    progress step(simulated_machine& machine, int rank, sparse_exchange_setup const& setup,
        exchange_traffic const& what);

    /// Messages that it has sent, less those that it has received.
    [[nodiscard]] std::int64_t surplus() const noexcept { return sent_ - received_; }

private:
    std::optional<sparse_exchange> under_way_;
    int round_ = 0;
    std::int64_t sent_ = 0;
    std::int64_t received_ = 0;
};

} // namespace weft::tool
