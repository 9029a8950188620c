#include <weft/extend/frames/item_plan.hpp>

#include <weft/core/error.hpp>

#include <frames/copy_values.hpp>

#include "frame_rig.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

using weft::frame_transfer;
using weft::item_plan;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// Item i of rank r is linked to place (r + i) mod 3 of rank (i * i + r) mod P: 0 to 6 items a rank.
struct link_list {
    std::vector<int> owners;
    std::vector<std::uint32_t> items;
    std::vector<std::uint32_t> places;

    explicit link_list(int of) {
        for (int i = 0; i < of * 5 % 7; ++i) {
            owners.push_back((i * i + of) % size());
            items.push_back(static_cast<std::uint32_t>(i));
            places.push_back(static_cast<std::uint32_t>((of + i) % 3));
        }
    }
    [[nodiscard]] item_plan plan() const {
        item_plan made(world(), items.size(), owners, items, places);
        made.set_place_count(3);
        return made;
    }
};

template <class T>
item_plan::move move_of(std::vector<T> const& from, std::vector<T>& to, bool to_places, frame_transfer how) {
    item_plan::move what;
    what.to_places = to_places;
    what.from = std::as_bytes(std::span(from));
    what.to = std::as_writable_bytes(std::span(to));
    what.value_bytes = sizeof(T);
    what.how = how;
    return what;
}

/// Links that come to this rank, by rank and item: the rank, the item, the place.
std::vector<std::array<int, 3>> incoming_links() {
    std::vector<std::array<int, 3>> links;
    for (int from = 0; from < size(); ++from) {
        link_list const theirs(from);
        for (std::size_t i = 0; i < theirs.items.size(); ++i)
            if (theirs.owners[i] == rank())
                links.push_back({from, static_cast<int>(i), static_cast<int>(theirs.places[i])});
    }
    return links;
}

template <std::size_t Bytes>
struct value {
    std::array<char, Bytes> bytes{};
    explicit value(int number = 0) {
        for (std::size_t i = 0; i < Bytes; ++i) bytes[i] = static_cast<char>(number + static_cast<int>(i));
    }
    friend bool operator==(value const&, value const&) = default;
};

template <class T>
void expect_moves_of() {
    link_list const mine(rank());
    item_plan const plan = mine.plan();
    for (frame_transfer const how : weft_test::all_transfers) {
        std::vector<T> items;
        for (std::size_t i = 0; i < mine.items.size(); ++i)
            items.push_back(T(rank() * 10 + static_cast<int>(i)));
        std::vector<T> expected;
        for (auto const& [from, item, place] : incoming_links()) expected.push_back(T(from * 10 + item));
        std::vector<T> arrived(expected.size());
        plan.run(move_of(items, arrived, true, how));
        EXPECT_EQ(arrived, expected) << weft::name_of(how);

        std::vector<T> places{T(rank() * 3), T(rank() * 3 + 1), T(rank() * 3 + 2)};
        std::vector<T> at_items(mine.items.size());
        plan.run(move_of(places, at_items, false, how));
        for (std::size_t i = 0; i < at_items.size(); ++i)
            EXPECT_EQ(at_items[i], T(mine.owners[i] * 3 + static_cast<int>(mine.places[i])));
    }
}

} // namespace

TEST(item_plan, knows_what_comes_by_rank_and_item) {
    item_plan const plan = link_list(rank()).plan();
    auto const expected = incoming_links();
    ASSERT_EQ(plan.links_of_places(), expected.size());
    for (std::size_t link = 0; link < expected.size(); ++link) {
        EXPECT_EQ(plan.rank_of_place(link), expected[link][0]);
        EXPECT_EQ(plan.place(link), static_cast<std::uint64_t>(expected[link][2]));
    }
    EXPECT_EQ(std::ranges::count(plan.owners(), rank()), 0);
}

TEST(item_plan, moves_values_of_any_size_both_ways) {
    expect_moves_of<value<1>>();
    expect_moves_of<value<2>>();
    expect_moves_of<value<3>>();
    expect_moves_of<value<4>>();
    expect_moves_of<value<8>>();
    expect_moves_of<value<12>>();
    expect_moves_of<value<16>>();
    expect_moves_of<value<24>>();
    expect_moves_of<value<1000>>();
}

TEST(item_plan, values_of_links_go_back_to_where_they_came_from) {
    link_list const mine(rank());
    item_plan plan = mine.plan();
    std::vector<int> items(mine.items.size());
    std::iota(items.begin(), items.end(), rank() * 10);
    for (bool const renumbered : {false, true}) {
        if (renumbered) plan.number_by_link();
        for (frame_transfer const how : weft_test::all_transfers) {
            std::vector<int> links(plan.links_of_places(), -1);
            plan.run(move_of(items, links, true, how));
            std::vector<int> back(items.size());
            auto what = move_of(links, back, false, how);
            what.from_links = !renumbered;
            plan.run(what);
            EXPECT_EQ(back, items);
        }
    }
}

