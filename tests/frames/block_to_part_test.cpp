#include <weft/frames/block_to_part.hpp>

#include <weft/core/error.hpp>

#include "frame_rig.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using weft::block_distribution;
using weft::block_to_part;
using weft::frame_transfer;
using weft::global_id;
using weft_test::frame_case;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// `per_rank[r]` on rank r; nothing on ranks beyond.
template <class T>
T of_rank(std::vector<T> const& per_rank) {
    auto const at = static_cast<std::size_t>(rank());
    return at < per_rank.size() ? per_rank[at] : T{};
}

/// The given bounds for the first ranks, empty blocks for the others.
block_distribution blocks_of(std::vector<global_id> bounds) {
    while (static_cast<int>(bounds.size()) < size() + 1) bounds.push_back(bounds.back());
    return block_distribution(bounds);
}

std::vector<int> block_values(block_distribution const& blocks, int stride = 1, int round = 0) {
    std::vector<int> values;
    for (global_id id = blocks.begin(rank()); id < blocks.end(rank()); ++id)
        for (int i = 0; i < stride; ++i) values.push_back(static_cast<int>(id) * 100 + i + round * 10'000);
    return values;
}

} // namespace

TEST(block_to_part, the_example_of_one_rank_and_of_two) {
    using lists = std::vector<std::vector<int>>;
    bool const two = size() > 1;
    auto const blocks = two ? blocks_of({0, 2, 6}) : blocks_of({0, 6});
    auto const block = of_rank(two ? lists{{5, 4}, {6, 1, 3, 2}} : lists{{5, 4, 6, 1, 3, 2}});
    auto const parts = of_rank(two ? std::vector<weft_test::part_ids>{{{0, 1, 3}}, {{2, 4, 5}}}
                                   : std::vector<weft_test::part_ids>{{{0, 1, 3}, {2, 4, 5}}});
    block_to_part const plan(world(), blocks, parts);
    auto const values = plan.exchange(block);
    EXPECT_EQ(values, of_rank(two ? lists{{5, 4, 1}, {6, 3, 2}} : lists{{5, 4, 1, 6, 3, 2}}));
    if (!two) { EXPECT_TRUE(std::ranges::equal(plan.part(values, 1), std::vector<int>{6, 3, 2})); }
}

TEST(block_to_part, missing_ids_get_the_value_that_is_asked_for_or_are_an_error) {
    auto const blocks = blocks_of({0, 4});
    bool const first = rank() == 0;
    std::vector<global_id> const exist = first ? std::vector<global_id>{3, 1} : std::vector<global_id>{};
    std::vector<global_id> const asked{1, 2, 3};
    block_to_part const plan(world(), blocks, asked, exist, {.missing_allowed = true});
    std::vector<int> const block = first ? std::vector<int>{30, 10} : std::vector<int>{};
    EXPECT_EQ(plan.exchange(block, 1, -1), (std::vector<int>{10, -1, 30}));
    std::vector<int> const twice = first ? std::vector<int>{30, 31, 10, 11} : std::vector<int>{};
    EXPECT_EQ(plan.exchange(twice, 2, -1), (std::vector<int>{10, 11, -1, -1, 30, 31}));
    weft::ragged<int> const lists{
        first ? std::vector<std::int64_t>{0, 1, 2} : std::vector<std::int64_t>{0}, block};
    EXPECT_EQ(plan.exchange(lists).offsets, (std::vector<std::int64_t>{0, 1, 1, 2}));
    std::vector<std::string> const words =
        first ? std::vector<std::string>{"three", "one"} : std::vector<std::string>{};
    EXPECT_EQ(plan.exchange(words, std::string("?")), (std::vector<std::string>{"one", "?", "three"}));
    std::vector<std::string> const pairs =
        first ? std::vector<std::string>{"three", "3", "one", "1"} : std::vector<std::string>{};
    EXPECT_EQ(plan.exchange(pairs, 2, std::string("?")),
        (std::vector<std::string>{"one", "1", "?", "?", "three", "3"}));
    std::vector<std::string> sums = words;
    plan.reverse(std::span<std::string const>(std::vector<std::string>{"a", "b", "c"}), std::span(sums));
    if (first) {
        std::string const of_all(static_cast<std::size_t>(size()), 'c');
        EXPECT_EQ(sums[0], "three" + of_all);
        EXPECT_EQ(sums[1], "one" + std::string(static_cast<std::size_t>(size()), 'a'));
    }
    auto const text =
        weft_test::text_of<weft::usage_error>([&] { (void)block_to_part(world(), blocks, asked, exist); });
    EXPECT_NE(text.find("asks for id 2"), std::string::npos) << text;
}

