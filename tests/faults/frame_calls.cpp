#include "call.hpp"

#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/block_to_block.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/directory.hpp>
#include <weft/frames/halo.hpp>
#include <weft/frames/numbering.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/frames/part_to_part.hpp>
#include <weft/frames/recursive_bisection.hpp>
#include <weft/frames/sort_by_key.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

namespace faults {

namespace {

using weft::global_id;

constexpr std::int64_t of_rank = 2000; // ids of a block

weft::block_distribution blocks_of_ids(trial const& now) {
    return weft::block_distribution::uniform(now.comm(), of_rank * now.size());
}

/// Every third id, each rank others, some of several ranks.
std::vector<global_id> part_of_ids(trial const& now) {
    std::vector<global_id> ids;
    for (global_id id = now.rank(); id < of_rank * now.size(); id += 3) ids.push_back(id);
    ids.push_back(1);
    return ids;
}

std::int64_t value_of(global_id id, std::size_t i = 0) {
    return 7 * id + static_cast<std::int64_t>(i);
}

std::vector<std::int64_t> block_values(trial const& now, std::size_t stride) {
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < of_rank; ++i)
        for (std::size_t k = 0; k < stride; ++k) values.push_back(value_of(now.rank() * of_rank + i, k));
    return values;
}

weft::ragged<std::int64_t> block_lists(trial const& now) {
    weft::ragged<std::int64_t> lists;
    for (std::int64_t i = 0; i < of_rank; ++i) {
        for (std::int64_t k = 0; k < i % 3; ++k) lists.values.push_back(value_of(now.rank() * of_rank + i));
        lists.offsets.push_back(std::ssize(lists.values));
    }
    return lists;
}

void balanced_ids(trial& now, bool weighted) {
    auto const ids = part_of_ids(now);
    std::vector<double> const weights(ids.size(), 1.5);
    weft::balanced_blocks made;
    if (now.under_test([&] {
            made = weighted ? weft::balance_blocks(now.comm(), ids, weights)
                            : weft::balance_blocks(now.comm(), ids);
        }))
        now.expect(made.blocks.parts() == now.size());
}

void distributions(trial& now) {
    weft::block_distribution sizes;
    weft::block_distribution shares;
    if (now.under_test([&] {
            sizes = weft::block_distribution::from_sizes(now.comm(), now.rank() + 1);
            shares = weft::block_distribution::by_shares(now.comm(), 100, 1.0 + now.rank());
        }))
        now.expect(sizes.size(now.rank()) == now.rank() + 1 && shares.total() == 100);
}

weft::block_to_part to_parts(trial const& now, weft::frame_transfer how = weft::frame_transfer::automatic) {
    return {now.comm(), blocks_of_ids(now), part_of_ids(now), {.transfer = how}};
}

void made_block_to_part(trial& now) {
    auto const blocks = blocks_of_ids(now);
    auto const part = part_of_ids(now);
    std::vector<global_id> ids(static_cast<std::size_t>(of_rank));
    std::iota(ids.begin(), ids.end(), now.rank() * of_rank);
    weft::joined_blocks const twice({blocks, blocks});
    std::optional<weft::block_to_part> plain;
    std::optional<weft::block_to_part> listed;
    std::optional<weft::block_to_part> joined;
    if (now.under_test([&] {
            plain.emplace(now.comm(), blocks, part);
            listed.emplace(
                now.comm(), blocks, part, ids, weft::block_to_part_options{.missing_allowed = true});
            joined.emplace(now.comm(), twice, part);
        }))
        now.expect(plain->part_items() == part.size() && listed->part_items() == part.size());
}

void exchanged_to_parts(trial& now, weft::frame_transfer how, std::size_t stride) {
    auto const plan = to_parts(now, how);
    auto const part = part_of_ids(now);
    auto const block = block_values(now, stride);
    std::vector<std::int64_t> got;
    if (now.under_test([&] { got = plan.exchange(block, stride); }))
        now.expect(got.size() == part.size() * stride &&
                   got[5 * stride + stride - 1] == value_of(part[5], stride - 1));
}

void exchanged_into(trial& now) {
    auto const plan = to_parts(now);
    auto const block = block_values(now, 1);
    std::vector<std::int64_t> got(plan.part_items());
    if (now.under_test([&] { plan.exchange_into(std::span<std::int64_t const>(block), std::span(got)); }))
        now.expect(got[5] == value_of(part_of_ids(now)[5]));
}

void exchanged_lists(trial& now, weft::frame_transfer how) {
    auto const plan = to_parts(now, how);
    auto const lists = block_lists(now);
    weft::ragged<std::int64_t> got;
    if (now.under_test([&] { got = plan.exchange(lists); })) {
        auto const part = part_of_ids(now);
        for (std::size_t i = 0; i < part.size(); ++i) now.expect(got.length(i) == part[i] % of_rank % 3);
    }
}

/// Three ids a rank, all wanted everywhere: texts are long.
std::vector<global_id> few_ids(trial const& now) {
    std::vector<global_id> ids(static_cast<std::size_t>(3 * now.size()));
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

void exchanged_texts(trial& now, weft::frame_transfer how) {
    auto const ids = few_ids(now);
    weft::block_to_part const plan(
        now.comm(), weft::block_distribution::uniform(now.comm(), std::ssize(ids)), ids, {.transfer = how});
    std::vector<fragile> block;
    for (std::int64_t i = 0; i < 3; ++i) block.push_back(fragile_of(3 * now.rank() + i));
    std::vector<fragile> got;
    if (now.under_test([&] { got = plan.exchange(block); })) now.expect(got[5] == fragile_of(5));
}

void started_to_parts(trial& now) {
    auto const plan = to_parts(now);
    auto const block = block_values(now, 1);
    std::vector<std::int64_t> got;
    if (now.under_test([&] { got = plan.start(block).get(); }))
        now.expect(got[5] == value_of(part_of_ids(now)[5]));
}

std::int64_t fragile_sum(std::int64_t a, std::int64_t b) {
    in_callback();
    return a + b;
}

void reversed_to_block(trial& now, weft::frame_transfer how) {
    auto const plan = to_parts(now, how);
    std::vector<std::int64_t> const parts(plan.part_items(), 1);
    std::vector<std::int64_t> block(static_cast<std::size_t>(of_rank));
    if (now.under_test(
            [&] { plan.reverse(std::span<std::int64_t const>(parts), std::span(block), fragile_sum); }))
        now.expect(now.size() < 3 || std::ranges::count(block, 0) == 0);
}

void reversed_lists_to_block(trial& now) {
    auto const plan = to_parts(now);
    weft::ragged<std::int64_t> lists;
    for (std::size_t i = 0; i < plan.part_items(); ++i) {
        lists.values.push_back(static_cast<std::int64_t>(i));
        lists.offsets.push_back(std::ssize(lists.values));
    }
    weft::ragged<std::int64_t> got;
    if (now.under_test([&] { got = plan.reverse(lists); }))
        now.expect(std::ssize(got.offsets) == of_rank + 1);
}

weft::part_to_block to_blocks(trial const& now, weft::frame_transfer how = weft::frame_transfer::automatic) {
    return {now.comm(), blocks_of_ids(now), part_of_ids(now), {.transfer = how}};
}

void made_part_to_block(trial& now) {
    auto const blocks = blocks_of_ids(now);
    auto const part = part_of_ids(now);
    std::optional<weft::part_to_block> plan;
    if (now.under_test([&] { plan.emplace(now.comm(), blocks, part); }))
        now.expect(plan->part_items() == part.size());
}

void moved_to_blocks(trial& now, weft::frame_transfer how, std::size_t stride) {
    auto const plan = to_blocks(now, how);
    std::vector<std::int64_t> mine;
    for (global_id const id : part_of_ids(now))
        for (std::size_t k = 0; k < stride; ++k) mine.push_back(value_of(id, k));
    std::vector<std::int64_t> kept;
    weft::ragged<std::int64_t> merged;
    std::vector<std::int64_t> reduced;
    std::vector<std::int64_t> lowest;
    std::vector<std::int64_t> back;
    if (now.under_test([&] {
            kept = plan.keep(mine, stride);
            merged = plan.merge(mine, stride);
            reduced = plan.reduce(mine, fragile_sum, stride);
            reduced = plan.reduce(mine, weft::add_values(), stride);
            lowest = plan.lowest(mine, stride);
            back = plan.reverse(lowest, stride);
        })) {
        now.expect(kept.size() == plan.arrivals() * stride && back == mine);
        now.expect(lowest.size() == plan.ids().size() * stride && merged.size() == plan.ids().size());
    }
}

void moved_texts_to_blocks(trial& now) {
    auto const ids = few_ids(now);
    weft::part_to_block const plan(
        now.comm(), weft::block_distribution::uniform(now.comm(), std::ssize(ids)), ids);
    std::vector<fragile> mine;
    for (global_id const id : ids) mine.push_back(fragile_of(id));
    std::vector<fragile> kept;
    std::vector<fragile> reduced;
    if (now.under_test([&] {
            kept = plan.keep(weft::parts_view<fragile>(mine));
            reduced = plan.reduce(weft::parts_view<fragile>(mine), [](fragile const& a, fragile const&) {
                in_callback();
                return a;
            });
        }))
        for (std::size_t i = 0; i < reduced.size(); ++i) now.expect(reduced[i] == fragile_of(plan.ids()[i]));
}

void moved_lists_to_blocks(trial& now) {
    auto const plan = to_blocks(now);
    weft::ragged<std::int64_t> lists;
    for (global_id const id : part_of_ids(now)) {
        lists.values.push_back(id);
        lists.offsets.push_back(std::ssize(lists.values));
    }
    weft::ragged<std::int64_t> kept;
    weft::ragged<std::int64_t> merged;
    weft::ragged<std::int64_t> back;
    if (now.under_test([&] {
            kept = plan.keep(lists);
            merged = plan.merge(lists);
            back = plan.reverse(plan.lowest(lists));
            (void)plan.reverse_kept(kept);
        }))
        now.expect(back == lists && merged.size() == plan.ids().size());
}

void parts_to_parts(trial& now) {
    auto const sources = part_of_ids(now);
    std::vector<global_id> targets(sources.rbegin(), sources.rend());
    std::vector<std::int64_t> values;
    for (global_id const id : sources) values.push_back(value_of(id));
    std::vector<std::int64_t> const of_targets(targets.size(), 1);
    weft::ragged<std::int64_t> got;
    if (now.under_test([&] {
            weft::part_to_part const plan(now.comm(), sources, targets);
            got = plan.exchange(values);
            (void)plan.reverse(of_targets);
        }))
        for (std::size_t i = 0; i < targets.size(); ++i) now.expect(got[i].front() == value_of(targets[i]));
}

void linked_parts(trial& now) {
    std::vector<weft::part_link> const links{{0, (now.rank() + 1) % now.size(), 1}, {1, 0, 0}};
    std::vector<std::int64_t> const values{now.rank(), 100 + now.rank()};
    weft::ragged<std::int64_t> got;
    if (now.under_test([&] {
            weft::part_to_part const plan(now.comm(), 2, 2, links);
            got = plan.exchange(values);
        }))
        now.expect(got[1].size() == 1 && got[1].front() == (now.rank() + now.size() - 1) % now.size());
}

void blocks_to_blocks(trial& now) {
    auto const from = blocks_of_ids(now);
    auto const to = weft::block_distribution::from_sizes(
        now.comm(), now.rank() == 0 ? of_rank * now.size() - 2 * (now.size() - 1) : 2);
    auto const values = block_values(now, 1);
    auto const lists = block_lists(now);
    std::vector<std::int64_t> got;
    weft::ragged<std::int64_t> got_lists;
    if (now.under_test([&] {
            weft::block_to_block const plan(now.comm(), from, to);
            got = plan.exchange(values);
            got_lists = plan.exchange(lists);
        }))
        now.expect(std::ssize(got) == to.size(now.rank()) && got.front() == value_of(to.begin(now.rank())) &&
                   got_lists.size() == got.size());
}

void looked_up(trial& now) {
    auto const ids = part_of_ids(now);
    weft::ragged<weft::item_location> got;
    if (now.under_test([&] {
            weft::directory const known(now.comm(), ids);
            got = known.find(ids);
        }))
        now.expect(got.size() == ids.size() && got.length(3) >= 1);
}

void halos(trial& now) {
    auto const owners = blocks_of_ids(now);
    std::vector<global_id> const ghosts{
        (now.rank() + 1) % now.size() * of_rank, (now.rank() + 2) % now.size() * of_rank + 1};
    std::vector<global_id> mine;
    for (global_id const id : ghosts)
        if (id / of_rank != now.rank()) mine.push_back(id);
    std::ranges::sort(mine);
    std::optional<weft::halo<std::int64_t>> around;
    if (!now.under_test([&] { around.emplace(now.comm(), owners, mine); })) return;
    for (std::int64_t i = 0; i < of_rank; ++i)
        around->own()[static_cast<std::size_t>(i)] = value_of(now.rank() * of_rank + i);
    around->start();
    around->finish();
    for (std::size_t i = 0; i < mine.size(); ++i) now.expect(around->ghosts()[i] == value_of(mine[i]));
}

/// Every rank has all ids of the next one as ghosts.
void added_to_owners(trial& now) {
    std::vector<global_id> ghosts(now.size() > 1 ? static_cast<std::size_t>(of_rank) : 0);
    std::iota(ghosts.begin(), ghosts.end(), (now.rank() + 1) % now.size() * of_rank);
    weft::halo<double> const around(now.comm(), blocks_of_ids(now), ghosts);
    std::vector<std::int64_t> const of_ghosts(ghosts.size(), 3);
    std::vector<std::int64_t> own(static_cast<std::size_t>(of_rank), 1);
    if (now.under_test([&] { around.add_to_owners(of_ghosts, own); })) now.expect(own[77] == 4);
}

void numbered(trial& now) {
    auto const ids = part_of_ids(now);
    std::vector<std::array<double, 3>> points;
    for (global_id const id : ids) points.push_back({static_cast<double>(id), 1, 2});
    std::vector<std::int64_t> tuples;
    for (global_id const id : ids) tuples.insert(tuples.end(), {id, 5});
    weft::global_numbers of_ids;
    weft::global_numbers of_tuples;
    weft::global_numbers of_points;
    if (now.under_test([&] {
            of_ids = weft::number_ids(now.comm(), ids);
            of_tuples = weft::number_tuples(now.comm(), tuples, 2);
            of_points = weft::number_points(now.comm(), points, 0.5);
        }))
        now.expect(of_ids.count == of_tuples.count && of_points.count == of_ids.count);
}

void numbered_with_the_last(trial& now) {
    auto ids = part_of_ids(now);
    ids.push_back(INT64_MAX);
    weft::global_numbers made;
    std::vector<global_id> sorted;
    if (now.under_test([&] {
            made = weft::number_ids(now.comm(), ids);
            sorted = weft::sort_keys(now.comm(), ids);
        }))
        now.expect(made.numbers.back() == made.count - 1 && std::ranges::is_sorted(sorted));
}

void sorted(trial& now) {
    auto const ids = part_of_ids(now);
    std::vector<std::int64_t> values;
    for (global_id const id : ids) values.push_back(value_of(id));
    weft::sorted_items<std::int64_t> got;
    std::vector<global_id> keys;
    if (now.under_test([&] {
            got = weft::sort_by_key<std::int64_t>(now.comm(), ids, values);
            keys = weft::sort_keys(now.comm(), ids);
        }))
        for (std::size_t i = 0; i < got.keys.size(); ++i) now.expect(got.values[i] == value_of(got.keys[i]));
}

void bisected(trial& now) {
    std::vector<std::array<double, 2>> points;
    for (int i = 0; i < 50; ++i)
        points.push_back({static_cast<double>(i * 37 % 50), static_cast<double>(now.rank())});
    std::optional<weft::recursive_bisection<2>> cut;
    if (now.under_test([&] { cut.emplace(now.comm(), points); }))
        now.expect(cut->owner_of(points.front()) < now.size());
}

} // namespace

std::vector<call> frame_calls() {
    std::vector<call> all{
        {"balance_blocks", [](trial& now) { balanced_ids(now, false); }},
        {"balance_blocks with weights", [](trial& now) { balanced_ids(now, true); }},
        {"block_distribution", distributions},
        {"block_to_part", made_block_to_part},
        {"block_to_part::exchange_into", exchanged_into},
        {"block_to_part::start", started_to_parts},
        {"block_to_part::reverse of lists", reversed_lists_to_block},
        {"part_to_block", made_part_to_block},
        {"part_to_block of texts", moved_texts_to_blocks},
        {"part_to_block of lists", moved_lists_to_blocks},
        {"part_to_part", parts_to_parts},
        {"part_to_part by links", linked_parts},
        {"block_to_block", blocks_to_blocks},
        {"directory", looked_up},
        {"halo", halos},
        {"halo::add_to_owners", added_to_owners, told::neighbours},
        {"number_ids, number_tuples, number_points", numbered},
        {"number_ids, sort_keys with the last id", numbered_with_the_last},
        {"sort_by_key, sort_keys", sorted},
        {"recursive_bisection", bisected},
    };
    for (auto const& [name, how] : {std::pair("by messages", weft::frame_transfer::plan),
             std::pair("by shared memory", weft::frame_transfer::shared),
             std::pair("by a sparse exchange", weft::frame_transfer::sparse)}) {
        std::string const by = std::string(" ") + name;
        all.push_back(
            {"block_to_part::exchange" + by, [how = how](trial& now) { exchanged_to_parts(now, how, 1); }});
        all.push_back({"block_to_part::exchange of runs" + by,
            [how = how](trial& now) { exchanged_to_parts(now, how, 3); }});
        all.push_back({"block_to_part::exchange of lists" + by,
            [how = how](trial& now) { exchanged_lists(now, how); }});
        all.push_back({"block_to_part::exchange of texts" + by,
            [how = how](trial& now) { exchanged_texts(now, how); }});
        all.push_back(
            {"block_to_part::reverse" + by, [how = how](trial& now) { reversed_to_block(now, how); }});
        all.push_back(
            {"part_to_block, moves" + by, [how = how](trial& now) { moved_to_blocks(now, how, 1); }});
        all.push_back(
            {"part_to_block, moves of runs" + by, [how = how](trial& now) { moved_to_blocks(now, how, 3); }});
    }
    return all;
}

} // namespace faults
