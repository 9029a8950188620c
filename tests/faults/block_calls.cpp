#include "call.hpp"

#include <weft/blocks/block_all_to_all.hpp>
#include <weft/blocks/block_components.hpp>
#include <weft/blocks/block_reduction.hpp>
#include <weft/blocks/block_scan.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/blocks/fill_ghosts.hpp>
#include <weft/blocks/kd_tree.hpp>
#include <weft/blocks/regular_grid.hpp>

#include <optional>

namespace faults {

namespace {

struct plain_block {
    std::int64_t id = 0;
    std::vector<std::int64_t> numbers = {};
    std::int64_t heard = 0;
    static void wire(auto& archive, auto& self) {
        in_callback();
        archive(self.id, self.numbers, self.heard);
    }
};

using set_of_blocks = weft::block_set<plain_block>;

std::int64_t number_of_blocks(trial const& now) {
    return 2 * now.size() + 1;
}

weft::regular_grid<std::int64_t> grid_of_blocks(trial const& now) {
    return {weft::cell_box(16 * number_of_blocks(now)), number_of_blocks(now)};
}

plain_block block_of(weft::block_id id) {
    in_callback();
    return {weft::index_of(id), std::vector<std::int64_t>(700, weft::index_of(id))};
}

/// The sum of the ids of all blocks.
std::int64_t sum_of_ids(trial const& now) {
    return number_of_blocks(now) * (number_of_blocks(now) - 1) / 2;
}

template <class Use>
void with_blocks(trial& now, Use&& use, weft::block_options const& options = {}) {
    set_of_blocks blocks(now.comm(), grid_of_blocks(now), block_of, options);
    use(blocks);
}

void made_blocks(trial& now) {
    auto const grid = grid_of_blocks(now);
    std::optional<set_of_blocks> blocks;
    if (now.under_test([&] { blocks.emplace(now.comm(), grid, block_of); }))
        now.expect(blocks->where().blocks() == number_of_blocks(now));
}

void send_to_neighbours(plain_block const& block, weft::block_port<std::int64_t>& port) {
    in_callback();
    for (weft::block_id const each : port.link()) port.send(each, block.id);
}

void hear(plain_block& block, weft::block_port<std::int64_t>& port) {
    in_callback();
    for (std::int64_t const each : port.received()) block.heard += each;
}

bool neighbours_were_heard(trial const& now, plain_block const& block) {
    std::int64_t const last = number_of_blocks(now) - 1;
    return block.heard == (block.id > 0 ? block.id - 1 : 0) + (block.id < last ? block.id + 1 : 0);
}

void rounds(trial& now, weft::block_options const& options) {
    with_blocks(
        now,
        [&](set_of_blocks& blocks) {
            if (!now.under_test([&] {
                    (void)blocks.exchange<std::int64_t>(send_to_neighbours);
                    (void)blocks.exchange<std::int64_t>(hear);
                }))
                return;
            blocks.for_each(
                [&](plain_block& block, weft::block_id) { now.expect(neighbours_were_heard(now, block)); });
        },
        options);
}

void rounds_among_neighbours(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (!now.under_test([&] {
                blocks.exchange_neighbors<std::int64_t>(send_to_neighbours);
                blocks.exchange_neighbors<std::int64_t>(hear);
                blocks.for_each(
                    [](plain_block&, weft::block_id) {}); // the errors of the last round come here
            }))
            return;
        blocks.for_each(
            [&](plain_block& block, weft::block_id) { now.expect(neighbours_were_heard(now, block)); });
    });
}

void rounds_until_quiet(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (!now.under_test([&] {
                blocks.iexchange<std::int64_t>([](plain_block& block, weft::block_port<std::int64_t>& port) {
                    in_callback();
                    for (std::int64_t const each : port.received()) block.heard += each;
                    if (!block.numbers.empty()) {
                        for (weft::block_id const each : port.link()) port.send(each, block.id);
                        block.numbers.clear();
                    }
                });
            }))
            return;
        blocks.for_each(
            [&](plain_block& block, weft::block_id) { now.expect(neighbours_were_heard(now, block)); });
    });
}

void visited(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        (void)now.under_test([&] { blocks.for_each([](plain_block&, weft::block_id) { in_callback(); }); });
    });
}

fragile block_value(plain_block const& block, weft::block_id) {
    in_callback();
    return fragile_of(block.id);
}

fragile joined(fragile const& a, fragile const& b) {
    in_callback();
    return {a.value + b.value, a.text};
}

void folded(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        fragile all;
        if (now.under_test([&] { all = blocks.all_reduce<fragile>(block_value, joined); }))
            now.expect(all.value == sum_of_ids(now));
    });
}

