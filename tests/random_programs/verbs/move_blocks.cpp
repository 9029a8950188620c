/// Blocks go to other ranks, with their messages.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_move(draws& random, model const& now, operation& line) {
    return draw_set(random, now, line);
}

void run_move(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    weft::communicator const& comm = live.group.comm;
    std::vector<weft::block_move> mine;
    std::vector<int> next;
    for (std::int64_t block = 0; block < live.blocks(); ++block) {
        number const drawn = mixed({line.seed(), static_cast<number>(block)});
        next.push_back(live.rank_of(block));
        if (drawn % 2 == 0) continue;
        int const to = static_cast<int>(drawn / 2 % static_cast<number>(comm.size()));
        if (next.back() == comm.rank()) mine.push_back({weft::block_id{block}, to});
        next.back() = to;
    }
    bool fails = line.has("fault");
    if (line.fails_by("move_to_no_rank")) {
        fails = live.blocks() > 0;
        if (fails && live.rank_of(live.failing_block(line)) == comm.rank()) {
            mine.clear();
            mine.push_back({weft::block_id{live.failing_block(line)}, comm.size()});
        }
    } else if (line.fails_by("move_of_another_ranks_block") && session::fails_here(line, comm)) {
        mine.push_back({weft::block_id{live.blocks()}, 0});
    }
    if (live.round(
            of, line, {fails ? failure_kind::usage : failure_kind::none}, [&] { live.set->move(mine); }))
        for (std::int64_t block = 0; block < live.blocks(); ++block)
            of.check(live.rank_of(block) == next[static_cast<std::size_t>(block)], line,
                "block " + std::to_string(block) + " is elsewhere");
}

} // namespace

extern verb const move_blocks_verb;
verb const move_blocks_verb{"move_blocks", 4, draw_move, nullptr, run_move};

} // namespace random_programs
