/// A block set of a random program on this rank, and the expected content and messages of its blocks.
#pragma once

#include "session.hpp"
#include "traffic.hpp"

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/link.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace random_programs {

/// A block: its id, and the marks of walkers.
struct cell {
    std::int64_t id = 0;
    number value = 0;
    int walked = 0; ///< the last operation whose walkers began here
    int poison = 0; ///< the operation in which it cannot be moved

    static void wire(auto& archive, auto& self) {
        archive(self.id, self.value, self.walked, self.poison);
        if (self.poison != 0) brittle::throw_poison(self.poison);
    }
};

/// A message that moves from block to block.
struct walker {
    number name = 0;
    std::int64_t hops = 0;
};

/// Links between blocks, symmetric, drawn from the line that makes the set.
struct drawn_links {
    operation line;
    std::int64_t count;
    number salt;

    [[nodiscard]] std::int64_t blocks() const noexcept { return count; }
    [[nodiscard]] bool linked(std::int64_t a, std::int64_t b) const noexcept {
        auto const low = static_cast<number>(std::min(a, b));
        auto const high = static_cast<number>(std::max(a, b));
        if (line.fails_by("links_not_symmetric") && a == line.value("by") % count && b != a) return true;
        return mixed({line.seed(), salt, low, high}) % 3 == 0;
    }
    [[nodiscard]] weft::link link_of(weft::block_id block) const {
        std::int64_t const a = weft::index_of(block);
        if (line.fails_by("link_throws") && a == line.value("by") % count)
            throw planned_fault(fault_text(line));
        std::vector<weft::block_id> ids;
        for (std::int64_t b = 0; b < count; ++b)
            if (linked(a, b)) ids.push_back(weft::block_id{b});
        return weft::link(std::move(ids));
    }
};

/// Returns the assignment given by `where` of a line.
[[nodiscard]] weft::assignment drawn_assignment(operation const& line, std::int64_t blocks, int ranks);

/// Draws the set for a line; returns false if there is none.
[[nodiscard]] inline bool draw_set(draws& random, model const& now, operation& line) {
    if (now.block_sets.empty()) return false;
    line.set("blocks", random.key_of(now.block_sets));
    return true;
}

struct live_blocks {
    live_group group;
    drawn_links links;
    std::unique_ptr<weft::block_set<cell>> set;
    std::vector<operation> arrived = {}; ///< operations whose messages the blocks can take
    std::vector<operation> sent = {};    ///< operations whose messages the next round delivers
    bool all_in_memory = true;           ///< no block is out of core, now or later
    bool certain = true;                 ///< false: an error may have lost messages
    std::vector<number> values = {};     ///< of all blocks
    std::optional<operation> fault = {}; ///< of a local call; the next collective call throws it

    [[nodiscard]] std::int64_t blocks() const noexcept { return links.count; }
    /// Returns the block that fails, if the line has a fault.
    [[nodiscard]] std::int64_t failing_block(operation const& line) const noexcept {
        return line.has("fault") && blocks() > 0 ? line.value("by") % blocks() : -1;
    }
    [[nodiscard]] int rank_of(std::int64_t block) { return set->where().rank_of(weft::block_id{block}); }
    /// Returns the end of a collective call in which the callback of that block throws.
    [[nodiscard]] ending ending_of(operation const& line) {
        if (!line.has("fault") || blocks() == 0) return {};
        return {failure_kind::planned, rank_of(failing_block(line))};
    }
    void throw_if_planned(operation const& line, std::int64_t block) const {
        if (line.has("fault") && block == failing_block(line)) throw planned_fault(fault_text(line));
    }
    /// Returns the messages from one block to another.
    [[nodiscard]] std::vector<number> items(operation const& line, std::int64_t from, std::int64_t to) const {
        if (line.text("to") == "neighbors" && !links.linked(from, to)) return {};
        return traffic(line, group.name).some(from, to);
    }
    [[nodiscard]] bool sends_any(operation const& line) const {
        for (std::int64_t from = 0; from < blocks(); ++from)
            for (std::int64_t to = 0; to < blocks(); ++to)
                if (!items(line, from, to).empty()) return true;
        return false;
    }
    void send_all(operation const& line, weft::block_port<number>& port) const {
        std::int64_t const from = weft::index_of(port.id());
        for (std::int64_t to = 0; to < blocks(); ++to) {
            std::vector<number> some = items(line, from, to);
            if (some.empty()) continue;
            if (line.seed() % 3 == 0)
                port.give(weft::block_id{to}, std::move(some));
            else if (line.seed() % 3 == 1)
                port.send(weft::block_id{to}, some);
            else
                for (number const each : some) port.send(weft::block_id{to}, each);
        }
        if (line.fails_by("no_such_block") && from == failing_block(line))
            port.send(weft::block_id{blocks() + 1}, number{1});
    }
    /// Takes all messages that have arrived at a block and compares them with those sent to it.
    void take_all(session const& of, operation const& line, weft::block_port<number>& port) const {
        std::int64_t const here = weft::index_of(port.id());
        std::map<std::int64_t, std::vector<number>> got;
        for (auto const& [source, some] : port.messages()) {
            auto& all = got[weft::index_of(source)];
            all.insert(all.end(), some.begin(), some.end());
        }
        if (!certain) return;
        for (std::int64_t from = 0; from < blocks(); ++from) {
            std::vector<number> expected;
            for (operation const& each : arrived) {
                auto const some = items(each, from, here);
                expected.insert(expected.end(), some.begin(), some.end());
            }
            of.check(got[from] == expected, line,
                "block " + std::to_string(here) + " got " + std::to_string(got[from].size()) +
                    " items from " + std::to_string(from) + " instead of " + std::to_string(expected.size()));
        }
    }
    /// Returns the line without its fault if one is pending: either of two faults may be reported.
    [[nodiscard]] operation one_fault(operation line) const {
        if (fault) line.arguments.erase("fault");
        return line;
    }
    /// Runs a collective round: the pending error of a local call comes first. Returns true without one.
    bool round(session const& of, operation const& line, ending how, std::function<void()> const& call) {
        operation const failing = fault ? *fault : line;
        if (fault) how = ending_of(failing);
        fault.reset();
        if (blocks() == 0 && how.kind == failure_kind::planned) how = {};
        of.expect(failing, group.comm, how, call);
        if (how.kind == failure_kind::none) return true;
        certain = false;
        return false;
    }
    /// To be called after an error: sets all values to known ones.
    void reset_values() {
        set->for_each([](cell& block, weft::block_id) {
            block.value = 0;
            block.poison = 0;
        });
        values.assign(static_cast<std::size_t>(blocks()), 0);
    }
    /// The sent messages were delivered.
    void delivered() {
        arrived.insert(arrived.end(), sent.begin(), sent.end());
        sent.clear();
    }
};

} // namespace random_programs
