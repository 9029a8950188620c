/// Rounds of messages with ranks that are known beforehand, some of which may come late.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/protocol/message.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace weft {

/// One rank's part. In every round it sends a message to each of its partners and expects one from each, also
/// an empty one; a partner of a rank has that rank as a partner. Rounds of different ranks need not meet: who
/// goes on before all messages of a round are here gets the rest later, in order for each partner. The
/// reverse happens too: a partner that has all of a round sends the next while this rank waits for another
/// partner. Such a message replaces none that is missing, and is taken in the round that it belongs to.
///
/// Cost: a message for each partner and round; no census. Memory: what is on its way, which who waits until
/// few are `outstanding` keeps bounded. Source: Peterka, Ross, EuroMPI 2012, algorithm 3.
class neighbor_rounds final : public engine {
public:
    /// `partners`: ascending, distinct, without this rank. The tag is used by nothing else.
    neighbor_rounds(transport& via, int tag, std::vector<int> partners);

    [[nodiscard]] std::vector<int> const& partners() const noexcept { return partners_; }
    /// Begins a round: sends `outgoing[i]` to partner i.
    void begin(std::vector<buffer> outgoing);
    /// Receives, and lets sends complete; done when it was abandoned and nothing is under way.
    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// The messages of the rounds begun so far that are not here.
    [[nodiscard]] std::int64_t outstanding() const noexcept { return outstanding_; }
    /// The messages of these rounds that have arrived since, those of one partner in order.
    [[nodiscard]] message_list take();

    /// Its owner is gone: begins no more receives.
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
    /// The messages of one partner so far.
    struct tally {
        std::int64_t found = 0;
        std::int64_t arrived = 0;
    };

    [[nodiscard]] tally& tally_of(int partner) noexcept;

    transport& via_;
    int tag_;
    std::vector<int> partners_;
    std::vector<tally> tallies_; // by partner
    std::int64_t begun_ = 0;     // rounds
    std::int64_t not_found_ = 0; // messages of these rounds
    std::int64_t outstanding_ = 0;
    std::vector<transfer> sending_;
    std::deque<transfer> receiving_;   // in the order in which they were found
    std::vector<early_message> early_; // those of one partner in order
    message_list taken_next_;
    bool abandoned_ = false;
};

} // namespace weft
