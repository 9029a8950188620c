/// All blocks are dealt anew.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_assign(draws& random, model const& now, operation& line) {
    line.set("where", random.one_of({"contiguous", "round_robin", "table"}));
    return draw_set(random, now, line);
}

void run_assign(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    bool const fails = line.has("fault");
    weft::assignment const next =
        drawn_assignment(line, live.blocks() + (fails ? 1 : 0), live.group.comm.size());
    if (live.round(
            of, line, {fails ? failure_kind::usage : failure_kind::none}, [&] { live.set->assign(next); }))
        for (std::int64_t block = 0; block < live.blocks(); ++block)
            of.check(live.rank_of(block) == next.rank_of(weft::block_id{block}), line,
                "block " + std::to_string(block) + " is elsewhere");
}

} // namespace

extern verb const assign_blocks_verb;
verb const assign_blocks_verb{"assign_blocks", 2, draw_assign, nullptr, run_assign};

} // namespace random_programs
