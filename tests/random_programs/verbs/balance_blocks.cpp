/// Blocks move to where there is less to do.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_balance(draws& random, model const& now, operation& line) {
    return draw_set(random, now, line);
}

void run_balance(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    ending how = live.ending_of(line);
    if (line.fails_by("cost_is_negative") && how.kind != failure_kind::none) how.kind = failure_kind::usage;
    live.round(of, line, how, [&] {
        weft::balance_report const report = live.set->balance([&](cell const& block, weft::block_id id) {
            if (line.fails_by("cost_throws")) live.throw_if_planned(line, weft::index_of(id));
            if (line.fails_by("cost_is_negative") && weft::index_of(id) == live.failing_block(line))
                return -1.0;
            return static_cast<double>(mixed({line.seed(), static_cast<number>(block.id)}) % 10);
        });
        of.check(report.after <= report.before, line, "the imbalance has grown");
    });
}

} // namespace

extern verb const balance_blocks_verb;
verb const balance_blocks_verb{"balance_blocks", 2, draw_balance, nullptr, run_balance};

} // namespace random_programs
