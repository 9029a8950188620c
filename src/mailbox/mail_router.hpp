/// The reading side of a mailbox. Private.
#pragma once

#include "channel_list.hpp"
#include "early_runs.hpp"
#include "incoming_mail.hpp"
#include "long_messages.hpp"
#include "long_transfers.hpp"
#include "outgoing_mail.hpp"
#include "phase_end.hpp"

#include <transport/rank_locals.hpp>

#include <weft/extend/mailbox/mail_engine.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace weft {

/// Reads arrived buffers: handles the runs for this rank and passes on the others.
class mail_router final : public slot_reader {
public:
    /// All arguments must outlive this object.
    mail_router(transport& via, mail_setup const& setup, channel_list const& channels, phase_end& end,
        outgoing_mail& out, long_transfers& longs);

    bool work_off(in_slot& slot) override;
    [[nodiscard]] bool may_read(std::byte const* slot) const override;
    [[nodiscard]] int depth() const override { return depth_; }

    /// Reads runs that arrived before their channel was made, once the channel exists.
    bool work_off_early();
    /// Returns true if there are any of these.
    [[nodiscard]] bool has_early_work() const noexcept {
        return early_.lowest_channel(channels_.size()) < channels_.size();
    }
    [[nodiscard]] bool keeps_early_runs() const noexcept { return !early_.empty(); }
    /// Returns the most bytes of early runs that are kept.
    [[nodiscard]] std::int64_t early_bound() const noexcept;
    /// Returns true if early runs have reached this bound, so that other buffers must wait.
    [[nodiscard]] bool waits_for_channels() const noexcept {
        return early_.bytes() >= early_bound() && !has_early_work();
    }
    [[nodiscard]] std::int64_t forwarded_bytes() const noexcept { return forwarded_bytes_; }

private:
    /// Keeps a run whose channel is not yet made; returns false if too many are kept.
    [[nodiscard]] bool keep_early(
        slot_head const& sender, run_head const& head, std::span<std::byte const> whole);
    void deliver(run_head const& head, std::span<std::byte const> run);
    template <class Handle, class Drop, class Count>
    void guarded(run_head const& head, Handle&& handle, Drop&& drop, Count&& count);
    /// Passes on runs that are for other ranks, or for others, too. Returns false if that had to stop.
    bool pass(in_slot& slot, run_head const& head, std::span<std::byte const> run);
    bool pass_on(in_slot& slot, run_head const& head, std::span<std::byte const> run);
    bool pass_to_node(in_slot& slot, run_head const& head, std::span<std::byte const> run);
    bool pass_to_nodes(in_slot& slot, run_head const& head, std::span<std::byte const> run);
    bool append(std::size_t place, delivery how, run_head const& head, std::span<std::byte const> run);
    /// Refuses the announced messages of a buffer that is not read.
    void refuse_long_messages(in_slot const& slot);
    [[nodiscard]] bool has_other_channels(slot_head const& sender) const noexcept;

    transport& via_;
    mail_setup const& setup_;
    channel_list const& channels_;
    phase_end& end_;
    outgoing_mail& out_;
    long_transfers& longs_;
    int rank_;
    int depth_ = 0; // handlers on the stack
    long_messages pieces_;
    early_runs early_;
    std::size_t known_ = 0; // runs of channels below this one are handled on arrival
    std::int64_t forwarded_bytes_ = 0;
};

} // namespace weft
