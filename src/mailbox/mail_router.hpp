/// The machinery of a mailbox. Private.
#pragma once

#include "channel_comparison.hpp"
#include "early_runs.hpp"
#include "incoming_mail.hpp"
#include "long_messages.hpp"
#include "outgoing_mail.hpp"

#include <protocol/termination/termination.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The print of a list of channels, and of that list with one more: FNV-1a.
inline constexpr std::uint64_t print_of_no_channels = 14695981039346656037U;
[[nodiscard]] constexpr std::uint64_t print_of_one_more(std::uint64_t list, std::uint64_t channel) noexcept {
    for (int shift = 0; shift < 64; shift += 8) list = (list ^ ((channel >> shift) & 0xFF)) * 1099511628211U;
    return list;
}

/// The handlers of all mailboxes that run in this thread, inside of each other.
extern thread_local constinit int mail_handlers_here;

/// Reads what comes: handles what is for this rank, passes on what is not.
class mail_engine::router final : public slot_reader {
public:
    router(mail_engine& mail, transport& via, mail_setup&& setup);

    bool work_off(in_slot& slot) override;
    [[nodiscard]] bool may_read(std::byte const* slot) const override;
    [[nodiscard]] int depth() const override { return mail_.depth_; }

    /// Receives and sends; see `mail_engine::lost`.
    progress advance();
    /// True if runs of channels that are there now wait among those that came early.
    [[nodiscard]] bool has_early_work() const noexcept {
        return early.lowest_channel(channels.size()) < channels.size();
    }
    /// How many bytes of early runs are kept, if their channel is not there.
    [[nodiscard]] std::int64_t early_bound() const noexcept {
        return std::max<std::int64_t>(mail_.spill_bound_, 65536);
    }
    /// True if no channel holds messages back that are not in a run yet, and so are not counted.
    [[nodiscard]] bool nothing_held() const noexcept;
    /// Flushes messages that channels hold for combining, and buffers that are not full. Returns true if
    /// there were any.
    bool release_all();
    /// True if a wave that this rank has voted in is over, and what comes of that done.
    [[nodiscard]] bool ends_wave();
    /// Votes if nothing is left to do here, and gets a wave on.
    progress terminate(bool idle);
    /// As `census::let_go`, of the wave that is under way and of what follows it.
    [[nodiscard]] bool let_waves_go();

private:
    [[nodiscard]] progress advance_or_throw();
    /// The memory of a rank's rings where nothing is shared.
    [[nodiscard]] std::byte* own_part();
    /// Passes runs on that are for other ranks, or for others too. False if that had to stop.
    bool pass(in_slot& slot, run_head const& head, std::span<std::byte const> run);
    /// Works off runs that came before their channel was made, and whose channel is there now.
    bool work_off_early();
    /// Keeps a run whose channel is to come; false if too many are kept.
    [[nodiscard]] bool keep_early(
        slot_head const& sender, run_head const& head, std::span<std::byte const> whole);
    void deliver(run_head const& head, std::span<std::byte const> run);
    template <class Handle, class Drop, class Count>
    void guarded(run_head const& head, Handle&& handle, Drop&& drop, Count&& count);
    bool pass_on(in_slot& slot, run_head const& head, std::span<std::byte const> run);
    bool pass_to_node(in_slot& slot, run_head const& head, std::span<std::byte const> run);
    bool pass_to_nodes(in_slot& slot, run_head const& head, std::span<std::byte const> run);
    bool append(std::size_t place, delivery how, run_head const& head, std::span<std::byte const> run);
    void end_wave();
    [[nodiscard]] bool has_other_channels(slot_head const& sender) const noexcept;

    mail_engine& mail_;

public: // of the engine, which is all that knows this class
    transport& via;
    mail_setup setup;
    std::vector<mail_channel*> channels;
    std::vector<mail_channel*> combining; // of these; the mailbox owns them, others may be gone when it ends
    std::vector<std::uint64_t> prints{print_of_no_channels}; ///< of the first channels, by their number
    termination counts;
    std::uint32_t phase = 0; ///< how many have ended
    buffer own_memory;
    outgoing_mail out;
    incoming_mail in;
    long_messages pieces;
    early_runs early;
    std::size_t known = 0;   ///< runs of the channels before this one can be worked off as they come
    bool early_lost = false; ///< some could not be kept: this phase is an error
    std::uint64_t long_messages_sent = 0;
    std::int64_t forwarded_bytes = 0;
    std::exception_ptr thrown;
    std::string where_thrown;
    census_value ballot = census_value::identity();
    std::optional<agreement> verdict;
    std::optional<channel_comparison> comparison;
    std::exception_ptr misuse; ///< the same on all ranks
    std::exception_ptr lost;   ///< see `mail_engine::lost`
    bool quiet = false;
    std::int64_t sent_at_quiet = 0;
};

} // namespace weft