TEST(block_to_part, random_parts_against_the_oracle) {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        frame_case const drawn(weft_test::seed() + seed);
        auto const blocks = drawn.blocks();
        auto const ids = drawn.my_flat();
        frame_transfer const how = weft_test::all_transfers[seed % std::size(weft_test::all_transfers)];
        block_to_part const plan(world(), blocks, drawn.mine(), {.transfer = how});
        EXPECT_EQ(plan.part_items(), ids.size());
        for (int const stride : {1, 3}) {
            auto const values = plan.exchange(block_values(blocks, stride), static_cast<std::size_t>(stride));
            std::vector<int> expected;
            for (global_id const id : ids)
                for (int i = 0; i < stride; ++i) expected.push_back(static_cast<int>(id) * 100 + i);
            EXPECT_EQ(values, expected) << "seed " << seed << " stride " << stride;
        }
        // Lists of id mod 5 values, and strings of as many letters.
        weft::ragged<std::int64_t> lists;
        std::vector<std::string> words;
        for (global_id id = blocks.begin(rank()); id < blocks.end(rank()); ++id) {
            lists.values.insert(lists.values.end(), static_cast<std::size_t>(id % 5), id);
            lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
            words.emplace_back(static_cast<std::size_t>(id % 5), 'w');
        }
        auto const moved = plan.exchange(lists);
        auto const moved_words = plan.exchange(words);
        ASSERT_EQ(moved.size(), ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            EXPECT_TRUE(std::ranges::equal(
                moved[i], std::vector<std::int64_t>(static_cast<std::size_t>(ids[i] % 5), ids[i])));
            EXPECT_EQ(moved_words[i].size(), static_cast<std::size_t>(ids[i] % 5));
        }
        // The way back: each id gets its own list once for each part that has it.
        std::map<global_id, std::size_t> times;
        for (auto const& of_rank : drawn.parts)
            for (auto const& part : of_rank)
                for (global_id const id : part) ++times[id];
        auto const joined = plan.reverse(moved);
        ASSERT_EQ(joined.size(), plan.block_items());
        for (global_id id = blocks.begin(rank()); id < blocks.end(rank()); ++id)
            EXPECT_TRUE(std::ranges::equal(joined[static_cast<std::size_t>(id - blocks.begin(rank()))],
                std::vector<std::int64_t>(static_cast<std::size_t>(id % 5) * times[id], id)));
    }
}

TEST(block_to_part, lists_come_back_by_rank_part_and_position) {
    block_distribution const blocks = block_distribution::uniform(world(), size());
    weft_test::part_ids const mine =
        rank() == size() - 1 ? weft_test::part_ids{{0, 0}, {0}} : weft_test::part_ids{{0}};
    block_to_part const plan(world(), blocks, mine);
    weft::ragged<int> lists;
    for (std::size_t i = 0; i < plan.part_items(); ++i) {
        lists.values.insert(lists.values.end(), i + 1, 10 * rank() + static_cast<int>(i));
        lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
    }
    weft::ragged<int> const joined = plan.reverse(lists);
    std::vector<int> expected;
    for (int each = 0; each < size(); ++each)
        for (int i = 0; i < (each == size() - 1 ? 3 : 1); ++i)
            expected.insert(expected.end(), static_cast<std::size_t>(i) + 1, 10 * each + i);
    EXPECT_EQ(joined.values, rank() == 0 ? expected : std::vector<int>());
    EXPECT_EQ(joined.size(), 1);
}

