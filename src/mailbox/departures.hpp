/// Ranks that have left a mailbox that others may still use. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/core/attachment.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The notice of a rank that has left.
struct departure {
    std::int64_t mailbox = 0;
    std::int64_t phases = 0; ///< number of phases that it has completed
    std::int32_t rank = 0;
    std::int32_t first = 0; ///< the rank that left first; others leave because of it
    std::int32_t by_exception = 0;
    std::int32_t to_all = 0; ///< 1 if all ranks get the notice, else only the next rank
};

/// The notices of a communicator. All its mailboxes share one tag, which has no other use: MPI may give the
/// context of a freed communicator to a new one, and a notice that was never received must not match a
/// message of the new one.
class departure_notices {
public:
    static constexpr int tag = tag_pool::last - 2; // collectives use the two tags above

    explicit departure_notices(communicator const& comm) { long_tags(comm).take(tag); }

    [[nodiscard]] static departure_notices& of(communicator const& comm) {
        return attachment<departure_notices>(comm, comm);
    }

    /// Keeps notices of this mailbox from now on. Numbers of mailboxes ascend.
    void expect(std::int64_t mailbox);
    void forget(std::int64_t mailbox);
    /// Receives the notices that have arrived. Local.
    void look(transport& via);
    /// Returns a received notice of a rank that left this mailbox before the end of phase `phase`. Local.
    [[nodiscard]] std::optional<departure> find(std::int64_t mailbox, std::int64_t phase) const;
    /// Returns true if `rank` has left this mailbox.
    [[nodiscard]] bool has_left(std::int64_t mailbox, int rank) const;

private:
    [[nodiscard]] bool is_over(departure const& each) const;

    std::vector<departure> heard_;
    std::vector<std::int64_t> expected_; // ascending
    std::int64_t newest_ = INT64_MIN;
};

/// A rank that drops a mailbox never ends its current phase, whether it has sent anything or not. It
/// sends notices that need no answer, so that dropping is local; the others look for them only if there
/// is no progress. A rank that has completed this phase does not matter: then this rank can complete it,
/// too.
///
/// All ranks are notified if an exception drops the mailbox, or if messages are lost with it. Otherwise, as
/// at the usual end of a mailbox, the notice goes around a ring: a rank that gets it while it waits leaves
/// too, and notifies the next one.
class departures {
public:
    /// `over` must outlive this object. Collective: yes. Cost: one reduction.
    departures(communicator const& over, transport& via);
    ~departures();
    departures(departures const&) = delete;
    departures& operator=(departures const&) = delete;

    /// Notifies others that this rank leaves after `phases` phases: all of them if an exception drops the
    /// mailbox or `loses_mail`, unless another rank left first and notified them; else the next rank. Local;
    /// to be called once. Cost: one message of 32 bytes, or P - 1.
    void tell(std::int64_t phases, bool by_exception, bool loses_mail);

    /// Looks for notices. Returns true if a rank has left that is needed to end phase `phase`. Local.
    [[nodiscard]] bool look(std::int64_t phase);
    /// Returns the last result of `look`.
    [[nodiscard]] bool found() const noexcept { return leaver_.has_value(); }
    /// Returns "rank 2 has left the mailbox ... before the end of this phase"; one must have been found.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] int rank() const noexcept { return leaver_->first; }

private:
    [[nodiscard]] int next_rank() const noexcept { return (via_.rank() + 1) % via_.size(); }

    communicator const& comm_;
    transport& via_;
    departure_notices& notices_;
    std::int64_t mailbox_; // the same on all ranks, and of no other mailbox
    bool told_ = false;
    std::optional<departure> leaver_;
};

} // namespace weft
