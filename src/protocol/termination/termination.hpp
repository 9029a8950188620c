/// Detects termination. Messages are counted for that purpose only here (law 4).
#pragma once

#include <weft/core/topology.hpp>
#include <weft/extend/protocol/census.hpp>
#include <weft/extend/protocol/repeated_census.hpp>
#include <weft/extend/transport/transport.hpp>
#include <weft/protocol/termination_kind.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace weft {

/// Detects that no message is in flight between ranks that send messages in response to messages.
///
/// Messages are counted end to end: when their sender has pushed them, and when their handler has returned,
/// so buffers and hops cannot hide any. Ranks without work take part in waves, each a census of both counts.
/// If the number handled in one wave equals that sent in the next, nothing was in flight between them
/// (Mattern's method needs two of its four). The first wave after a quiet state compares with that state, so
/// if nothing was sent since, it is the only one. By taking part, a rank votes: it has no work except in
/// response to messages. A message that it sends nevertheless after its vote in the last wave belongs to the
/// time after; until then every new message cancels the termination.
///
/// Cost: two censuses, or one if nothing was sent; one more for each time that messages were still in flight.
/// Source: Mattern, Algorithms for distributed termination detection, 1987, section 4.3, with the censuses of
/// `repeated_census`; YGM, 2019, section IV.B.
///
/// Two more kinds use the collectives of `collectives`, which must have no other use. `four_counters` counts
/// in the same way. `barrier_consensus` ignores the counts: a rank votes only while all of its messages are
/// known to be handled or taken over (`knows_its_work`), the vote is a barrier, and a reduction after it
/// tells whether a rank had work since (`had_work`). If none had, no rank had work when the last one voted,
/// and no message was in flight, since one in flight is work of its sender.
class termination {
public:
    /// `collectives`: the transport of the two kinds with collectives; must outlive this object.
    termination(transport& via, topology const& nodes, int control_tag, std::span<std::byte* const> lines,
        termination_kind kind = termination_kind::counted_waves, transport* collectives = nullptr)
        : census_(via, nodes, control_tag, lines), kind_(kind), collectives_(collectives) {}
    termination(termination const&) = delete;
    termination& operator=(termination const&) = delete;
    ~termination();

    /// Counts pushed messages.
    void sent(std::int64_t messages) noexcept {
        sent_ += messages;
        dirty_ = true;
    }
    /// Counts messages whose handlers have returned.
    void handled(std::int64_t messages) noexcept {
        handled_ += messages;
        dirty_ = true;
    }
    /// A message was received, passed on or taken over.
    void had_work() noexcept { dirty_ = true; }
    /// Returns true if a rank may vote only while none of its messages is under way.
    [[nodiscard]] bool knows_its_work() const noexcept {
        return kind_ == termination_kind::barrier_consensus;
    }
    [[nodiscard]] std::int64_t sent() const noexcept { return sent_; }
    [[nodiscard]] std::int64_t handled() const noexcept { return handled_; }

    /// Takes part in the next wave. `extra` is carried along as far as `repeated_census` allows; its sums 0
    /// and 1 become the counts.
    void vote(census_value& extra);
    [[nodiscard]] bool voted() const noexcept { return collective_ != nullptr || census_.entered(); }
    /// Calls `census::let_go` of the current wave. MPI cannot cancel a collective, and ranks that have gone
    /// enter none, so a collective is not waited for.
    [[nodiscard]] bool let_go() { return collective_ != nullptr || census_.let_go(); }
    void describe_wait(std::string& into) const {
        if (collective_)
            collective_->describe_wait(into);
        else
            census_.describe_wait(into);
    }
    /// Done when a wave is complete: then `quiet` returns its result.
    [[nodiscard]] progress step();
    /// Returns true if by the last wave nothing was in flight.
    [[nodiscard]] bool quiet() const noexcept { return quiet_; }
    /// Returns the combined value of the last wave.
    [[nodiscard]] census_value const& result() const noexcept {
        return kind_ == termination_kind::counted_waves ? census_.result() : result_;
    }
    [[nodiscard]] std::int64_t waves() const noexcept { return census_.count() + collective_waves_; }
    [[nodiscard]] std::int64_t messages() const noexcept { return census_.messages(); }
    /// As `mail_engine::prefetch`, with stages 0 and 1.
    void prefetch(int stage) const noexcept { census_.prefetch(stage); }

private:
    void begin_collective(census_value const& mine);
    [[nodiscard]] progress step_collective();

    repeated_census census_;
    termination_kind kind_;
    transport* collectives_;
    std::unique_ptr<census> collective_; // of the current wave
    bool is_barrier_ = false;            // the barrier is under way, and the reduction is still to come
    bool dirty_ = false;                 // this rank had work since it voted
    census_value ballot_ = census_value::identity();
    census_value result_ = census_value::identity();
    std::int64_t collective_waves_ = 0;
    std::int64_t sent_ = 0;
    std::int64_t handled_ = 0;
    std::int64_t handled_before_ = 0; // by all ranks, in the previous wave
    bool quiet_ = false;
};

} // namespace weft
