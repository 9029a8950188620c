/// A round among neighbours that waits for all messages.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_neighbors(draws& random, model const& now, operation& line) {
    draw_sizes(random, line);
    line.set("to", "neighbors");
    return draw_set(random, now, line);
}

void run_neighbors(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    // What was sent before goes to any block: it needs a round of all.
    if (!live.sent.empty() || live.fault || !live.certain) return;
    live.set->exchange_neighbors<number>([&](cell& block, weft::block_port<number>& port) {
        live.take_all(of, line, port);
        live.send_all(line, port);
        live.throw_if_planned(line, block.id);
    });
    live.arrived.clear();
    live.arrived.push_back(line);
    if (line.has("fault") && live.blocks() > 0) {
        live.fault = line;
        live.certain = false;
    }
}

} // namespace

extern verb const neighbor_round_verb;
verb const neighbor_round_verb{"neighbor_round", 3, draw_neighbors, nullptr, run_neighbors};

} // namespace random_programs
