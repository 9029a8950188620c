#include "trial.hpp"

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

#include <numeric>

namespace arguments {

namespace {

using weft::global_id;

constexpr std::int64_t of_rank = 4; // ids of a block

weft::block_distribution blocks_of_ids(trial const& now, std::int64_t more = 0) {
    return weft::block_distribution::uniform(now.comm(), of_rank * now.size() + more);
}

std::vector<global_id> part_of_ids(trial const& now) {
    std::vector<global_id> ids;
    for (global_id id = now.rank(); id < of_rank * now.size(); id += 2) ids.push_back(id);
    return ids;
}

weft::block_distribution given_blocks(trial& now) {
    return now.equal("blocks", blocks_of_ids(now), {blocks_of_ids(now, 1), blocks_of_ids(now, 1'000'000)});
}

std::vector<weft::frame_transfer> other_transfers() {
    return {weft::frame_transfer::plan, weft::frame_transfer::shared, weft::frame_transfer::sparse,
        static_cast<weft::frame_transfer>(77)};
}

void balanced(trial& now) {
    weft::balance_options how;
    how.total = now.equal("total", std::optional<std::int64_t>(of_rank * now.size()));
    how.buckets = now.equal("buckets", 32, {0, -1, 1, 31, 1 << 30, INT32_MAX});
    how.tolerance = now.equal("tolerance", 0.1);
    how.reductions = now.equal("reductions", 6, {-1, 5, INT32_MIN});
    how.share = now.own("share", 1.0);
    auto const ids = now.own("ids", part_of_ids(now));
    auto const weights = now.own("weights", std::vector<double>(part_of_ids(now).size(), 1.0));
    now.under_test([&] { (void)weft::balance_blocks(now.comm(), ids, weights, how); });
    how.total = {};
    now.under_test([&] { (void)weft::balance_blocks(now.comm(), ids, how); });
}

void blocks_of_sizes(trial& now) {
    auto const mine = now.own("mine", std::int64_t{3});
    now.under_test([&] { (void)weft::block_distribution::from_sizes(now.comm(), mine); });
}

void blocks_by_shares(trial& now) {
    auto const total = now.equal("total", std::int64_t{100});
    auto const share = now.own("share", 1.0);
    now.under_test([&] { (void)weft::block_distribution::by_shares(now.comm(), total, share); });
}

void made_block_to_part(trial& now) {
    auto const blocks = given_blocks(now);
    auto const part = now.own("parts", part_of_ids(now));
    weft::block_to_part_options how;
    how.transfer = now.equal("transfer", weft::frame_transfer::automatic, other_transfers());
    how.missing_allowed = now.equal("missing_allowed", false);
    now.under_test([&] { weft::block_to_part const plan(now.comm(), blocks, part, how); });
}

void made_of_listed_ids(trial& now) {
    std::vector<global_id> ids(static_cast<std::size_t>(of_rank));
    std::iota(ids.begin(), ids.end(), now.rank() * of_rank);
    auto const blocks = given_blocks(now);
    auto const part = now.own("parts", part_of_ids(now));
    auto const listed = now.own("block_ids", ids);
    now.under_test([&] { weft::block_to_part const plan(now.comm(), blocks, part, listed); });
}

void made_of_joined_blocks(trial& now) {
    auto const blocks = blocks_of_ids(now);
    using joined = weft::joined_blocks;
    auto const both = now.equal("blocks", joined({blocks, blocks}),
        {joined({blocks}), joined({blocks, blocks, blocks}), joined({blocks_of_ids(now, 1), blocks})});
    auto const part = now.own("parts", part_of_ids(now));
    now.under_test([&] { weft::block_to_part const plan(now.comm(), both, part); });
}

template <class T>
std::vector<T> values_of(std::int64_t count, std::size_t stride) {
    return std::vector<T>(static_cast<std::size_t>(count) * stride, T{1});
}

weft::ragged<std::int64_t> lists_of(std::int64_t count) {
    weft::ragged<std::int64_t> lists;
    for (std::int64_t i = 0; i < count; ++i) {
        lists.values.push_back(i);
        lists.offsets.push_back(i + 1);
    }
    return lists;
}

/// `Move` takes values and a stride of a plan whose values are as many as `count` says.
template <class Move>
void moved_values(trial& now, std::int64_t count, Move&& move) {
    auto const values = now.own("values", values_of<double>(count, 2));
    auto const stride = now.equal("stride", std::size_t{2});
    auto const bytes = now.equal("bytes of a value", 8, {4});
    now.under_test([&] {
        if (bytes == 8)
            move(values, stride);
        else
            move(values_of<float>(count, 2), stride);
    });
}

template <class Move>
void moved_lists(trial& now, std::int64_t count, Move&& move) {
    weft::ragged<std::int64_t> lists;
    lists.offsets = now.own("offsets", lists_of(count).offsets);
    lists.values = now.own("values", lists_of(count).values);
    now.under_test([&] { move(lists); });
}

std::int64_t local_ids(trial const& now) {
    return blocks_of_ids(now).size(now.rank());
}

template <class Use>
void with_plan_to_parts(trial& now, weft::frame_transfer how, Use&& use) {
    weft::block_to_part const plan(now.comm(), blocks_of_ids(now), part_of_ids(now), {.transfer = how});
    use(plan);
}

template <class Use>
void with_plan_to_blocks(trial& now, weft::frame_transfer how, Use&& use) {
    weft::part_to_block const plan(now.comm(), blocks_of_ids(now), part_of_ids(now), {.transfer = how});
    use(plan);
}

void into_and_back(trial& now, weft::frame_transfer how) {
    with_plan_to_parts(now, how, [&](weft::block_to_part const& plan) {
        std::vector<std::int64_t> const block(static_cast<std::size_t>(local_ids(now)), 1);
        auto into = now.own(
            "parts", std::vector<std::int64_t>(plan.part_items()), {{}, std::vector<std::int64_t>(1)});
        auto back = now.own("block", block, {{}, std::vector<std::int64_t>(99)});
        std::vector<std::int64_t> const parts(plan.part_items());
        now.under_test([&] { plan.exchange_into(std::span<std::int64_t const>(block), std::span(into)); });
        if (!now.thrown())
            now.under_test(
                [&] { plan.reverse(std::span<std::int64_t const>(parts), std::span(back), std::plus<>{}); });
    });
}

void made_part_to_block(trial& now) {
    auto const blocks = given_blocks(now);
    auto const part = now.own("parts", part_of_ids(now));
    weft::part_to_block_options how;
    how.transfer = now.equal("transfer", weft::frame_transfer::automatic, other_transfers());
    now.under_test([&] { weft::part_to_block const plan(now.comm(), blocks, part, how); });
}

void parts_to_parts(trial& now) {
    auto const sources = now.own("sources", part_of_ids(now));
    auto const targets = now.own("targets", part_of_ids(now));
    now.under_test([&] {
        weft::part_to_part const plan(now.comm(), sources, targets);
        (void)plan.exchange(std::vector<double>(sources.size()));
    });
}

void linked_parts(trial& now) {
    weft::part_link link;
    link.item = now.own("item", std::int64_t{0});
    link.rank = now.own("rank", (now.rank() + 1) % now.size());
    link.target = now.own("target", std::int64_t{1});
    auto const items = now.own("items", std::size_t{2}, {0, 1});
    auto const from = now.own("items of others", std::size_t{2}, {0, 1});
    std::vector<weft::part_link> const links{link};
    now.under_test([&] { weft::part_to_part const plan(now.comm(), items, from, links); });
}

void blocks_to_blocks(trial& now) {
    auto const to = weft::block_distribution::from_sizes(
        now.comm(), now.rank() == 0 ? of_rank * now.size() - (now.size() - 1) : 1);
    auto const from = given_blocks(now);
    auto const into = now.equal("to", to, {blocks_of_ids(now), blocks_of_ids(now, 7)});
    auto const stride = now.equal("stride", std::size_t{2});
    now.under_test([&] {
        weft::block_to_block const plan(now.comm(), from, into);
        (void)plan.exchange(std::vector<double>(static_cast<std::size_t>(2 * from.size(now.rank()))), stride);
    });
}

void looked_up(trial& now) {
    auto const ids = now.own("ids", part_of_ids(now));
    auto const asked = now.own("asked", part_of_ids(now));
    now.under_test([&] { (void)weft::directory(now.comm(), ids).find(asked); });
}

void halos(trial& now) {
    std::vector<global_id> const usual{(now.rank() + 1) % now.size() * of_rank + 1};
    auto const owners = given_blocks(now);
    auto const ghosts = now.own("ghosts", usual);
    now.under_test([&] {
        weft::halo<double> around(now.comm(), owners, ghosts);
        around.start();
        around.finish();
    });
}

void added_to_owners(trial& now) {
    weft::halo<double> around(
        now.comm(), blocks_of_ids(now), std::vector<global_id>{(now.rank() + 1) % now.size() * of_rank + 1});
    auto const ghosts =
        now.own("ghosts", std::vector<double>(around.ghosts().size()), {std::vector<double>(99)});
    auto own = now.own("own", std::vector<double>(around.own().size()), {{}, std::vector<double>(99)});
    now.under_test([&] { around.add_to_owners(ghosts, own); });
}

void numbered(trial& now) {
    auto const ids = now.own("ids", part_of_ids(now));
    now.under_test([&] { (void)weft::number_ids(now.comm(), ids); });
}

void numbered_tuples(trial& now) {
    auto const tuples = now.own("tuples", std::vector<std::int64_t>{now.rank(), 5, 7, now.rank()});
    auto const width = now.equal("width", 2);
    now.under_test([&] { (void)weft::number_tuples(now.comm(), tuples, width); });
}

void numbered_points(trial& now) {
    std::vector<std::array<double, 3>> points;
    for (global_id const id : part_of_ids(now)) points.push_back({static_cast<double>(id), 1, 2});
    auto const places = now.own("points", points);
    auto const tolerance = now.equal("tolerance", 0.5);
    now.under_test([&] { (void)weft::number_points(now.comm(), places, tolerance); });
}

void sorted(trial& now) {
    auto const keys = now.own("keys", part_of_ids(now));
    auto const values =
        now.own("values", std::vector<double>(part_of_ids(now).size()), {{}, std::vector<double>(1)});
    auto const tolerance = now.equal("tolerance", 0.05);
    now.under_test([&] { (void)weft::sort_by_key<double>(now.comm(), keys, values, tolerance); });
}

void sorted_alone(trial& now) {
    auto const keys = now.own("keys", part_of_ids(now));
    auto const tolerance = now.equal("tolerance", 0.05);
    now.under_test([&] { (void)weft::sort_keys(now.comm(), keys, tolerance); });
}

void bisected(trial& now) {
    std::vector<std::array<double, 2>> points;
    for (int i = 0; i < 9; ++i)
        points.push_back({static_cast<double>(i * 7 % 9), static_cast<double>(now.rank())});
    auto const places = now.own("points", points);
    auto const weights = now.own("weights", std::vector<double>(points.size(), 1.0));
    now.under_test([&] { weft::recursive_bisection<2> const cut(now.comm(), places, weights); });
}

std::vector<call> moves_by(weft::frame_transfer how, std::string const& by) {
    using weft::block_to_part;
    using weft::part_to_block;
    std::vector<call> all;
    auto const to_parts = [&](char const* name, auto move, bool of_parts) {
        all.push_back(
            {name + by, [=](trial& now) {
                 with_plan_to_parts(now, how, [&](block_to_part const& plan) {
                     moved_values(now, of_parts ? std::ssize(part_of_ids(now)) : local_ids(now),
                         [&](auto const& values, std::size_t stride) { move(plan, values, stride); });
                 });
             }});
    };
    auto const to_blocks = [&](char const* name, auto move) {
        all.push_back(
            {name + by, [=](trial& now) {
                 with_plan_to_blocks(now, how, [&](part_to_block const& plan) {
                     moved_values(now, std::ssize(part_of_ids(now)),
                         [&](auto const& values, std::size_t stride) { move(plan, values, stride); });
                 });
             }});
    };
    to_parts(
        "block_to_part::exchange",
        [](auto const& plan, auto const& values, std::size_t stride) { (void)plan.exchange(values, stride); },
        false);
    to_blocks("part_to_block::keep",
        [](auto const& plan, auto const& values, std::size_t stride) { (void)plan.keep(values, stride); });
    to_blocks("part_to_block::merge",
        [](auto const& plan, auto const& values, std::size_t stride) { (void)plan.merge(values, stride); });
    to_blocks("part_to_block::reduce", [](auto const& plan, auto const& values, std::size_t stride) {
        (void)plan.reduce(values, weft::add_values(), stride);
    });
    to_blocks("part_to_block::lowest",
        [](auto const& plan, auto const& values, std::size_t stride) { (void)plan.lowest(values, stride); });
    all.push_back({"block_to_part::exchange of lists" + by, [=](trial& now) {
                       with_plan_to_parts(now, how, [&](block_to_part const& plan) {
                           moved_lists(
                               now, local_ids(now), [&](auto const& lists) { (void)plan.exchange(lists); });
                       });
                   }});
    all.push_back({"block_to_part::reverse of lists" + by, [=](trial& now) {
                       with_plan_to_parts(now, how, [&](block_to_part const& plan) {
                           moved_lists(now, std::ssize(part_of_ids(now)),
                               [&](auto const& lists) { (void)plan.reverse(lists); });
                       });
                   }});
    all.push_back({"part_to_block::keep of lists" + by, [=](trial& now) {
                       with_plan_to_blocks(now, how, [&](part_to_block const& plan) {
                           moved_lists(now, std::ssize(part_of_ids(now)),
                               [&](auto const& lists) { (void)plan.keep(lists); });
                       });
                   }});
    all.push_back(
        {"block_to_part::exchange_into, reverse" + by, [=](trial& now) { into_and_back(now, how); }});
    return all;
}

} // namespace

std::vector<call> frame_calls() {
    std::vector<call> all{
        {"balance_blocks", balanced},
        {"block_distribution::from_sizes", blocks_of_sizes},
        {"block_distribution::by_shares", blocks_by_shares},
        {"block_to_part", made_block_to_part},
        {"block_to_part of listed ids", made_of_listed_ids},
        {"block_to_part of joined blocks", made_of_joined_blocks},
        {"part_to_block", made_part_to_block},
        {"part_to_part", parts_to_parts},
        {"part_to_part by links", linked_parts},
        {"block_to_block", blocks_to_blocks},
        {"directory", looked_up},
        {"halo", halos},
        {"halo::add_to_owners", added_to_owners, told::neighbours},
        {"number_ids", numbered},
        {"number_tuples", numbered_tuples},
        {"number_points", numbered_points},
        {"sort_by_key", sorted},
        {"sort_keys", sorted_alone},
        {"recursive_bisection", bisected},
    };
    for (auto const& [by, how] : {std::pair(" by messages", weft::frame_transfer::plan),
             std::pair(" by shared memory", weft::frame_transfer::shared),
             std::pair(" by a sparse exchange", weft::frame_transfer::sparse)})
        for (call& each : moves_by(how, by)) all.push_back(std::move(each));
    return all;
}

} // namespace arguments
