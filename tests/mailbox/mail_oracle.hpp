/// Checks the messages of a mailbox: senders and handlers report to it. Private.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft_test {

/// A message of the tests.
struct parcel {
    static constexpr int everybody = -1;

    std::int32_t source = 0;
    std::int32_t number = 0; ///< of its source
    std::int32_t phase = 0;
    std::int32_t destination = 0;
    std::int32_t order = -1; ///< among those of its source, channel and destination; -1: from a handler
    std::int32_t hops = 0;   ///< further messages that it may cause, one after the other
};
static_assert(sizeof(parcel) == 24);

class mail_oracle {
public:
    explicit mail_oracle(int ranks) : ranks_(ranks), sent_(static_cast<std::size_t>(ranks)) {}

    /// Notes a message that is about to be sent.
    parcel send(int source, int channel, int destination, int phase, int hops, bool from_handler) {
        auto& log = sent_[static_cast<std::size_t>(source)];
        parcel made{source, static_cast<int>(log.size()), phase, destination, -1, hops};
        if (!from_handler) made.order = orders_[{source, channel, destination, phase}]++;
        log.push_back({made, channel, 0});
        phase_state& now = in(phase);
        for (int rank = 0; rank < ranks_; ++rank)
            if (destination == rank || destination == parcel::everybody) {
                ++now.expected[static_cast<std::size_t>(rank)];
                ++messages_;
            }
        return made;
    }

    /// A handler was called; `may_be_late`: the order of its source may be lost.
    void handle(int rank, int phase, int channel, parcel const& got, bool may_be_late) {
        std::string const what = name(got, channel) + " at rank " + std::to_string(rank) + ", phase " +
                                 std::to_string(phase) + ": ";
        auto const source = static_cast<std::size_t>(got.source);
        if (source >= sent_.size() || static_cast<std::size_t>(got.number) >= sent_[source].size())
            return complain(what + "nobody sent it");
        record& known = sent_[source][static_cast<std::size_t>(got.number)];
        if (known.channel != channel || known.what.phase != got.phase || known.what.order != got.order ||
            known.what.hops != got.hops || known.what.destination != got.destination)
            return complain(what + "it is not what was sent");
        if (got.destination != rank && got.destination != parcel::everybody)
            complain(what + "it is for another rank");
        if (got.phase != phase) complain(what + "it is of another phase");
        if ((known.handled_by >> rank & 1) != 0) complain(what + "it was handled before");
        known.handled_by |= 1u << rank;
        ++in(got.phase).handled[static_cast<std::size_t>(rank)];
        if (got.order < 0) return;
        std::int32_t& next = next_[{got.source, channel, got.destination, phase, rank}];
        if (got.order != next && !may_be_late && in(phase).threw.empty())
            complain(what + "number " + std::to_string(next) + " should come before");
        next = std::max(next, got.order + 1);
    }

    /// For messages that are combined on their way, which have no names.
    void send_weight(int destination, int phase, std::int64_t grams) {
        in(phase).grams[static_cast<std::size_t>(destination)] += grams;
    }
    void handle_weight(int rank, int phase, int sent_in, std::int64_t grams) {
        if (phase != sent_in) complain("a merged message of another phase");
        in(phase).grams[static_cast<std::size_t>(rank)] -= grams;
    }

    /// An item that could not be combined is lost.
    void loses_weight(int phase) { in(phase).weight_is_lost = true; }

    void throws(int rank, int phase) { in(phase).threw.insert(rank); }
    void sends_no_more(int phase) { ++in(phase).finished; }
    void queues(int phase, int messages) { in(phase).queued += messages; }

    /// A rank has detected the end of a phase.
    void is_quiet(int rank, int phase) {
        phase_state const& now = in(phase);
        std::string const what = "rank " + std::to_string(rank) + " left phase " + std::to_string(phase);
        if (now.finished != ranks_) complain(what + " before all had come to its end");
        if (now.queued != 0) complain(what + " though somebody still had to send");
        for (int each = 0; each < ranks_; ++each) {
            if (now.grams[static_cast<std::size_t>(each)] != 0 && !now.weight_is_lost &&
                !now.threw.contains(each))
                complain(what + ": " + std::to_string(now.grams[static_cast<std::size_t>(each)]) +
                         " grams have not come to rank " + std::to_string(each));
            if (auto const r = static_cast<std::size_t>(each);
                now.handled[r] != now.expected[r] && !now.threw.contains(each))
                complain(what + ": rank " + std::to_string(each) + " has handled " +
                         std::to_string(now.handled[r]) + " of " + std::to_string(now.expected[r]));
        }
    }

    /// Returns the ranks where a handler threw.
    [[nodiscard]] std::set<int> const& threw(int phase) { return in(phase).threw; }
    [[nodiscard]] bool is_empty(int phase) {
        return std::ranges::all_of(in(phase).expected, [](int each) { return each == 0; });
    }
    /// Returns the number of messages of all phases; a broadcast counts once for every rank.
    [[nodiscard]] std::int64_t messages() const noexcept { return messages_; }

    void complain(std::string what) {
        if (complaint_.empty()) complaint_ = std::move(what);
    }
    /// Throws the first complaint; not thrown when it is made, since that is in handlers.
    void judge() const {
        if (!complaint_.empty()) throw std::runtime_error(complaint_);
    }

private:
    struct record {
        parcel what;
        int channel;
        std::uint32_t handled_by;
    };
    struct phase_state {
        explicit phase_state(int ranks)
            : expected(static_cast<std::size_t>(ranks)),
              handled(static_cast<std::size_t>(ranks)),
              grams(static_cast<std::size_t>(ranks)) {}
        std::vector<int> expected;       // by rank
        std::vector<int> handled;        // by rank
        std::vector<std::int64_t> grams; // by rank: sent and not handled
        std::set<int> threw = {};
        int finished = 0;
        int queued = 0;
        bool weight_is_lost = false;
    };

    phase_state& in(int phase) {
        while (phases_.size() <= static_cast<std::size_t>(phase)) phases_.emplace_back(ranks_);
        return phases_[static_cast<std::size_t>(phase)];
    }
    [[nodiscard]] static std::string name(parcel const& got, int channel) {
        return "message " + std::to_string(got.number) + " of rank " + std::to_string(got.source) +
               " on channel " + std::to_string(channel) + " in phase " + std::to_string(got.phase);
    }

    int ranks_;
    std::vector<std::vector<record>> sent_;             // by source
    std::map<std::array<int, 4>, std::int32_t> orders_; // by source, channel, destination and phase
    std::map<std::array<int, 5>, std::int32_t> next_;   // by the same and receiver
    std::vector<phase_state> phases_;
    std::int64_t messages_ = 0;
    std::string complaint_;
};

} // namespace weft_test
