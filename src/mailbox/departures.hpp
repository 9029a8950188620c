/// Ranks that gave up a mailbox which others may still use. Private.
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

/// A notice of a rank that left.
struct departure {
    std::int64_t mailbox = 0;
    std::int64_t phases = 0; ///< that it has ended
    std::int32_t rank = 0;
    std::int32_t first = 0; ///< the rank whose leaving made this one leave, or this one
    std::int32_t by_exception = 0;
    std::int32_t to_all = 0; ///< all ranks are told; else the next rank alone
};

/// The notices of a communicator. All its mailboxes share one tag, which nothing else uses: a notice that
/// nobody looked for lies about until MPI gives the context of its communicator, once freed, to another, and
/// must not be taken for a message of that one.
class departure_notices {
public:
    static constexpr int tag = tag_pool::last - 2; // collectives have the two above

    explicit departure_notices(communicator const& comm) { long_tags(comm).take(tag); }

    [[nodiscard]] static departure_notices& of(communicator const& comm) {
        return attachment<departure_notices>(comm, comm);
    }

    /// From here on notices of this mailbox are kept. Numbers of mailboxes ascend.
    void expect(std::int64_t mailbox);
    void forget(std::int64_t mailbox);
    /// Receives those that have come. Local.
    void look(transport& via);
    /// That some rank left this mailbox before the end of phase number `phase`, as far as was heard. Local.
    [[nodiscard]] std::optional<departure> find(std::int64_t mailbox, std::int64_t phase) const;
    /// That this rank itself has left it.
    [[nodiscard]] bool has_left(std::int64_t mailbox, int rank) const;

private:
    [[nodiscard]] bool is_over(departure const& each) const;

    std::vector<departure> heard_;
    std::vector<std::int64_t> expected_; // ascending
    std::int64_t newest_ = INT64_MIN;
};

/// A rank that drops a mailbox never ends the phase that it is in, whether it has sent anything or not. It
/// says so by messages that nobody needs to answer, so that dropping is local; the others look for them only
/// when nothing gets on. Somebody who has ended the phase that this rank is in is no matter: then this rank
/// can end it too.
///
/// All ranks are told where an exception drops the mailbox, or messages are lost with it. Otherwise this is
/// how mailboxes end mostly, and the next rank alone is told, in a ring: a rank that waits and hears it,
/// tells the next one.
class departures {
public:
    /// `over` must outlive this. Collective: yes. Cost: one reduction.
    departures(communicator const& over, transport& via);
    ~departures();
    departures(departures const&) = delete;
    departures& operator=(departures const&) = delete;

    /// Tells the others that this rank leaves and has ended `phases`: all of them where an exception drops
    /// the mailbox or `loses_mail`, unless they hear of another one that left first. Local; once. Cost: one
    /// message of 32 bytes, or P - 1.
    void tell(std::int64_t phases, bool by_exception, bool loses_mail);

    /// Looks for notices; true if a rank has left that was needed to end phase number `phase`. Local.
    [[nodiscard]] bool look(std::int64_t phase);
    /// What `look` has found.
    [[nodiscard]] bool found() const noexcept { return leaver_.has_value(); }
    /// "rank 2 has left the mailbox by an exception before the end of this phase". Only where one was found.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] int rank() const noexcept { return leaver_->first; }

private:
    [[nodiscard]] int next_rank() const noexcept { return (via_.rank() + 1) % via_.size(); }

    communicator const& comm_;
    transport& via_;
    departure_notices& notices_;
    std::int64_t mailbox_; // a number that all ranks have for this one and no other
    bool told_ = false;
    std::optional<departure> leaver_;
};

} // namespace weft
