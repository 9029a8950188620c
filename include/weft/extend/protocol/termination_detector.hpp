/// Methods to detect termination, with one interface, for comparison with `termination`.
#pragma once

#include <weft/core/topology.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace weft {

/// The methods of detection.
enum class termination_method {
    barrier_consensus, ///< `barrier_consensus`: a barrier and a reduction of dirty flags, synchronous sends
    four_counters,     ///< `four_counters`: the waves of `termination` as collectives of MPI
    dissemination,     ///< `termination` by messages alone
    shared_lines,      ///< `termination` as the mailbox has it: memory inside nodes, messages between them
};
/// Returns the name of a method, as errors and tables show it.
[[nodiscard]] std::string_view name_of(termination_method value) noexcept;

/// One rank's part in finding out, phase after phase, that no rank has work and no message is in flight. Each
/// message has four events, which are reported by the rank on which they happen: its sender `sent` it and
/// learns that it was `delivered`; its receiver has `received` and then `handled` it. Messages that handlers
/// send are sent before the handler's own counts as handled.
///
/// A user of a detector sends in its `mode`, receives only probed messages, and calls `received` before the
/// next `step`: if a receive were posted in advance, only the sender would know of the match. A message of
/// the next phase, whose sender has left this one, may be received now and handled then.
class termination_detector {
public:
    termination_detector() = default;
    termination_detector(termination_detector const&) = delete;
    termination_detector& operator=(termination_detector const&) = delete;
    virtual ~termination_detector() = default;

    /// Returns the mode in which the counted messages must be sent.
    [[nodiscard]] virtual send_mode mode() const noexcept { return send_mode::standard; }
    /// Reports that this number of sends has begun.
    virtual void sent(std::int64_t messages) noexcept = 0;
    /// Reports that sends are complete.
    virtual void delivered(std::int64_t /*messages*/) noexcept {}
    /// Reports that receives have begun.
    virtual void received(std::int64_t /*messages*/) noexcept {}
    /// Reports that handlers have returned.
    virtual void handled(std::int64_t messages) noexcept = 0;

    /// Makes progress. `idle`: this rank has no work except that of messages. Returns done once per phase, on
    /// every rank: then all ranks were idle at once, and no message was in flight. The step after it belongs
    /// to the next phase.
    [[nodiscard]] virtual progress step(bool idle) = 0;

    /// Returns the cost so far: the waves of all ranks, and the messages of this rank for them.
    [[nodiscard]] virtual std::int64_t waves() const noexcept = 0;
    /// Returns the number of messages that this rank has sent for the detection.
    [[nodiscard]] virtual std::int64_t control_messages() const noexcept { return 0; }
    /// Returns the number of MPI collectives that this rank has begun for the detection.
    [[nodiscard]] virtual std::int64_t collectives() const noexcept { return 0; }
};

/// `control_tag` and `nodes` are for the methods with messages, `lines` for the one with shared memory: the
/// `repeated_census::shared_bytes` of each core of this node. `via` and `nodes` must live as long.
/// Collective: no, but all ranks make the same. Blocks: no.
[[nodiscard]] std::unique_ptr<termination_detector> make_termination_detector(termination_method method,
    transport& via, topology const& nodes, int control_tag, std::span<std::byte* const> lines);

} // namespace weft