void saved(trial& now, bool load) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        std::string const file = now.path("blocks");
        if (!load) {
            (void)now.under_test([&] { blocks.save(file); });
            return;
        }
        blocks.save(file);
        bool right = true;
        if (now.under_test([&] {
                auto const other = set_of_blocks::load(now.comm(), file);
                right = other.where().blocks() == number_of_blocks(now);
            }))
            now.expect(right);
    });
}

void moved(trial& now, bool assigned) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        std::vector<weft::block_move> moves;
        if (blocks.size() > 0) moves.push_back({blocks.local().front().id, (now.rank() + 1) % now.size()});
        auto const next = weft::assignment::round_robin(number_of_blocks(now), now.size());
        bool const went = now.under_test([&] {
            if (assigned)
                blocks.assign(next);
            else
                blocks.move(moves);
        });
        if (!went) return;
        for (auto const& each : blocks.local())
            now.expect(each.block.id == weft::index_of(each.id) && each.block.numbers.size() == 700);
    });
}

void balanced(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (now.under_test([&] {
                (void)blocks.balance([](plain_block const& block, weft::block_id) {
                    in_callback();
                    return static_cast<double>(block.id * block.id);
                });
            }))
            for (auto const& each : blocks.local()) now.expect(each.block.id == weft::index_of(each.id));
    });
}

void merged(trial& now, weft::reduction_options const& options) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        auto const how = weft::merge_schedule(number_of_blocks(now), 2);
        std::int64_t kept = -1;
        if (now.under_test([&] {
                weft::merge_reduce<fragile>(
                    blocks, how, block_value, joined,
                    [&](plain_block&, weft::block_id, fragile all) {
                        in_callback();
                        kept = all.value;
                    },
                    options);
            }))
            now.expect(
                kept == (now.rank() == blocks.where().rank_of(weft::block_id{0}) ? sum_of_ids(now) : -1));
    });
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
    in_callback();
    return a + b;
}

std::span<std::int64_t> numbers_of(plain_block& block, weft::block_id) {
    in_callback();
    return block.numbers;
}

void swapped(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        auto const how = weft::swap_schedule(number_of_blocks(now), 2);
        bool right = true;
        if (now.under_test([&] {
                weft::swap_reduce<std::int64_t>(blocks, how, numbers_of, plus,
                    [&](plain_block&, weft::block_id, std::span<std::int64_t> mine, std::size_t) {
                        in_callback();
                        for (std::int64_t const each : mine) right = right && each == sum_of_ids(now);
                    });
            }))
            now.expect(right);
    });
}

void all_reduced_arrays(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (now.under_test([&] { weft::all_reduce_arrays<std::int64_t>(blocks, numbers_of, plus); }))
            for (auto const& each : blocks.local()) now.expect(each.block.numbers.back() == sum_of_ids(now));
    });
}

void broadcast_blocks(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        weft::block_id const root{1};
        if (now.under_test([&] {
                weft::broadcast<fragile>(
                    blocks, root, block_value, [](plain_block& block, weft::block_id, fragile const& all) {
                        in_callback();
                        block.heard = all.value;
                    });
            }))
            for (auto const& each : blocks.local()) now.expect(each.block.heard == 1);
    });
}

void broadcast_block_arrays(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (now.under_test(
                [&] { weft::broadcast_arrays<std::int64_t>(blocks, weft::block_id{1}, numbers_of); }))
            for (auto const& each : blocks.local()) now.expect(each.block.numbers.back() == 1);
    });
}

void scanned(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (now.under_test([&] {
                weft::scan<fragile>(
                    blocks, block_value, joined, [](plain_block& block, weft::block_id, fragile all) {
                        in_callback();
                        block.heard = all.value;
                    });
            }))
            for (auto const& each : blocks.local())
                now.expect(each.block.heard == each.block.id * (each.block.id + 1) / 2);
    });
}

void scanned_arrays(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (now.under_test([&] { weft::scan_arrays<std::int64_t>(blocks, numbers_of, plus); }))
            for (auto const& each : blocks.local())
                now.expect(each.block.numbers.back() == each.block.id * (each.block.id + 1) / 2);
    });
}

void all_to_all_blocks(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (now.under_test([&] {
                weft::all_to_all<fragile>(
                    blocks,
                    [](plain_block const& block, weft::block_id, weft::block_id to) {
                        in_callback();
                        return fragile_of(block.id * 100 + weft::index_of(to));
                    },
                    [](plain_block& block, weft::block_id, std::vector<fragile> all) {
                        in_callback();
                        block.heard = all.back().value;
                    });
            }))
            for (auto const& each : blocks.local())
                now.expect(each.block.heard == (number_of_blocks(now) - 1) * 100 + each.block.id);
    });
}

