/// Ranks that gave up a mailbox which others still use. Private.
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
    std::int64_t phases = 0; // that it has ended
    std::int32_t rank = 0;
    std::int32_t by_exception = 0;
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

    /// Receives those that have come. Local.
    void look(transport& via);
    /// That some rank left this mailbox before the end of phase number `phase`, as far as was heard. Local.
    [[nodiscard]] std::optional<departure> find(std::int64_t mailbox, std::int64_t phase) const;
    void forget(std::int64_t mailbox);

private:
    std::vector<departure> heard_;
};

/// A rank that drops a mailbox with messages in it, by an exception or not, never reaches the end of the
/// phase that it is in. It says so to all others, by messages that nobody needs to answer, so that dropping
/// is local. The others look for them only when nothing gets on. Somebody who has ended the phase that this
/// rank is in is no matter: then this rank can end it too.
class departures {
public:
    /// `over` must outlive this. Collective: yes. Cost: one reduction.
    departures(communicator const& over, transport& via);
    ~departures() { notices_.forget(mailbox_); }
    departures(departures const&) = delete;
    departures& operator=(departures const&) = delete;

    /// Tells all other ranks that this one leaves after so many phases. Local. Cost: P - 1 messages of 24
    /// bytes.
    void tell(std::int64_t phases, bool by_exception);
    /// The notices have left this rank.
    [[nodiscard]] bool are_told();

    /// Looks for notices; true if a rank has left that was needed to end phase number `phase`. Local.
    [[nodiscard]] bool look(std::int64_t phase);
    /// What `look` has found.
    [[nodiscard]] bool found() const noexcept { return leaver_.has_value(); }
    /// "rank 2 has left the mailbox by an exception before the end of this phase". Only where one was found.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] int rank() const noexcept { return leaver_->rank; }

private:
    transport& via_;
    departure_notices& notices_;
    std::int64_t mailbox_; // a number that all ranks have for this one and no other
    departure mine_;
    std::vector<request> telling_;
    std::optional<departure> leaver_;
};

} // namespace weft
