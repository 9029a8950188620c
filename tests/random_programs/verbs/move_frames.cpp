/// Values between blocks and parts, and items in the order of their keys.
#include "../session.hpp"
#include "../verb.hpp"

#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/frames/sort_by_key.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace random_programs {

namespace {

using ids = std::vector<weft::global_id>;

bool draw_frames(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    line.set("what", random.one_of({"block_to_part", "part_to_block", "sort"}));
    line.set("how", random.below(5));
    line.set("most", random.one_of({1, 10, 300}));
    return true;
}

/// What all ranks know: the bounds of the blocks and the ids of each rank.
struct drawn_frames {
    drawn_frames(operation const& line, live_group const& group) {
        draws random(mixed({line.seed(), group.name}));
        int const most = static_cast<int>(line.value("most"));
        for (int rank = 0; rank < group.comm.size(); ++rank)
            bounds.push_back(bounds.back() + random.below(most) + (rank == 0 ? 1 : 0));
        for (int rank = 0; rank < group.comm.size(); ++rank) {
            of_rank.emplace_back();
            for (int items = random.below(most); items > 0; --items)
                of_rank.back().push_back(
                    static_cast<weft::global_id>(random.next() % static_cast<std::uint64_t>(bounds.back())));
        }
    }

    ids bounds{0};
    std::vector<ids> of_rank;
};

std::int64_t value_of(operation const& line, weft::global_id id) {
    return static_cast<std::int64_t>(mixed({line.seed(), static_cast<std::uint64_t>(id)}));
}

bool is_right_to_parts(operation const& line, weft::communicator const& comm, drawn_frames const& drawn) {
    ids const& mine = drawn.of_rank[static_cast<std::size_t>(comm.rank())];
    weft::block_distribution const blocks(drawn.bounds);
    weft::block_to_part const plan(
        comm, blocks, mine, {.transfer = static_cast<weft::frame_transfer>(line.value("how"))});
    std::vector<std::int64_t> block;
    for (weft::global_id id = blocks.begin(comm.rank()); id < blocks.end(comm.rank()); ++id)
        block.push_back(value_of(line, id));
    std::vector<std::int64_t> const got = plan.exchange(block);
    return std::ranges::equal(got, mine, {}, {}, [&](weft::global_id id) { return value_of(line, id); });
}

bool is_right_to_blocks(operation const& line, weft::communicator const& comm, drawn_frames const& drawn) {
    weft::block_distribution const blocks(drawn.bounds);
    weft::part_to_block const plan(comm, blocks, drawn.of_rank[static_cast<std::size_t>(comm.rank())],
        {.transfer = static_cast<weft::frame_transfer>(line.value("how"))});
    auto const value = [](std::size_t rank, std::size_t i) {
        return static_cast<std::uint64_t>(1000 * rank + i);
    };
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < plan.part_items(); ++i)
        values.push_back(value(static_cast<std::size_t>(comm.rank()), i));
    // An operator that does not commute shows the order.
    auto const append = [](std::uint64_t a, std::uint64_t b) noexcept { return a * 31 + b; };
    std::map<weft::global_id, std::uint64_t> expected;
    for (std::size_t rank = 0; rank < drawn.of_rank.size(); ++rank)
        for (std::size_t i = 0; i < drawn.of_rank[rank].size(); ++i) {
            weft::global_id const id = drawn.of_rank[rank][i];
            if (blocks.owner(id) != comm.rank()) continue;
            auto const [at, is_new] = expected.emplace(id, value(rank, i));
            if (!is_new) at->second = append(at->second, value(rank, i));
        }
    std::vector<std::uint64_t> const got = plan.reduce(values, append);
    return std::ranges::equal(got, expected, {}, {}, [](auto const& each) { return each.second; });
}

bool is_right_sorted(weft::communicator const& comm, drawn_frames const& drawn) {
    using item = std::pair<weft::global_id, std::int64_t>;
    std::vector<item> all;
    std::vector<std::int64_t> mine;
    for (std::size_t rank = 0; rank < drawn.of_rank.size(); ++rank)
        for (weft::global_id const key : drawn.of_rank[rank]) {
            if (static_cast<int>(rank) == comm.rank()) mine.push_back(static_cast<std::int64_t>(all.size()));
            all.emplace_back(key, static_cast<std::int64_t>(all.size()));
        }
    std::ranges::sort(all);
    auto const got = weft::sort_by_key(
        comm, drawn.of_rank[static_cast<std::size_t>(comm.rank())], weft::parts_view<std::int64_t>(mine));
    // Keys do not lie on two ranks: where this rank's run begins is known by its first key.
    if (got.keys.empty()) return true;
    auto const begin = std::ranges::lower_bound(all, got.keys.front(), {}, &item::first);
    for (std::size_t i = 0; i < got.keys.size(); ++i)
        if (begin + static_cast<std::ptrdiff_t>(i) == all.end() ||
            begin[static_cast<std::ptrdiff_t>(i)] != item(got.keys[i], got.values[i]))
            return false;
    return true;
}

void run_frames(session& of, operation const& line) {
    live_group const& group = of.group(line);
    drawn_frames const drawn(line, group);
    std::string const what = line.text("what");
    bool const right = what == "block_to_part"   ? is_right_to_parts(line, group.comm, drawn)
                       : what == "part_to_block" ? is_right_to_blocks(line, group.comm, drawn)
                                                 : is_right_sorted(group.comm, drawn);
    of.check(right, line, "the values are wrong");
}

} // namespace

extern verb const move_frames_verb;
verb const move_frames_verb{"move_frames", 4, draw_frames, nullptr, run_frames};

} // namespace random_programs
