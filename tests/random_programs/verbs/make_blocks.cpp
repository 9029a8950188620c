/// A set of blocks, none perhaps, dealt to the ranks in some way.
#include "../live_blocks.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_blocks(draws& random, model const& now, operation& line) {
    if (now.block_sets.size() > 2) return false;
    line.set("on", random.key_of(now.groups));
    line.set("count", line.has("fault") ? 1 + random.below(9) : random.one_of({0, 1, 2, 5, 9, 9}));
    if (line.fails_by("links_not_symmetric")) line.set("count", 9);
    line.set("where", random.one_of({"contiguous", "round_robin", "table"}));
    line.set("threads", random.one_of({1, 1, 2}));
    line.set("in_memory", random.one_of({0, 0, 2}));
    line.set("measured", random.below(2));
    return true;
}

void apply_blocks(model& now, operation const& line) {
    if (!line.has("fault")) now.block_sets[line.number].on = line.id("on");
}

void run_blocks(session& of, operation const& line) {
    live_group const group = of.group(line);
    drawn_links const links{line, line.value("count"), group.name};
    int const ranks = group.comm.size();
    weft::assignment const where = drawn_assignment(line, links.count, ranks);
    std::int64_t const failing = line.has("fault") ? line.value("by") % links.count : -1;
    ending how;
    if (line.has("fault"))
        how = {line.fails_by("links_not_symmetric") ? failure_kind::usage : failure_kind::planned,
            where.rank_of(weft::block_id{failing})};
    auto const make = [&](weft::block_id id) {
        if (line.fails_by("factory_throws") && weft::index_of(id) == failing)
            throw planned_fault(fault_text(line));
        return cell{weft::index_of(id)};
    };
    if (line.fails_by("links_not_symmetric")) { // they may be, by chance
        bool symmetric = true;
        for (std::int64_t other = 0; other < links.count; ++other)
            symmetric = symmetric && links.linked(failing, other) == links.linked(other, failing);
        if (symmetric) how = {};
    }
    of.expect(line, group.comm, how, [&] {
        auto made = std::make_shared<live_blocks>(live_blocks{group, links, nullptr});
        made->set = std::make_unique<weft::block_set<cell>>(group.comm, links, where, make,
            weft::block_options{.threads = line.id("threads"),
                .blocks_in_memory = line.value("in_memory"),
                .measure_costs = line.value("measured") != 0});
        made->all_in_memory = line.value("in_memory") == 0;
        made->values.assign(static_cast<std::size_t>(links.count), 0);
        of.check(static_cast<std::int64_t>(made->set->size()) == where.blocks_of(group.comm.rank()), line,
            "there are other blocks here");
        if (!line.has("fault")) of.block_sets.emplace(line.number, std::move(made));
    });
}

} // namespace

weft::assignment drawn_assignment(operation const& line, std::int64_t blocks, int ranks) {
    if (line.text("where") == "contiguous") return weft::assignment::contiguous(blocks, ranks);
    if (line.text("where") == "round_robin") return weft::assignment::round_robin(blocks, ranks);
    std::vector<int> table;
    for (std::int64_t block = 0; block < blocks; ++block)
        table.push_back(
            static_cast<int>(mixed({line.seed(), static_cast<number>(block)}) % static_cast<number>(ranks)));
    return weft::assignment::by_table(std::move(table), ranks);
}

extern verb const make_blocks_verb;
verb const make_blocks_verb{"make_blocks", 4, draw_blocks, apply_blocks, run_blocks};

} // namespace random_programs
