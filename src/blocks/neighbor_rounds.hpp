/// Rounds of messages between known neighbours, in which messages may arrive late.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/protocol/message.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace weft {

/// One rank's part. In each round it sends a message, possibly empty, to each partner and expects one from
/// each; the relation is symmetric. Ranks may be in different rounds: a rank that continues before all
/// messages of a round have arrived gets the rest later, in order for each partner. A partner may also send a
/// message of the next round while this rank waits for another partner. Such a message does not count as a
/// missing one, and is taken in its own round.
///
/// Cost: a message for each partner and round; no census. Memory: the messages under way, bounded if callers
/// wait until few are `outstanding`. Source: Peterka, Ross, EuroMPI 2012, algorithm 3.
class neighbor_rounds final : public engine {
public:
    /// `partners`: ascending, distinct, without this rank. The tag must have no other use.
    neighbor_rounds(transport& via, int tag, std::vector<int> partners);

    [[nodiscard]] std::vector<int> const& partners() const noexcept { return partners_; }
    /// Begins a round: sends `outgoing[i]` to partner i.
    void begin(std::vector<buffer> outgoing);
    /// Receives messages and completes sends; done if it is abandoned and nothing is under way.
    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// Returns the number of missing messages of the rounds begun so far.
    [[nodiscard]] std::int64_t outstanding() const noexcept { return outstanding_; }
    /// Returns the messages of these rounds that arrived since the last call, in order for each partner.
    [[nodiscard]] message_list take();

    /// To be called when the owner is gone: begins no more receives.
    void abandon() noexcept { abandoned_ = true; }
    [[nodiscard]] bool at_rest() const noexcept { return sending_.empty() && receiving_.empty(); }

private:
    struct transfer {
        request pending;
        message what;
    };
    struct early_message {
        std::int64_t round;
        message what;
    };
    /// The number of messages of one partner so far.
    struct tally {
        std::int64_t found = 0;
        std::int64_t arrived = 0;
    };

    [[nodiscard]] tally& tally_of(int partner) noexcept;

    transport& via_;
    int tag_;
    std::vector<int> partners_;
    std::vector<tally> tallies_; // for each partner
    std::int64_t begun_ = 0;     // rounds
    std::int64_t not_found_ = 0; // messages of these rounds
    std::int64_t outstanding_ = 0;
    std::vector<transfer> sending_;
    std::deque<transfer> receiving_;   // in the order of probing
    std::vector<early_message> early_; // in order for each partner
    message_list taken_next_;
    bool abandoned_ = false;
};

} // namespace weft