TEST(block_to_part, the_way_back_combines_by_rank_part_and_position) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        frame_case const drawn(weft_test::seed() + seed);
        auto const blocks = drawn.blocks();
        std::vector<std::uint64_t> values;
        for (std::size_t i = 0; i < drawn.my_flat().size(); ++i)
            values.push_back(static_cast<std::uint64_t>(rank()) * 1000 + i);
        // An operator that does not commute: the order shows.
        auto const append = [](std::uint64_t a, std::uint64_t b) { return a * 31 + b; };
        std::map<global_id, std::uint64_t> expected;
        std::map<global_id, std::string> expected_words;
        for (int each = 0; each < size(); ++each) {
            std::uint64_t i = 0;
            for (auto const& part : drawn.parts[static_cast<std::size_t>(each)])
                for (global_id const id : part) {
                    std::uint64_t const value = static_cast<std::uint64_t>(each) * 1000 + i++;
                    expected[id] = append(expected[id], value);
                    expected_words[id] += std::to_string(value) + ' ';
                }
        }
        block_to_part const plan(world(), blocks, drawn.mine(),
            {.transfer = weft_test::all_transfers[seed % std::size(weft_test::all_transfers)]});
        std::vector<std::uint64_t> block(plan.block_items());
        plan.reverse(std::span<std::uint64_t const>(values), std::span(block), append);
        std::vector<std::string> words;
        for (std::uint64_t const value : values) words.push_back(std::to_string(value) + ' ');
        std::vector<std::string> joined(plan.block_items());
        plan.reverse(std::span<std::string const>(words), std::span(joined));
        for (std::size_t i = 0; i < block.size(); ++i) {
            global_id const id = blocks.begin(rank()) + static_cast<global_id>(i);
            EXPECT_EQ(block[i], expected[id]);
            EXPECT_EQ(joined[i], expected_words[id]);
        }
    }
}