void reduce_scattered(trial& now) {
    with_blocks(now, [&](set_of_blocks& blocks) {
        if (now.under_test([&] {
                weft::reduce_scatter<fragile>(
                    blocks,
                    [](plain_block const& block, weft::block_id, weft::block_id) {
                        in_callback();
                        return fragile_of(block.id);
                    },
                    joined,
                    [](plain_block& block, weft::block_id, fragile all) {
                        in_callback();
                        block.heard = all.value;
                    });
            }))
            for (auto const& each : blocks.local()) now.expect(each.block.heard == sum_of_ids(now));
    });
}

void ghosts_of_blocks(trial& now) {
    std::int64_t const cells = 6 * number_of_blocks(now);
    weft::regular_grid<std::int64_t> const grid{
        weft::cell_box(cells, 90), {number_of_blocks(now), 1}, {.ghosts = 1, .wrap = {true, false}}};
    weft::block_set<weft::block_array<double>> blocks(now.comm(), grid, [&](weft::block_id id) {
        return weft::block_array<double>(grid, id, static_cast<double>(weft::index_of(id)));
    });
    if (!now.under_test([&] {
            weft::fill_ghosts(
                blocks, grid, [](weft::block_array<double>& block) -> weft::block_array<double>& {
                    in_callback();
                    return block;
                });
        }))
        return;
    std::int64_t const last = number_of_blocks(now) - 1;
    for (auto const& each : blocks.local()) {
        std::int64_t const id = weft::index_of(each.id);
        weft::box<std::int64_t> const all = each.block.bounds();
        now.expect(each.block(all.lo[0], 89) == static_cast<double>(id == 0 ? last : id - 1) &&
                   each.block(all.hi[0] - 1, 0) == static_cast<double>(id == last ? 0 : id + 1));
    }
}

void made_kd_tree(trial& now) {
    std::vector<double> points;
    for (int i = 0; i < 1500; ++i) points.push_back((i * 37 + now.rank()) % 101);
    std::optional<weft::kd_tree> tree;
    if (now.under_test([&] { tree.emplace(now.comm(), 3, points, 5); })) now.expect(tree->blocks() == 5);
}

void components_of_blocks(trial& now, bool asynchronous) {
    weft::block_set<weft::block_components> blocks(now.comm(), grid_of_blocks(now), [&](weft::block_id id) {
        std::int64_t const first = weft::index_of(id) * 4;
        weft::block_components made(first, 4);
        made.unite(0, 1);
        if (weft::index_of(id) + 1 < number_of_blocks(now))
            made.unite(0, first + 4, weft::block_id{weft::index_of(id) + 1});
        return made;
    });
    if (now.under_test([&] {
            weft::find_components(blocks,
                [](weft::block_components& block) -> weft::block_components& {
                    in_callback();
                    return block;
                },
                {.asynchronous = asynchronous});
        }))
        for (auto const& each : blocks.local()) now.expect(each.block.label(1) == 0);
}

} // namespace

std::vector<call> block_calls() {
    std::vector<call> all{
        {"block_set", made_blocks},
        {"block_set::exchange", [](trial& now) { rounds(now, {}); }},
        {"block_set::exchange on threads", [](trial& now) { rounds(now, {.threads = 2}); }},
        {"block_set::exchange out of core",
            [](trial& now) { rounds(now, {.blocks_in_memory = 1, .directory = now.path("")}); }},
        {"block_set::exchange_neighbors", rounds_among_neighbours},
        {"block_set::iexchange", rounds_until_quiet, told::all, memory::large},
        {"block_set::for_each", visited},
        {"block_set::all_reduce", folded},
        {"block_set::save", [](trial& now) { saved(now, false); }},
        {"block_set::load", [](trial& now) { saved(now, true); }},
        {"block_set::move", [](trial& now) { moved(now, false); }},
        {"block_set::assign", [](trial& now) { moved(now, true); }},
        {"block_set::balance", balanced},
        {"merge_reduce", [](trial& now) { merged(now, {}); }},
        {"merge_reduce on threads", [](trial& now) { merged(now, {.threads = 3}); }},
        {"swap_reduce", swapped},
        {"all_reduce_arrays", all_reduced_arrays},
        {"broadcast of blocks", broadcast_blocks},
        {"broadcast_arrays", broadcast_block_arrays},
        {"scan of blocks", scanned},
        {"scan_arrays", scanned_arrays},
        {"all_to_all", all_to_all_blocks},
        {"reduce_scatter of blocks", reduce_scattered},
        {"fill_ghosts", ghosts_of_blocks},
        {"kd_tree", made_kd_tree},
        {"find_components of blocks", [](trial& now) { components_of_blocks(now, false); }},
        {"find_components of blocks until quiet", [](trial& now) { components_of_blocks(now, true); },
            told::all, memory::large},
    };
    return all;
}

} // namespace faults
