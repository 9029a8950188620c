/// Each block is changed where it is; errors are agreed at once.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_visit(draws& random, model const& now, operation& line) {
    return draw_set(random, now, line);
}

void run_visit(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    bool const went_well = live.round(of, line, live.ending_of(line), [&] {
        live.set->for_each([&](cell& block, weft::block_id id) {
            live.throw_if_planned(line, weft::index_of(id));
            block.value += mixed({line.seed(), static_cast<number>(block.id)});
        });
    });
    if (!went_well) {
        live.reset_values();
        return;
    }
    for (std::size_t block = 0; block < live.values.size(); ++block)
        live.values[block] += mixed({line.seed(), block});
}

} // namespace

extern verb const visit_blocks_verb;
verb const visit_blocks_verb{"visit_blocks", 2, draw_visit, nullptr, run_visit};

} // namespace random_programs
