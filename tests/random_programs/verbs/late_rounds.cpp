/// Rounds among neighbours that wait for some messages alone; the round of all at the end waits for the rest.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_late(draws& random, model const& now, operation& line) {
    draw_sizes(random, line);
    line.set("to", "neighbors");
    line.set("rounds", 1 + random.below(5));
    line.set("per_cent", random.one_of({0, 0, 50, 100}));
    line.set("count", random.one_of({-1, -1, -1, 0, 1}));
    return draw_set(random, now, line);
}

/// What the neighbours of a block send in one of the rounds.
operation round_of(operation const& line, std::int64_t which) {
    operation made = line;
    made.set("seed", static_cast<std::int64_t>(mixed({line.seed(), static_cast<number>(which)}) % 1'000'000));
    return made;
}

void run_late(session& of, operation const& line) {
    live_blocks& live = *of.block_sets.at(line.id("blocks"));
    // What was sent before goes to any block: it needs a round of all.
    if (!live.sent.empty() || live.fault || !live.certain) return;
    std::int64_t const rounds = line.value("rounds");
    using received = std::map<std::int64_t, std::vector<number>>; // by source
    std::vector<received> got(static_cast<std::size_t>(live.blocks()));
    auto const take = [&](weft::block_port<number>& port) {
        for (auto const& [source, some] : port.messages()) {
            auto& all = got[static_cast<std::size_t>(weft::index_of(port.id()))][weft::index_of(source)];
            all.insert(all.end(), some.begin(), some.end());
        }
    };
    weft::neighbor_options const synchrony{
        .fraction = static_cast<double>(line.value("per_cent")) / 100, .count = line.value("count")};
    for (std::int64_t round = 0; round < rounds; ++round)
        live.set->exchange_neighbors<number>(
            [&](cell&, weft::block_port<number>& port) {
                if (round == 0)
                    live.take_all(of, line, port);
                else
                    take(port);
                live.send_all(round_of(line, round), port);
            },
            synchrony);
    live.set->exchange();
    live.set->for_each_port<number>([&](cell&, weft::block_port<number>& port) { take(port); });
    live.set->for_each([&](cell const&, weft::block_id id) {
        std::int64_t const here = weft::index_of(id);
        for (std::int64_t from = 0; from < live.blocks(); ++from) {
            std::vector<number> expected;
            for (std::int64_t round = 0; round < rounds; ++round) {
                auto const some = live.items(round_of(line, round), from, here);
                expected.insert(expected.end(), some.begin(), some.end());
            }
            of.check(got[static_cast<std::size_t>(here)][from] == expected, line,
                "block " + std::to_string(here) + " got other items of " + std::to_string(from));
        }
    });
    live.arrived.clear();
}

} // namespace

extern verb const late_rounds_verb;
verb const late_rounds_verb{"late_rounds", 3, draw_late, nullptr, run_late};

} // namespace random_programs
