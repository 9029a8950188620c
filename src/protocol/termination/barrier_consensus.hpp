/// When is all done, by counting one's own work only: a barrier that can be cancelled.
#pragma once

#include <weft/extend/protocol/termination_detector.hpp>
#include <weft/extend/transport/census_value.hpp>

namespace weft {

/// A rank's work is what it has sent and does not know to be received, and what it has received and not
/// handled. Without any it enters a barrier; when all have, a reduction says whether some rank had work since
/// it entered. If none had, then at the moment when the last one entered no rank had any, so no message was
/// in flight: sends are synchronous, and one in flight is work of its sender. Otherwise all begin again.
///
/// No message is counted beyond a rank and no sum is taken, but every message has its way back. A message
/// for the next phase is work of the next phase: nothing is set back in between.
///
/// A `transport` has no barrier of its own: here it is a reduction of nothing. Collectives are begun only by
/// ranks without work, and two a wave.
///
/// Cost: two collectives; two more for each time that a rank had work since. Source: Morozov et al.,
/// IExchange: asynchronous communication and termination detection for iterative algorithms, LDAV 2021,
/// section 3, algorithm 5 as its text and figure 2 have it (the listing has the test of the reduced flag the
/// wrong way round).
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
    census_value mine_ = {}; // what a collective reads while it runs
    census_value combined_ = {};
    std::int64_t waves_ = 0;
    std::int64_t collectives_ = 0;
};

} // namespace weft
