/// Ranks that gave up a mailbox which others still use. Private.
#pragma once

#include <weft/transport/transport.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// A rank that drops a mailbox with messages in it, by an exception or not, never reaches the end of the
/// phase that it is in. It says so to all others, by messages that nobody needs to answer, so that dropping
/// is local. The others look for them only when nothing gets on. Somebody who has ended the phase that this
/// rank is in is no matter: then this rank can end it too.
class departures {
public:
    departures(transport& via, int tag) : via_(via), tag_(tag) {}

    /// Tells all other ranks that this one leaves after so many phases. Local. Cost: P - 1 messages of 16
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
    struct notice {
        std::int64_t phases = 0;
        std::int64_t by_exception = 0;
    };
    struct leaver {
        int rank = 0;
        notice said;
    };

    transport& via_;
    int tag_;
    notice mine_;
    std::vector<request> telling_;
    std::vector<leaver> left_; // all that were heard of
    std::optional<leaver> leaver_;
};

} // namespace weft
