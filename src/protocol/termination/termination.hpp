/// When is all done? The one place where messages are counted to find out (law 4).
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

/// Detects that no message is in flight between ranks that send messages because of messages.
///
/// Messages are counted end to end: when their sender pushed them, and when the handler at their receiver has
/// returned; buffers and hops on the way cannot hide any. Ranks that are out of work take part in waves, each
/// a census of both counts. With the number handled in one wave equal to the number sent in the next, nothing
/// was in flight between the two (Mattern's four counters need two of these four). The first wave after all
/// was quiet compares with that state, so if nothing was sent since, it is the only one.
///
/// A rank votes by taking part: it has nothing to do but what messages bring. A message that it sends
/// nevertheless after it has voted in the last wave belongs to the time after; until then every new message
/// cancels.
///
/// Cost: two censuses, or one if nothing was sent; one more for each time that messages were still in flight.
/// Source: Mattern, Algorithms for distributed termination detection, 1987, section 4.3, with the censuses of
/// `repeated_census`; YGM, 2019, section IV.B.
///
/// Two more kinds take the collectives of `collectives`, which nothing else may use. `four_counters` counts
/// the same. `barrier_consensus` does not look at the counts: a rank votes only while it knows of no message
/// of its own that was not handled or taken over (`knows_its_work`), the vote is a barrier, and a reduction
/// behind it says whether a rank had work since (`had_work`). If none had, then at the moment when the last
/// one voted no rank had any, and no message was in flight, because one in flight is work of its sender.
class termination {
public:
    /// `collectives`: where the two kinds with collectives begin them; must live as long.
    termination(transport& via, topology const& nodes, int control_tag, std::span<std::byte* const> lines,
        termination_kind kind = termination_kind::counted_waves, transport* collectives = nullptr)
        : census_(via, nodes, control_tag, lines), kind_(kind), collectives_(collectives) {}
    termination(termination const&) = delete;
    termination& operator=(termination const&) = delete;
    ~termination();

    /// A message was pushed. Also several at once.
    void sent(std::int64_t messages) noexcept {
        sent_ += messages;
        dirty_ = true;
    }
    /// Their handlers have returned.
    void handled(std::int64_t messages) noexcept {
        handled_ += messages;
        dirty_ = true;
    }
    /// Something was received, passed on or taken over.
    void had_work() noexcept { dirty_ = true; }
    /// True if a rank may vote only while none of its messages is under way.
    [[nodiscard]] bool knows_its_work() const noexcept {
        return kind_ == termination_kind::barrier_consensus;
    }
    [[nodiscard]] std::int64_t sent() const noexcept { return sent_; }
    [[nodiscard]] std::int64_t handled() const noexcept { return handled_; }

    /// Takes part in the next wave. `extra` travels along as far as `repeated_census` lets it; its sums 0 and
    /// 1 become the counts.
    void vote(census_value& extra);
    [[nodiscard]] bool voted() const noexcept { return collective_ != nullptr || census_.entered(); }
    /// As `census::let_go`, of the wave that is under way. MPI cancels no collective, and ranks that have
    /// gone enter none: nobody waits for one.
    [[nodiscard]] bool let_go() { return collective_ != nullptr || census_.let_go(); }
    void describe_wait(std::string& into) const {
        if (collective_)
            collective_->describe_wait(into);
        else
            census_.describe_wait(into);
    }
    /// Done when a wave is: then `quiet` says what it came to.
    [[nodiscard]] progress step();
    /// True if by the last wave nothing was in flight.
    [[nodiscard]] bool quiet() const noexcept { return quiet_; }
    /// The sum that all have brought to the last wave.
    [[nodiscard]] census_value const& result() const noexcept {
        return kind_ == termination_kind::counted_waves ? census_.result() : result_;
    }
    [[nodiscard]] std::int64_t waves() const noexcept { return census_.count() + collective_waves_; }
    [[nodiscard]] std::int64_t messages() const noexcept { return census_.messages(); }

private:
    void begin_collective(census_value const& mine);
    [[nodiscard]] progress step_collective();

    repeated_census census_;
    termination_kind kind_;
    transport* collectives_;
    std::unique_ptr<census> collective_; // of the wave that is under way
    bool is_barrier_ = false;            // it is, and the reduction is to come
    bool dirty_ = false;                 // this rank had work since it voted
    census_value ballot_ = census_value::identity();
    census_value result_ = census_value::identity();
    std::int64_t collective_waves_ = 0;
    std::int64_t sent_ = 0;
    std::int64_t handled_ = 0;
    std::int64_t handled_before_ = 0; // by all ranks, in the wave before
    bool quiet_ = false;
};

} // namespace weft
