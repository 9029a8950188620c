/// The values of all blocks combined, which says whether they are as they must be.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_reduce(draws& random, model const& now, operation& line) {
    return draw_set(random, now, line);
}

void run_reduce(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    operation const line = live.one_fault(given);
    if (live.blocks() == 0) { // no value: the same on all ranks, before anything is agreed
        live.fault.reset();
        of.expect(line, live.group.comm, {failure_kind::usage}, [&] {
            (void)live.set->all_reduce<number>([](cell const&, weft::block_id) { return number{0}; },
                [](number a, number b) { return a + b; });
        });
        return;
    }
    ending how = live.ending_of(line);
    if (line.fails_by("combine_throws"))
        how = live.blocks() > 1 ? ending{failure_kind::planned, ending::some_rank} : ending{};
    live.round(of, line, how, [&] {
        number const got = live.set->all_reduce<number>(
            [&](cell const& block, weft::block_id id) {
                if (line.fails_by("value_throws")) live.throw_if_planned(line, weft::index_of(id));
                return mixed({block.value, static_cast<number>(weft::index_of(id))});
            },
            [&](number left, number right) {
                if (line.fails_by("combine_throws")) throw planned_fault(fault_text(line));
                return left * 3 + right;
            });
        // In pairs by id, those in pairs, and so on; the rest joins from the right.
        std::vector<std::pair<int, number>> parts;
        for (std::size_t block = 0; block < live.values.size(); ++block) {
            parts.push_back({0, mixed({live.values[block], block})});
            while (parts.size() > 1 && parts[parts.size() - 2].first == parts.back().first) {
                auto const right = parts.back();
                parts.pop_back();
                parts.back() = {right.first + 1, parts.back().second * 3 + right.second};
            }
        }
        for (; parts.size() > 1;) {
            number const right = parts.back().second;
            parts.pop_back();
            parts.back().second = parts.back().second * 3 + right;
        }
        of.check(got == parts.front().second, line, "the blocks hold other values");
    });
}

} // namespace

extern verb const reduce_blocks_verb;
verb const reduce_blocks_verb{"reduce_blocks", 4, draw_reduce, nullptr, run_reduce};

} // namespace random_programs
