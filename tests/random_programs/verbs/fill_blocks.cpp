/// Blocks send without a round: the messages go with the next one.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_fill(draws& random, model const& now, operation& line) {
    draw_sizes(random, line);
    return draw_set(random, now, line);
}

void run_fill(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    live.set->for_each_port<number>([&](cell& block, weft::block_port<number>& port) {
        live.send_all(line, port);
        live.throw_if_planned(line, block.id);
    });
    if (line.has("fault") && live.blocks() > 0) live.fault = line;
    live.sent.push_back(line);
}

} // namespace

extern verb const fill_blocks_verb;
verb const fill_blocks_verb{"fill_blocks", 3, draw_fill, nullptr, run_fill};

} // namespace random_programs
