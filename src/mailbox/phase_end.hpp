/// The end of a phase of a mailbox. Private.
#pragma once

#include "channel_comparison.hpp"
#include "channel_list.hpp"

#include <protocol/termination/termination.hpp>
#include <weft/detail/core/prefetch.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/protocol/agreement.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace weft {

/// Detects, by waves of votes, that all ranks drain and no message is in flight, and agrees on errors of the
/// phase: an exception of a handler, or channels that differ between ranks.
class phase_end {
public:
    phase_end(transport& via, mail_setup const& setup, channel_list const& channels);

    [[nodiscard]] termination& counts() noexcept { return counts_; }
    [[nodiscard]] termination const& counts() const noexcept { return counts_; }
    /// Returns the number of completed phases.
    [[nodiscard]] std::uint32_t phase() const noexcept { return phase_; }

    /// Sets whether this rank only reacts to messages from now on, so that it may vote.
    void set_drains(bool now) noexcept { drains_ = now; }
    [[nodiscard]] bool drains() const noexcept { return drains_; }
    /// As `mail_engine::fail`.
    void fail(std::exception_ptr thrown, std::string where);
    [[nodiscard]] bool has_failed() const noexcept { return thrown_ != nullptr; }
    /// Messages for missing channels were dropped: this phase fails.
    void lose_early_messages() noexcept { early_lost_ = true; }

    /// Takes part in the wave if that is due. `is_idle` returns true if this rank has nothing left to do.
    template <class Idle>
    progress step(Idle&& is_idle) {
        if (comparison_) return step_comparison();
        if (verdict_) return step_verdict();
        if (drains_ && !quiet_ && !counts_.voted() && is_idle()) vote();
        return ends_wave() ? progress::some : progress::none;
    }
    /// Returns true if a wave with this rank's vote has ended; then its result has been applied.
    [[nodiscard]] bool ends_wave();
    /// Calls `census::let_go` of the current wave and of the steps after it.
    [[nodiscard]] bool let_waves_go();

    [[nodiscard]] bool is_quiet() const noexcept { return quiet_; }
    /// Returns true if this rank has voted and waits for the others.
    [[nodiscard]] bool waits_for_wave() const noexcept {
        return counts_.voted() && !quiet_ && !verdict_ && !comparison_;
    }
    /// Returns true if this rank has sent nothing and voted in no wave since the last quiet state.
    [[nodiscard]] bool unused_since_quiet() const noexcept {
        return counts_.sent() == sent_at_quiet_ && !counts_.voted();
    }
    /// As `mail_engine::begin_next_phase`.
    void begin_next();
    /// As `mail_engine::prefetch`, with stages 0 and 1.
    void prefetch(int stage) const noexcept {
        counts_.prefetch(stage);
        if (stage != 0) return;
        detail::prefetch(this, 64);
        detail::prefetch(&phase_, 64);
        detail::prefetch(reinterpret_cast<std::byte const*>(&verdict_ + 1) - 8, 8); // has it a value?
        detail::prefetch(reinterpret_cast<std::byte const*>(&comparison_ + 1) - 8, 8);
    }
    /// As `engine::describe_wait`.
    void describe_wait(std::string& into) const;

private:
    void vote();
    void end_wave();
    progress step_comparison();
    progress step_verdict();

    transport& via_;
    int control_tag_;
    channel_list const& channels_;
    termination counts_;
    std::uint32_t phase_ = 0;
    bool drains_ = false;
    bool quiet_ = false;
    bool early_lost_ = false;
    std::int64_t sent_at_quiet_ = 0;
    std::exception_ptr thrown_;
    std::string where_thrown_;
    census_value ballot_ = census_value::identity();
    std::optional<agreement> verdict_;
    std::optional<channel_comparison> comparison_;
    std::exception_ptr misuse_; // the same on all ranks
};

} // namespace weft