TEST(item_plan, from_nowhere_comes_the_fill_value) {
    link_list const mine(rank());
    item_plan plan = mine.plan();
    std::vector<std::uint32_t> places;
    for (auto const& [from, item, place] : incoming_links())
        places.push_back(place == 1 ? item_plan::nowhere : static_cast<std::uint32_t>(place / 2));
    plan.renumber(places, 2);
    int const fill = -7;
    for (frame_transfer const how : weft_test::all_transfers) {
        std::vector<int> items(mine.items.size());
        std::vector<int> const at{rank() * 3, rank() * 3 + 2};
        auto what = move_of(at, items, false, how);
        what.fill = reinterpret_cast<std::byte const*>(&fill);
        plan.run(what);
        for (std::size_t i = 0; i < items.size(); ++i)
            EXPECT_EQ(
                items[i], mine.places[i] == 1 ? fill : mine.owners[i] * 3 + static_cast<int>(mine.places[i]));
    }
}

TEST(item_plan, several_moves_are_under_way_and_end_in_any_order) {
    link_list const mine(rank());
    item_plan const plan = mine.plan();
    constexpr int moves = 4;
    std::vector<std::vector<int>> places(moves);
    std::vector<std::vector<int>> items(moves);
    std::vector<item_plan::pending> open;
    for (int i = 0; i < moves; ++i) {
        auto const at = static_cast<std::size_t>(i);
        places[at] = {rank() * 100 + i, rank() * 100 + 10 + i, rank() * 100 + 20 + i};
        items[at].resize(mine.items.size());
        open.push_back(plan.start(move_of(places[at], items[at], false, frame_transfer::automatic)));
        places[at].assign(3, -1); // they were copied
    }
    for (int i = 0; i < moves; ++i) {
        auto const at = static_cast<std::size_t>(rank() % 2 == 0 ? i : moves - 1 - i);
        open[at].finish();
        for (std::size_t item = 0; item < mine.items.size(); ++item)
            EXPECT_EQ(items[at][item],
                mine.owners[item] * 100 + static_cast<int>(mine.places[item]) * 10 + static_cast<int>(at));
    }
}

TEST(item_plan, lists_travel_with_lengths_of_any_width) {
    link_list const mine(rank());
    item_plan const plan = mine.plan();
    for (std::int64_t const scale : {std::int64_t{1}, std::int64_t{200}, std::int64_t{70'000}}) {
        auto const list_of = [scale](int owner, int place) {
            return std::vector<std::int16_t>(static_cast<std::size_t>((owner + place) % 3 * scale),
                static_cast<std::int16_t>(owner * 3 + place));
        };
        std::vector<std::int64_t> offsets{0};
        std::vector<std::int16_t> values;
        for (int place = 0; place < 3; ++place) {
            auto const list = list_of(rank(), place);
            values.insert(values.end(), list.begin(), list.end());
            offsets.push_back(static_cast<std::int64_t>(values.size()));
        }
        item_plan::ragged_move what;
        what.offsets = offsets;
        what.values = std::as_bytes(std::span(values));
        what.value_bytes = sizeof(std::int16_t);
        auto const moved = plan.run(what);
        ASSERT_EQ(moved.offsets.size(), mine.items.size() + 1);
        auto const* const got = reinterpret_cast<std::int16_t const*>(moved.values.data());
        for (std::size_t i = 0; i < mine.items.size(); ++i)
            EXPECT_EQ(std::vector<std::int16_t>(got + moved.offsets[i], got + moved.offsets[i + 1]),
                list_of(mine.owners[i], static_cast<int>(mine.places[i])));
    }
}

TEST(item_plan, blocks_of_more_than_32_bits_keep_their_places) {
    std::int64_t const far = std::int64_t{1} << 40;
    weft::block_distribution const blocks(weft::uniform_distribution(far * size(), size()));
    int const next = (rank() + 1) % size();
    std::vector<weft::global_id> const ids{far * next + far - 1, far * rank() + 5};
    std::vector<int> owners(2);
    ASSERT_EQ(blocks.find_owners(ids, owners), 2U);
    item_plan const plan(world(), blocks, owners, ids);
    std::vector<std::uint64_t> places;
    for (std::size_t link = 0; link < plan.links_of_places(); ++link) places.push_back(plan.place(link));
    std::ranges::sort(places);
    EXPECT_EQ(places, (std::vector<std::uint64_t>{5, static_cast<std::uint64_t>(far) - 1}));
}

TEST(item_plan, what_is_wrong_on_one_rank_is_an_error_on_all_and_the_next_move_works) {
    link_list const mine(rank());
    item_plan const plan = mine.plan();
    std::vector<int> const places(3, rank());
    std::vector<int> items(mine.items.size());
    bool const last = rank() == size() - 1;
    for (frame_transfer const how : weft_test::all_transfers) {
        auto what = move_of(places, items, false, how);
        if (last) what.from = what.from.first(8);
        EXPECT_THROW(plan.run(what), weft::usage_error);
        what = move_of(places, items, false, how);
        std::vector<int> const no_items;
        std::vector<int> room(items.size() + 1);
        if (last) what.to = std::as_writable_bytes(std::span(room));
        EXPECT_THROW(plan.run(what), weft::usage_error);
        if (size() > 1) {
            what = move_of(places, items, false, how);
            if (last) what.type = weft::print_of<float>(4);
            EXPECT_THROW(plan.run(what), weft::usage_error);
        }
        plan.run(move_of(places, items, false, how));
        for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i], mine.owners[i]);
    }
}
