/// When is all done? The one place where messages are counted to find out (law 4).
#pragma once

#include <weft/core/topology.hpp>
#include <weft/extend/protocol/repeated_census.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>
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
class termination {
public:
    termination(transport& via, topology const& nodes, int control_tag, std::span<std::byte* const> lines)
        : census_(via, nodes, control_tag, lines) {}

    /// A message was pushed. Also several at once.
    void sent(std::int64_t messages) noexcept { sent_ += messages; }
    /// Their handlers have returned.
    void handled(std::int64_t messages) noexcept { handled_ += messages; }
    [[nodiscard]] std::int64_t sent() const noexcept { return sent_; }
    [[nodiscard]] std::int64_t handled() const noexcept { return handled_; }

    /// Takes part in the next wave. `extra` travels along as far as `repeated_census` lets it; its sums 0 and
    /// 1 become the counts.
    void vote(census_value& extra);
    [[nodiscard]] bool voted() const noexcept { return census_.entered(); }
    /// As `census::let_go`, of the wave that is under way.
    [[nodiscard]] bool let_go() { return census_.let_go(); }
    void describe_wait(std::string& into) const { census_.describe_wait(into); }
    /// Done when a wave is: then `quiet` says what it came to.
    [[nodiscard]] progress step();
    /// True if by the last wave nothing was in flight.
    [[nodiscard]] bool quiet() const noexcept { return quiet_; }
    /// The sum that all have brought to the last wave.
    [[nodiscard]] census_value const& result() const noexcept { return census_.result(); }
    [[nodiscard]] std::int64_t waves() const noexcept { return census_.count(); }
    [[nodiscard]] std::int64_t messages() const noexcept { return census_.messages(); }

private:
    repeated_census census_;
    std::int64_t sent_ = 0;
    std::int64_t handled_ = 0;
    std::int64_t handled_before_ = 0; // by all ranks, in the wave before
    bool quiet_ = false;
};

} // namespace weft
