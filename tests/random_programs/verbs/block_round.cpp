/// A round of blocks: each takes all that has arrived, and sends.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_round(draws& random, model const& now, operation& line) {
    draw_sizes(random, line);
    return draw_set(random, now, line);
}

void run_round(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    ending how = live.ending_of(line);
    if (line.fails_by("no_such_block") && how.kind != failure_kind::none) how.kind = failure_kind::usage;
    std::int64_t messages = 0;
    bool const went_well = live.round(of, line, how, [&] {
        messages = live.set->exchange<number>([&](cell& block, weft::block_port<number>& port) {
            live.take_all(of, line, port);
            live.send_all(line, port);
            if (line.fails_by("callback_of_round_throws")) live.throw_if_planned(line, block.id);
        });
    });
    if (!went_well) {
        live.sent.clear();
        live.arrived.clear();
        return;
    }
    live.sent.push_back(line);
    bool any = false;
    for (operation const& each : live.sent) any = any || live.sends_any(each);
    if (live.certain)
        of.check((messages > 0) == any, line, "exchange() says " + std::to_string(messages) + " messages");
    live.arrived.clear();
    live.delivered();
    live.certain = true;
}

} // namespace

extern verb const block_round_verb;
verb const block_round_verb{"block_round", 8, draw_round, nullptr, run_round};

} // namespace random_programs
