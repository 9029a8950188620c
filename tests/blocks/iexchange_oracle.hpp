/// Checks the messages of blocks: senders and called blocks report to it. Private.
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

/// An item of the tests, which describes itself.
struct named_item {
    enum use : std::uint64_t { plain, question, answer };

    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint64_t phase = 0;
    std::uint64_t what = plain;
    std::uint64_t number = 0; ///< among the items of a phase from one block to another

    explicit named_item(std::uint64_t word)
        : from(word >> 58),
          to(word >> 52 & 63),
          phase(word >> 46 & 63),
          what(word >> 44 & 3),
          number(word & ((std::uint64_t{1} << 44) - 1)) {}
    named_item(std::int64_t source, std::int64_t destination, int in, use as, std::uint64_t count)
        : from(static_cast<std::uint64_t>(source)),
          to(static_cast<std::uint64_t>(destination)),
          phase(static_cast<std::uint64_t>(in)),
          what(as),
          number(count) {}
    [[nodiscard]] std::uint64_t word() const {
        return from << 58 | to << 52 | phase << 46 | what << 44 | number;
    }
};

class iexchange_oracle {
public:
    iexchange_oracle(int ranks, std::int64_t blocks)
        : ranks_(ranks), blocks_(static_cast<std::size_t>(blocks)) {}

    void begins(int phase) { ++in(phase).begun; }
    /// Notes an item that is about to be sent.
    std::uint64_t send(int phase, std::int64_t from, std::int64_t to, named_item::use what) {
        phase_state& now = in(phase);
        ++now.sent;
        return named_item(from, to, phase, what, now.sent_between[{from, to}]++).word();
    }
    /// A callback of a block sees an item that no earlier one could see.
    void offer(int phase, std::int64_t block, std::uint64_t word) {
        named_item const got(word);
        std::string const text = "item " + std::to_string(got.number) + " of phase " +
                                 std::to_string(got.phase) + " from block " + std::to_string(got.from) +
                                 " to " + std::to_string(got.to) + ", seen by block " +
                                 std::to_string(block) + " in phase " + std::to_string(phase) + ": ";
        if (static_cast<std::int64_t>(got.to) != block) return complain(text + "it is for another block");
        if (static_cast<int>(got.phase) != phase) return complain(text + "it is of another phase");
        phase_state& now = in(phase);
        std::uint64_t& next = now.seen_between[{static_cast<std::int64_t>(got.from), block}];
        if (got.number != next) complain(text + "number " + std::to_string(next) + " should come now");
        next = got.number + 1;
        ++now.offered;
    }

    void callback_begins(int phase, std::int64_t block) {
        in(phase).done[static_cast<std::size_t>(block)] = false;
        ++in(phase).running;
    }
    /// The engine was told that a callback has returned.
    void callback_is_over(int phase, std::int64_t block, bool done) {
        in(phase).done[static_cast<std::size_t>(block)] = done;
        --in(phase).running;
    }
    void throws(int rank, int phase) { in(phase).threw.insert(rank); }
    /// Returns the ranks that have failed.
    [[nodiscard]] std::set<int> const& threw(int phase) { return in(phase).threw; }

    /// A rank has detected the end of a phase.
    void is_quiet(int rank, int phase) {
        phase_state const& now = in(phase);
        std::string const text = "rank " + std::to_string(rank) + " left phase " + std::to_string(phase);
        if (now.begun != ranks_) complain(text + " before all had begun it");
        if (now.running != 0) complain(text + " while a callback was running");
        if (!now.threw.empty()) return;
        if (now.sent != now.offered)
            complain(text + ": " + std::to_string(now.offered) + " of " + std::to_string(now.sent) +
                     " items were offered");
        for (std::size_t block = 0; block < blocks_; ++block)
            if (!now.done[block]) complain(text + ": block " + std::to_string(block) + " is not done");
    }

    void complain(std::string what) {
        if (complaint_.empty()) complaint_ = std::move(what);
    }
    /// Throws the first complaint; not thrown when it is made, since that is in callbacks.
    void judge() const {
        if (!complaint_.empty()) throw std::runtime_error(complaint_);
    }

private:
    using pair = std::array<std::int64_t, 2>;
    struct phase_state {
        std::map<pair, std::uint64_t> sent_between; // by sender and receiver
        std::map<pair, std::uint64_t> seen_between;
        std::vector<bool> done; // by block: not before its first callback has returned
        std::set<int> threw;
        std::int64_t sent = 0;
        std::int64_t offered = 0;
        int begun = 0;
        int running = 0;
    };

    phase_state& in(int phase) {
        while (phases_.size() <= static_cast<std::size_t>(phase)) {
            phases_.emplace_back();
            phases_.back().done.resize(blocks_);
        }
        return phases_[static_cast<std::size_t>(phase)];
    }

    int ranks_;
    std::size_t blocks_;
    std::vector<phase_state> phases_;
    std::string complaint_;
};

} // namespace weft_test
