/// Detects termination by Mattern's four counters, with collectives of MPI.
#pragma once

#include <weft/extend/protocol/census.hpp>
#include <weft/extend/protocol/termination_detector.hpp>

#include <optional>

namespace weft {

/// Counts as `termination`; each wave is an MPI_Iallreduce of the numbers sent and handled. A rank takes
/// part in the next wave only when it is idle. But no rank knows of messages in flight, so ranks that
/// wait for one take part in wave after wave: some MPI libraries only support a limited number of
/// collectives.
///
/// Cost: two collectives, or one if nothing was sent; one more for each time that messages were still in
/// flight. Source: Mattern, Algorithms for distributed termination detection, 1987, section 4.3.
class four_counters final : public termination_detector {
public:
    explicit four_counters(transport& via) : via_(via) {}

    void sent(std::int64_t messages) noexcept override { sent_ += messages; }
    void handled(std::int64_t messages) noexcept override { handled_ += messages; }

    [[nodiscard]] progress step(bool idle) override;
    [[nodiscard]] std::int64_t waves() const noexcept override { return waves_; }
    [[nodiscard]] std::int64_t collectives() const noexcept override { return waves_; }

private:
    transport& via_;
    std::int64_t sent_ = 0;
    std::int64_t handled_ = 0;
    std::int64_t handled_before_ = 0; // by all ranks, in the previous wave
    std::optional<census> wave_;
    std::int64_t waves_ = 0;
};

} // namespace weft
