#include "trial.hpp"

#include <weft/blocks/block_all_to_all.hpp>
#include <weft/blocks/block_components.hpp>
#include <weft/blocks/block_reduction.hpp>
#include <weft/blocks/block_scan.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/blocks/fill_ghosts.hpp>
#include <weft/blocks/kd_tree.hpp>
#include <weft/blocks/regular_grid.hpp>

#include <functional>

namespace arguments {

namespace {

struct numbers_block {
    std::int64_t id = 0;
    std::vector<std::int64_t> numbers = {};
    static void wire(auto& archive, auto& self) { archive(self.id, self.numbers); }
};

using set_of_blocks = weft::block_set<numbers_block>;

std::int64_t number_of_blocks(trial const& now) {
    return 4 * now.size();
}

weft::regular_grid<std::int64_t> grid_of(std::int64_t blocks) {
    return {weft::cell_box(16 * blocks), blocks};
}

numbers_block block_of(weft::block_id id) {
    return {weft::index_of(id), std::vector<std::int64_t>(7, weft::index_of(id))};
}

void made_blocks(trial& now) {
    std::int64_t const usual = number_of_blocks(now);
    auto const blocks = now.equal("blocks", usual, {usual + 1, usual + 100, 1});
    weft::block_options how;
    how.threads = now.own("threads", 1);
    how.blocks_in_memory = now.own("blocks_in_memory", how.blocks_in_memory);
    how.directory = now.own("directory", now.path(""), {"/no/such/folder", ""});
    how.termination = now.equal(
        "termination", weft::termination_kind::counted_waves, {weft::termination_kind::barrier_consensus});
    now.under_test([&] { set_of_blocks const made(now.comm(), grid_of(blocks), block_of, how); });
}

/// `Use` asks for its arguments before it calls `under_test`.
template <class Use>
call with_blocks(char const* name, Use use) {
    return {name, [use](trial& now) {
                set_of_blocks blocks(now.comm(), grid_of(number_of_blocks(now)), block_of);
                use(now, blocks);
            }};
}

void checked_links(trial& now) {
    std::int64_t const all = number_of_blocks(now);
    auto const where = weft::assignment::contiguous(all, now.size());
    std::vector<weft::block_id> here;
    std::vector<weft::link> links;
    for (std::int64_t i = 0; i < where.blocks_of(now.rank()); ++i) {
        here.push_back(where.block_at(now.rank(), i));
        links.push_back(grid_of(all).link_of(here.back()));
    }
    auto const wrong = now.own("link", links.front(), {links.back(), weft::link{}});
    links.front() = wrong;
    now.under_test([&] { weft::check_links(now.comm(), where, here, links); });
}

void moved(trial& now, set_of_blocks& blocks) {
    auto const to = now.own("to", (now.rank() + 1) % now.size());
    auto const block = now.own("block", weft::index_of(blocks.local().front().id));
    std::vector<weft::block_move> const moves{{weft::block_id{block}, to}};
    now.under_test([&] { blocks.move(moves); });
}

void assigned(trial& now, set_of_blocks& blocks) {
    using weft::assignment;
    std::int64_t const all = number_of_blocks(now);
    auto const next = now.equal("assignment", assignment::round_robin(all, now.size()),
        {assignment::contiguous(all, now.size()), assignment::round_robin(all + 1, now.size()),
            assignment::contiguous(all, now.size() + 1)});
    now.under_test([&] { blocks.assign(next); });
}

void balanced(trial& now, set_of_blocks& blocks) {
    auto const cost = now.own("cost", 2.0);
    auto const tolerance = now.equal("tolerance", 0.1);
    now.under_test(
        [&] { (void)blocks.balance([&](auto const&, weft::block_id) { return cost; }, tolerance); });
}

void some_neighbours(trial& now, set_of_blocks& blocks) {
    weft::neighbor_options how;
    how.fraction = now.own("fraction", 1.0);
    how.count = now.own("count", std::int64_t{-1});
    now.under_test([&] {
        blocks.exchange_neighbors<std::int64_t>([](numbers_block&, weft::block_port<std::int64_t>&) {}, how);
        blocks.for_each([](numbers_block&, weft::block_id) {}); // the errors of the last round come here
    });
}

void until_quiet(trial& now, set_of_blocks& blocks) {
    weft::iexchange_options how;
    how.min_bytes = now.own("min_bytes", std::size_t{0});
    how.max_hold = now.own("max_hold", 0.001, {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()});
    how.queue_bytes = now.own("queue_bytes", std::size_t{64} << 20);
    now.under_test([&] {
        blocks.iexchange<std::int64_t>(
            [](numbers_block& block, weft::block_port<std::int64_t>& port) {
                if (block.numbers.empty()) return;
                for (weft::block_id const each : port.link()) port.send(each, block.id);
                block.numbers.clear();
            },
            how);
    });
}

void saved(trial& now, set_of_blocks& blocks) {
    auto const file = now.equal("file", now.path("blocks"));
    now.under_test([&] { blocks.save(file); });
}

void loaded(trial& now, set_of_blocks& blocks) {
    blocks.save(now.path("blocks"));
    auto const file = now.equal("file", now.path("blocks"));
    now.under_test([&] { (void)set_of_blocks::load(now.comm(), file); });
}

std::vector<weft::regular_schedule> other_schedules(trial const& now, bool swap) {
    std::int64_t const all = number_of_blocks(now);
    if (swap) return {weft::swap_schedule(all, 4), weft::swap_schedule(all + 1, 2)};
    return {weft::merge_schedule(all, 3), weft::merge_schedule(all + 1, 2)};
}

void merged(trial& now, set_of_blocks& blocks) {
    auto const rounds =
        now.equal("rounds", weft::merge_schedule(number_of_blocks(now), 2), other_schedules(now, false));
    auto const threads = now.own("threads", 1);
    now.under_test([&] {
        weft::merge_reduce<std::int64_t>(
            blocks, rounds, [](numbers_block const& block, weft::block_id) { return block.id; },
            std::plus<>{}, [](numbers_block&, weft::block_id, std::int64_t) {}, {.threads = threads});
    });
}

std::span<std::int64_t> numbers_of(numbers_block& block, weft::block_id) {
    return block.numbers;
}

/// The number of elements of all arrays of this rank.
void take_elements(trial& now, set_of_blocks& blocks) {
    auto const elements = now.equal("elements", std::size_t{7}, {0, 6, 8});
    blocks.for_each([&](numbers_block& block, weft::block_id) { block.numbers.resize(elements); });
}

void swapped(trial& now, set_of_blocks& blocks) {
    auto const rounds =
        now.equal("rounds", weft::swap_schedule(number_of_blocks(now), 2), other_schedules(now, true));
    auto const threads = now.own("threads", 1);
    take_elements(now, blocks);
    now.under_test([&] {
        weft::swap_reduce<std::int64_t>(blocks, rounds, numbers_of, std::plus<>{},
            [](numbers_block&, weft::block_id, std::span<std::int64_t>, std::size_t) {},
            {.threads = threads});
    });
}

void all_reduced(trial& now, set_of_blocks& blocks) {
    auto const threads = now.own("threads", 1);
    take_elements(now, blocks);
    now.under_test([&] {
        weft::all_reduce_arrays<std::int64_t>(blocks, numbers_of, std::plus<>{}, {.threads = threads});
    });
}

void broadcast_of_blocks(trial& now, set_of_blocks& blocks) {
    auto const root = now.equal("root", std::int64_t{1});
    now.under_test([&] {
        weft::broadcast<std::int64_t>(
            blocks, weft::block_id{root}, [](numbers_block const& block, weft::block_id) { return block.id; },
            [](numbers_block&, weft::block_id, std::int64_t) {});
    });
}

void broadcast_of_arrays(trial& now, set_of_blocks& blocks) {
    auto const root = now.equal("root", std::int64_t{1});
    take_elements(now, blocks);
    now.under_test([&] { weft::broadcast_arrays<std::int64_t>(blocks, weft::block_id{root}, numbers_of); });
}

void scanned(trial& now, set_of_blocks& blocks) {
    take_elements(now, blocks);
    now.under_test([&] { weft::scan_arrays<std::int64_t>(blocks, numbers_of, std::plus<>{}); });
}

void ghosts_of_blocks(trial& now) {
    std::int64_t const blocks = number_of_blocks(now);
    weft::regular_grid<std::int64_t> const right{weft::cell_box(5 * blocks), blocks, {.ghosts = 1}};
    weft::block_set<weft::block_array<int>> filled(
        now.comm(), right, [&](weft::block_id id) { return weft::block_array<int>(right, id); });
    auto const cells = now.equal("cells", 5 * blocks, {5 * blocks + 1, 10 * blocks});
    auto const cut = now.equal("blocks", blocks, {blocks + 1, 1});
    auto const ghosts = now.equal("ghosts", std::int64_t{1}, {0, 2});
    auto const wrap = now.equal("wrap", false, {true});
    now.under_test([&] {
        weft::fill_ghosts(filled,
            weft::regular_grid<std::int64_t>{weft::cell_box(cells), cut, {.ghosts = ghosts, .wrap = wrap}});
    });
}

void made_kd_tree(trial& now) {
    std::vector<double> points;
    for (int i = 0; i < 30; ++i) points.push_back((i * 37 + now.rank()) % 101);
    auto const dimensions = now.equal("dimensions", 3);
    auto const coordinates = now.own("points", points);
    auto const blocks = now.equal("blocks", std::int64_t{5}, {0, -1, 4, INT64_MIN, INT64_MAX});
    weft::kd_tree_options how;
    how.split = now.equal("split", weft::kd_split::widest);
    now.under_test([&] { weft::kd_tree const tree(now.comm(), dimensions, coordinates, blocks, how); });
}

void components_of_blocks(trial& now) {
    weft::block_set<weft::block_components> blocks(now.comm(), grid_of(number_of_blocks(now)),
        [](weft::block_id id) { return weft::block_components(weft::index_of(id) * 4, 4); });
    auto const asynchronous = now.equal("asynchronous", false);
    now.under_test([&] {
        weft::find_components(blocks,
            [](weft::block_components& block) -> weft::block_components& { return block; },
            {.asynchronous = asynchronous});
    });
}

} // namespace

std::vector<call> block_calls() {
    return {
        {"block_set", made_blocks},
        {"check_links", checked_links},
        with_blocks("block_set::move", moved),
        with_blocks("block_set::assign", assigned),
        with_blocks("block_set::balance", balanced),
        with_blocks("block_set::exchange_neighbors", some_neighbours),
        with_blocks("block_set::iexchange", until_quiet),
        with_blocks("block_set::save", saved),
        with_blocks("block_set::load", loaded),
        with_blocks("merge_reduce", merged),
        with_blocks("swap_reduce", swapped),
        with_blocks("all_reduce_arrays", all_reduced),
        with_blocks("broadcast of blocks", broadcast_of_blocks),
        with_blocks("broadcast_arrays", broadcast_of_arrays),
        with_blocks("scan_arrays", scanned),
        {"fill_ghosts", ghosts_of_blocks},
        {"kd_tree", made_kd_tree},
        {"find_components of blocks", components_of_blocks},
    };
}

} // namespace arguments
