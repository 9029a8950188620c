/// Blocks are written to a file and read again, contiguously assigned, in place of those that there were.
#include "../live_blocks.hpp"
#include "../scratch_file.hpp"
#include "../verb.hpp"

#include <cstdio>

namespace random_programs {

namespace {

bool draw_save(draws& random, model const& now, operation& line) {
    return draw_set(random, now, line);
}

void run_save(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    std::string path = scratch_file(line, live.group);
    if (line.fails_by("save_to_no_folder")) path = "/no/such/folder/" + std::to_string(line.number);
    ending const how{line.has("fault") ? failure_kind::file : failure_kind::none};
    bool const went_well = live.round(of, line, how, [&] { live.set->save(path); });
    if (!went_well) return;
    live.set.reset();
    of.expect(line, live.group.comm, {}, [&] {
        live.set.reset(new weft::block_set<cell>(weft::block_set<cell>::load(
            live.group.comm, path, {.threads = 1 + static_cast<int>(line.seed() % 2)})));
    });
    live.all_in_memory = true;
    of.check(live.set->where() == weft::assignment::contiguous(live.blocks(), live.group.comm.size()), line,
        "the blocks are elsewhere");
    if (live.group.comm.rank() == 0) std::remove(path.c_str());
}

} // namespace

extern verb const save_blocks_verb;
verb const save_blocks_verb{"save_blocks", 1, draw_save, nullptr, run_save};

} // namespace random_programs
