/// Detects termination by a cancellable barrier; each rank counts its own work only.
#pragma once

#include <weft/extend/protocol/termination_detector.hpp>
#include <weft/extend/transport/census_value.hpp>

namespace weft {

/// A rank's work is the messages that it has sent and not known to be received, and those received and not
/// handled. Without work it enters a barrier. When all have entered, a reduction tells whether a rank had
/// work since it entered. If none had, no rank had work when the last one entered, so no message was in
/// flight: sends are synchronous, and one in flight is work of its sender. Otherwise all begin again.
///
/// Counts are not added up over ranks, but every message needs an acknowledgement. A message for the next
/// phase is work of the next phase: nothing is reset in between.
///
/// A `transport` has no barrier, so this uses an empty reduction. Collectives are begun only by ranks without
/// work, two for each wave.
///
/// Cost: two collectives; two more for each time that a rank had work since. Source: Morozov et al.,
/// IExchange: asynchronous communication and termination detection for iterative algorithms, LDAV 2021,
/// section 3, algorithm 5 as in its text and figure 2 (the listing tests the reduced flag the wrong way
/// round).
class barrier_consensus final : public termination_detector {
public:
    explicit barrier_consensus(transport& via) : via_(via) {}

    [[nodiscard]] send_mode mode() const noexcept override;
    void sent(std::int64_t messages) noexcept override { add_work(messages); }
    void delivered(std::int64_t messages) noexcept override { work_ -= messages; }
    void received(std::int64_t messages) noexcept override { add_work(messages); }
    void handled(std::int64_t messages) noexcept override { work_ -= messages; }
    [[nodiscard]] std::int64_t work() const noexcept { return work_; }

    [[nodiscard]] progress step(bool idle) override;
    [[nodiscard]] std::int64_t waves() const noexcept override { return waves_; }
    [[nodiscard]] std::int64_t collectives() const noexcept override { return collectives_; }

private:
    enum class state { working, in_barrier, in_reduction };

    void add_work(std::int64_t messages) noexcept;
    void begin(state next);

    transport& via_;
    state state_ = state::working;
    std::int64_t work_ = 0;
    bool dirty_ = false; // had work since it entered the barrier
    request collective_ = {};
    census_value mine_ = {}; // read by a collective while it runs
    census_value combined_ = {};
    std::int64_t waves_ = 0;
    std::int64_t collectives_ = 0;
};

} // namespace weft
