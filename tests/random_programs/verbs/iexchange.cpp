/// Walkers from block to block until all have ended; messages of other types stay where they are.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_walk(draws& random, model const& now, operation& line) {
    line.set("walkers", random.one_of({0, 1, 4, 40}));
    line.set("hops", random.one_of({0, 1, 6, 30}));
    line.set("min_bytes", random.one_of({0, 1000}));
    return draw_set(random, now, line);
}

number walkers_at(operation const& line, std::int64_t block) {
    return mixed({line.seed(), static_cast<number>(block)}) % static_cast<number>(line.value("walkers") + 1);
}

walker walker_at(operation const& line, std::int64_t block, number which) {
    return {mixed({line.seed(), static_cast<number>(block), which}), line.value("hops")};
}

/// Leaves its trace on a block; where it goes next.
std::int64_t step_of(walker& one, number& value, std::int64_t blocks) {
    value += mixed({one.name, static_cast<number>(one.hops)});
    --one.hops;
    return static_cast<std::int64_t>(
        mixed({one.name, static_cast<number>(one.hops), 7}) % static_cast<number>(blocks));
}

void run_walk(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    std::int64_t const blocks = live.blocks();
    ending const how = live.ending_of(line);
    weft::iexchange_options const options{.min_bytes = static_cast<std::size_t>(line.value("min_bytes"))};
    bool const went_well = live.round(of, line, how, [&] {
        live.set->iexchange<walker>(
            [&](cell& block, weft::block_port<walker>& port) {
                if (block.walked != line.number) {
                    block.walked = line.number;
                    for (number i = 0; i < walkers_at(line, block.id); ++i)
                        port.send(weft::block_id{block.id}, walker_at(line, block.id, i));
                    live.throw_if_planned(line, block.id);
                }
                for (walker one : port.received()) {
                    std::int64_t const next = step_of(one, block.value, blocks);
                    if (one.hops >= 0) port.send(weft::block_id{next}, one);
                }
                return true;
            },
            options);
    });
    if (!went_well) {
        live.sent.clear();
        live.arrived.clear();
        live.reset_values();
        return;
    }
    for (std::int64_t block = 0; block < blocks; ++block)
        for (number i = 0; i < walkers_at(line, block); ++i) {
            walker one = walker_at(line, block, i);
            for (std::int64_t at = block; one.hops >= 0;)
                at = step_of(one, live.values[static_cast<std::size_t>(at)], blocks);
        }
    live.delivered();
}

} // namespace

extern verb const iexchange_verb;
verb const iexchange_verb{"iexchange", 5, draw_walk, nullptr, run_walk};

} // namespace random_programs