TEST(block_to_part, handles_end_in_any_order) {
    frame_case const drawn(weft_test::seed() + 3, 40);
    auto const blocks = drawn.blocks();
    block_to_part const plan(world(), blocks, drawn.mine());
    std::vector<block_to_part::pending<int>> open;
    for (int round = 0; round < 5; ++round) open.push_back(plan.start(block_values(blocks, 2, round), 2));
    for (int i = 0; i < 5; ++i) {
        int const round = rank() % 2 == 0 ? i : 4 - i;
        auto const values = std::move(open[static_cast<std::size_t>(round)]).get();
        auto const ids = drawn.my_flat();
        ASSERT_EQ(values.size(), 2 * ids.size());
        for (std::size_t item = 0; item < ids.size(); ++item)
            EXPECT_EQ(values[2 * item + 1], static_cast<int>(ids[item]) * 100 + 1 + round * 10'000);
    }
}

TEST(block_to_part, an_id_that_no_block_has_is_named_on_all_ranks) {
    block_distribution const blocks = block_distribution::uniform(world(), 10);
    int const wrong = size() - 1;
    for (global_id const outside : {global_id{-1}, global_id{10}, INT64_MAX}) {
        weft_test::part_ids parts{{1, 2}, {3, 4, 5}};
        if (rank() == wrong) parts[1][2] = outside;
        auto const text =
            weft_test::text_of<weft::usage_error>([&] { (void)block_to_part(world(), blocks, parts); });
        EXPECT_NE(text.find("id " + std::to_string(outside) + " at position 2 of part 1 on rank " +
                            std::to_string(wrong)),
            std::string::npos)
            << text;
    }
    weft_test::part_ids const none;
    EXPECT_THROW((void)block_to_part(world(),
                     block_distribution(std::vector<global_id>(static_cast<std::size_t>(size()) + 2)), none),
        weft::usage_error);
    if (size() > 1) {
        EXPECT_THROW((void)block_to_part(world(), block_distribution::uniform(world(), rank()), none),
            weft::usage_error);
    }
    block_to_part const plan(world(), blocks, none);
    EXPECT_TRUE(plan.exchange(std::vector<int>(static_cast<std::size_t>(blocks.size(rank())))).empty());
}

TEST(block_to_part, block_ids_are_distinct_and_of_the_block) {
    block_distribution const blocks = block_distribution::uniform(world(), 1000 * size());
    bool const last = rank() == size() - 1;
    global_id const first = blocks.begin(rank());
    std::vector<global_id> const none;
    for (std::vector<global_id> const& wrong : {std::vector<global_id>{first, first},
             std::vector<global_id>{blocks.end(rank())}, std::vector<global_id>{first - 1}}) {
        EXPECT_THROW((void)block_to_part(world(), blocks, none, last ? wrong : none), weft::usage_error);
    }
    EXPECT_THROW((void)block_to_part(world(), block_distribution::uniform(world(), 2 * size()), none,
                     std::vector<global_id>{2 * rank(), 2 * rank()}),
        weft::usage_error);
}

TEST(block_to_part, wrong_lengths_on_one_rank_are_an_error_on_all) {
    block_distribution const blocks = block_distribution::uniform(world(), 20);
    std::vector<global_id> const ids{0, 19, 7};
    bool const last = rank() == size() - 1;
    auto const length = static_cast<std::size_t>(blocks.size(rank()));
    for (frame_transfer const how : weft_test::all_transfers) {
        block_to_part const plan(world(), blocks, ids, {.transfer = how});
        std::vector<int> const block(length + (last ? 1 : 0));
        EXPECT_THROW((void)plan.exchange(block), weft::usage_error);
        weft::ragged<int> lists;
        lists.offsets.resize(length + (last ? 2 : 1));
        EXPECT_THROW((void)plan.exchange(lists), weft::usage_error);
        std::vector<int> sums(length + (last ? 1 : 0));
        EXPECT_THROW(
            plan.reverse(std::span<int const>(std::vector<int>(3)), std::span(sums)), weft::usage_error);
        EXPECT_EQ(plan.exchange(std::vector<int>(length, 4)), (std::vector<int>{4, 4, 4}));
    }
}

TEST(block_to_part, an_operator_that_throws_on_one_rank_is_an_error_on_all) {
    block_distribution const blocks = block_distribution::uniform(world(), size());
    std::vector<global_id> const ids{0};
    block_to_part const plan(world(), blocks, ids);
    std::vector<int> sums(1);
    auto const bad = [](int, int) -> int { throw weft::io_error("no sums today"); };
    EXPECT_THROW(
        plan.reverse(std::span<int const>(std::vector<int>(1)), std::span(sums), bad), weft::io_error);
}

TEST(block_to_part, the_transfer_goes_by_the_load) {
    weft::settings apart = world().settings();
    apart.shared_memory = false;
    weft::communicator const messages = world().with(apart);
    block_distribution const blocks = block_distribution::uniform(world(), 4096 * size());
    std::vector<global_id> ids(4096, (blocks.begin(rank()) + 4096) % blocks.total()); // of the next rank
    block_to_part const near(world(), blocks, ids);
    bool const shares = world().topology().largest_node() > 1 && size() > 1;
    if (shares && world().topology().node_count() == 1) {
        EXPECT_EQ(near.transfer(8), frame_transfer::shared);
    }
    EXPECT_EQ(block_to_part(messages, blocks, ids).transfer(8), frame_transfer::plan);
    EXPECT_EQ(block_to_part(world(), blocks, ids, {.transfer = frame_transfer::sparse}).transfer(8),
        frame_transfer::sparse);
    ids.resize(1); // little
    EXPECT_EQ(block_to_part(world(), blocks, ids).transfer(1), frame_transfer::plan);
}

TEST(block_to_part, moves_through_shared_memory_follow_each_other) {
    block_distribution const blocks = block_distribution::uniform(world(), 50 * size());
    std::mt19937_64 random(static_cast<std::uint64_t>(rank()));
    std::vector<global_id> ids(100);
    for (global_id& id : ids)
        id = static_cast<global_id>(random() % static_cast<std::uint64_t>(blocks.total()));
    block_to_part const plan(world(), blocks, ids, {.transfer = frame_transfer::shared});
    for (int round = 0; round < 200; ++round) { // of sizes that grow and shrink
        auto const stride = static_cast<std::size_t>(1 + round * 7 % 11);
        std::vector<std::int64_t> block(50 * stride);
        for (std::size_t i = 0; i < block.size(); ++i)
            block[i] = round + 1000 * (blocks.begin(rank()) + static_cast<global_id>(i / stride));
        std::vector<std::int64_t> const parts = plan.exchange(block, stride);
        for (std::size_t i = 0; i < parts.size(); ++i) ASSERT_EQ(parts[i], round + 1000 * ids[i / stride]);
        std::vector<std::int64_t> back(block.size());
        plan.reverse(
            std::span<std::int64_t const>(parts), std::span(back),
            [](auto, auto value) noexcept { return value; }, stride);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            global_id const id = ids[i / stride] - blocks.begin(rank());
            if (id < 0 || id >= 50) continue;
            ASSERT_EQ(
                back[static_cast<std::size_t>(id) * stride], block[static_cast<std::size_t>(id) * stride]);
        }
    }
}

