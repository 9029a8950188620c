/// Simulated ranks with the engine of the mailbox.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/transport/simulated_machine.hpp>
#include <weft/mailbox/channel.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>

namespace weft::tool {

/// The mailbox of simulated ranks.
struct simulated_mailbox {
    route how;
    std::int64_t buffer_bytes;
    bool shares_memory; ///< inside nodes; else messages go there too
    termination_kind termination = termination_kind::counted_waves;
};

/// The engine of the simulated rank `via`. `nodes` as that rank sees them, which must live as long.
[[nodiscard]] mail_setup simulated_mail(transport& via, topology const& nodes, simulated_mailbox const& what);

/// The course of every rank: sends items to random ranks and drains, batch after batch.
struct mail_stream {
    std::int64_t items;  ///< of all batches
    std::int64_t batch;  ///< items before a drain
    double send_seconds; ///< of the processor, an item
    double handle_seconds;
    simulated_mailbox mailbox;
    std::uint64_t seed;
};

/// One rank with the mailbox's own engine.
class mail_program {
public:
    mail_program(simulated_machine& machine, topology const& nodes, int rank, mail_stream const& what);

    progress step();

    /// Items that it has sent, less those that it has handled.
    [[nodiscard]] std::int64_t surplus() const noexcept { return sent_ - handled_; }

private:
    progress send_some();

    simulated_machine& machine_;
    int rank_;
    mail_stream const& what_;
    std::int64_t batch_end_;
    topology nodes_;
    std::minstd_rand next_;
    mail_engine mail_;
    detail::item_receiver<std::uint64_t, std::function<void(std::span<std::uint64_t const>)>> receiver_;
    int channel_;
    std::int64_t sent_ = 0;
    std::int64_t handled_ = 0;
    std::size_t destination_ = 0;
    bool drawn_ = false; // the destination of the next item, which found no room
};

} // namespace weft::tool
