/// Simulated ranks whose blocks run an application, by the engines of the library.
#pragma once

#include "block_application.hpp"

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/simulated_machine.hpp>
#include <weft/machine/machine_model.hpp>
#include <weft/protocol/termination_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace weft::tool {

/// The choices that the engines of blocks leave.
struct block_engines {
    route how = route::direct; ///< of the mailbox that iexchange sends by
    std::size_t slot_bytes = 131072;
    all_reduce_method census = all_reduce_method::dissemination;    ///< the end of a round
    termination_kind termination = termination_kind::counted_waves; ///< of iexchange
    bool whole_queues = false;                                      ///< of iexchange
    /// units of work after which a callback of iexchange flushes; 0: at its end
    std::int64_t flush_after = 0;
};

/// The plan that all ranks know.
struct block_plan {
    block_application& application;
    assignment const& where;
    topology const& nodes;
    machine_model const& machine;
    block_engines const& engines;
    std::function<void(int rank, block_id block, double seconds)>
        compute; ///< lets a rank compute for a block
};

/// One rank.
class block_program {
public:
    block_program() = default;
    block_program(block_program const&) = delete;
    block_program& operator=(block_program const&) = delete;
    virtual ~block_program() = default;
    virtual progress step() = 0;
    /// As in `simulated_machine::foresight`, with stages from 2 on.
    virtual void prefetch(int stage) const noexcept = 0;
    /// As in `simulated_machine::foresight`.
    [[nodiscard]] virtual bool rests() const noexcept { return false; }
};

/// `engine`: "exchange" or "iexchange". The plan must live as long.
[[nodiscard]] std::unique_ptr<block_program> make_block_program(
    std::string const& engine, simulated_machine& machine, int rank, block_plan const& plan);

} // namespace weft::tool