namespace {

/// Of no bytes, but a value.
struct nothing {
    int x = 7;
    static void wire(auto&, auto&) {}
};

} // namespace

TEST(block_to_part, a_value_of_no_bytes_is_not_missing) {
    block_distribution const blocks = block_distribution::uniform(world(), 10 * size());
    std::vector<global_id> ids;
    for (global_id id = 0; id < 10 * size(); ++id) ids.push_back(id);
    nothing missing;
    missing.x = 99;
    for (nothing const& each :
        block_to_part(world(), blocks, ids).exchange(std::vector<nothing>(10), missing))
        EXPECT_EQ(each.x, 7);
    std::vector<global_id> const some{blocks.begin(rank()) + 3}; // of ten ids one is there
    block_to_part const plan(world(), blocks, ids, some, {.missing_allowed = true});
    std::vector<nothing> const found = plan.exchange(std::vector<nothing>(1), missing);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].x, i % 10 == 3 ? 7 : 99) << i;
    std::vector<std::string> const words =
        plan.exchange(std::vector<std::string>{std::string(300, 'w')}, std::string("none"));
    for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i].size(), i % 10 == 3 ? 300U : 4U) << i;
    weft::ragged<int> const lists = plan.exchange(weft::ragged<int>{{0, 255}, std::vector<int>(255, 1)});
    for (std::size_t i = 0; i < lists.size(); ++i) EXPECT_EQ(lists.length(i), i % 10 == 3 ? 255 : 0) << i;
}

TEST(block_to_part, shared_frames_heed_the_knob_of_shared_memory) {
    weft::settings apart = world().settings();
    apart.shared_memory = false;
    weft::communicator const without = world().with(apart);
    block_distribution const blocks = block_distribution::uniform(world(), 10 * size());
    std::vector<global_id> const ids{0, 10 * size() - 1};
    block_to_part const plan(without, blocks, ids, {.transfer = frame_transfer::shared});
    EXPECT_EQ(plan.transfer(8), frame_transfer::plan);
    std::vector<int> block(10, rank());
    EXPECT_EQ(plan.exchange(block), (std::vector<int>{0, size() - 1}));
}

TEST(block_to_part, options_that_differ_are_an_error_on_all_ranks) {
    if (size() == 1) return;
    block_distribution const blocks = block_distribution::uniform(world(), 10);
    bool const last = rank() == size() - 1;
    std::vector<global_id> const ids{1};
    std::vector<global_id> mine;
    for (global_id id = blocks.begin(rank()); id < blocks.end(rank()); ++id) mine.push_back(id);
    EXPECT_THROW(block_to_part(world(), blocks, ids,
                     {.transfer = last ? frame_transfer::plan : frame_transfer::sparse}),
        weft::usage_error);
    EXPECT_THROW(block_to_part(world(), blocks, ids, mine, {.missing_allowed = last}), weft::usage_error);
    EXPECT_THROW(last ? block_to_part(world(), blocks, ids) : block_to_part(world(), blocks, ids, mine),
        weft::usage_error);
}
