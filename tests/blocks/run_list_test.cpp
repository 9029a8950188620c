/// Runs in their order, and their bytes.
#include <weft/detail/blocks/run_list.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using weft::block_id;
using weft::detail::blob;
using weft::detail::block_run;
using weft::detail::item_kind;
using weft::detail::run_list;

namespace {

using plain_run = std::tuple<std::int64_t, item_kind, std::string>;

std::span<std::byte const> bytes_of_text(std::string const& text) {
    return std::as_bytes(std::span(text));
}
std::vector<plain_run> plain_runs(run_list const& list) {
    std::vector<plain_run> result;
    for (block_run const& run : list.runs()) {
        auto const bytes = run.items;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % run_list::alignment, 0U);
        result.emplace_back(index_of(run.peer), run.kind,
            std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size()));
    }
    return result;
}
blob blob_of_text(std::string text) {
    return blob::of(std::vector<char>(text.begin(), text.end()));
}
void begin_with(run_list& list, std::int64_t peer, item_kind kind, std::string const& text) {
    std::memcpy(list.begin(block_id{peer}, kind, text.size()), text.data(), text.size());
}
void extend_by(run_list& list, std::string const& text) {
    std::memcpy(list.extend(text.size()), text.data(), text.size());
}
void grow_by(run_list& list, std::int64_t peer, item_kind kind, std::string const& text) {
    list.grow_by(block_id{peer}, kind, [&](weft::buffer& end) { end.append(text.data(), text.size()); });
}

std::size_t position_of(run_list const& list, std::size_t number) {
    std::size_t position = 0;
    while (number-- > 0) position = list.at(position).next;
    return position;
}

/// Either a blob or bytes of the list, whichever the generator wants.
void add_either(run_list& list, plain_run const& run, std::mt19937_64& random) {
    auto const& [peer, kind, text] = run;
    if (random() % 2 == 0)
        list.add(block_id{peer}, kind, blob_of_text(text));
    else
        list.add(block_id{peer}, kind, bytes_of_text(text));
}

std::vector<plain_run> random_runs(std::mt19937_64& random) {
    std::vector<plain_run> made(random() % 20);
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i] = {static_cast<std::int64_t>(random() % 4), static_cast<item_kind>(1 + random() % 2),
            std::string(random() % 3 * 20, static_cast<char>('a' + i))};
    return made;
}

} // namespace

TEST(run_list, what_goes_on_is_one_run_and_all_else_a_new_one) {
    run_list list;
    begin_with(list, 1, 5, "ab");
    EXPECT_TRUE(list.can_extend(1));
    extend_by(list, "c");
    extend_by(list, std::string(30, 'd')); // beyond what is filled up
    begin_with(list, 1, 5, "e");           // as it was asked for
    list.add(block_id{1}, 5, blob_of_text("f"));
    list.add(block_id{1}, 5, bytes_of_text("g"));
    EXPECT_EQ(plain_runs(list), (std::vector<plain_run>{{1, 5, "abc" + std::string(30, 'd')}, {1, 5, "e"},
                                    {1, 5, "f"}, {1, 5, "g"}}));
    EXPECT_EQ(list.bytes(), 36U);
    EXPECT_EQ(list.size(), 4U);
}

TEST(run_list, a_run_does_not_grow_beyond_what_lies_in_a_list) {
    run_list list;
    std::size_t const most = run_list::most_bytes;
    (void)list.begin(block_id{1}, 5, most - 1);
    EXPECT_TRUE(list.can_extend(1));
    EXPECT_FALSE(list.can_extend(2));
    list.clear();
    list.add(block_id{1}, 5, bytes_of_text(std::string(most + 1, 'x'))); // a copy with an owner
    grow_by(list, 2, 5, std::string(most, 'y'));
    grow_by(list, 2, 5, "z"); // which makes it longer
    grow_by(list, 2, 5, "a"); // so that this is another
    grow_by(list, 2, 5, "b");
    EXPECT_EQ(plain_runs(list), (std::vector<plain_run>{{1, 5, std::string(most + 1, 'x')},
                                    {2, 5, std::string(most, 'y') + "z"}, {2, 5, "ab"}}));
    EXPECT_LT(list.end(), 200U);
}

TEST(run_list, bytes_of_an_unknown_number_go_on_with_a_run_like_them) {
    run_list list;
    grow_by(list, 1, 3, "abc");
    grow_by(list, 1, 3, "de");
    grow_by(list, 1, 4, "f"); // another kind
    grow_by(list, 2, 4, "");  // another peer
    grow_by(list, 1, 3, "g"); // not the last
    list.add(block_id{1}, 3, blob_of_text("h"));
    grow_by(list, 1, 3, "i"); // a blob does not grow
    EXPECT_EQ(plain_runs(list), (std::vector<plain_run>{{1, 3, "abcde"}, {1, 4, "f"}, {2, 4, ""}, {1, 3, "g"},
                                    {1, 3, "h"}, {1, 3, "i"}}));
}

TEST(run_list, a_run_that_was_to_grow_in_vain_is_empty_or_as_it_was) {
    run_list list;
    auto const in_vain = [&](std::int64_t peer) {
        EXPECT_THROW(list.grow_by(block_id{peer}, 3,
                         [](weft::buffer& end) {
                             end.append("a part of more than sixteen bytes", 33);
                             throw std::runtime_error("cannot be encoded");
                         }),
            std::runtime_error);
    };
    grow_by(list, 1, 3, "ab");
    in_vain(1);
    grow_by(list, 1, 3, "c");
    in_vain(2);
    in_vain(1);
    begin_with(list, 2, 3, "d");
    EXPECT_EQ(plain_runs(list), (std::vector<plain_run>{{1, 3, "abc"}, {2, 3, ""}, {1, 3, ""}, {2, 3, "d"}}));
}

TEST(run_list, empty_runs_are_runs) {
    run_list list;
    list.add(block_id{1}, 3, std::span<std::byte const>());
    list.add(block_id{1}, 3, blob());
    list.add(block_id{1}, 3, blob::of(std::vector<int>()));
    EXPECT_EQ(list.size(), 3U);
    EXPECT_EQ(list.bytes(), 0U);
    run_list other;
    other.add(block_id{2}, 3, std::span<std::byte const>());
    other.move_in_all(list);
    EXPECT_EQ(other.size(), 4U);
    EXPECT_TRUE(list.empty());
}

TEST(run_list, order_by_peer_keeps_the_order_of_each) {
    std::mt19937_64 random = weft_test::random();
    for (int round = 0; round < 300; ++round) {
        std::vector<plain_run> expected = random_runs(random);
        auto const by_peer = [](plain_run const& a, plain_run const& b) {
            return std::get<0>(a) < std::get<0>(b);
        };
        // As they came, or in order, or in order but for one turn.
        if (round % 3 > 0) std::ranges::stable_sort(expected, by_peer);
        if (round % 3 > 1 && !expected.empty())
            std::ranges::rotate(
                expected, expected.begin() + static_cast<std::ptrdiff_t>(random() % expected.size()));
        run_list list;
        for (plain_run const& each : expected) add_either(list, each, random);
        for (int again = 0; again < 2; ++again) { // what is added behind what was ordered
            list.order_by_peer();
            std::ranges::stable_sort(expected, by_peer);
            ASSERT_EQ(plain_runs(list), expected);
            begin_with(list, 2, 1, "more");
            expected.emplace_back(2, 1, "more");
            ASSERT_EQ(plain_runs(list), expected);
        }
    }
}

TEST(run_list, dropping_what_was_taken_leaves_the_rest_as_it_was) {
    std::mt19937_64 random = weft_test::random();
    for (int round = 0; round < 300; ++round) {
        run_list list;
        std::vector<plain_run> expected;
        for (int again = 0; again < 3; ++again) {
            for (plain_run const& each : random_runs(random)) {
                add_either(list, each, random);
                expected.push_back(each);
            }
            std::size_t const chance = 1 + random() % 3; // 1: all are taken
            for (std::size_t i = expected.size(); i-- > 0;)
                if (random() % chance == 0) {
                    list.take(position_of(list, i));
                    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
                }
            list.drop_taken();
            ASSERT_EQ(plain_runs(list), expected);
            ASSERT_EQ(list.empty(), expected.empty());
        }
    }
}

TEST(run_list, moving_all_in_puts_them_behind_and_leaves_nothing) {
    std::mt19937_64 random = weft_test::random();
    for (int round = 0; round < 300; ++round) {
        run_list lists[2];
        std::vector<plain_run> expected;
        for (run_list& list : lists)
            for (plain_run const& each : random_runs(random)) {
                add_either(list, each, random);
                expected.push_back(each);
            }
        lists[0].move_in_all(lists[1]);
        ASSERT_EQ(plain_runs(lists[0]), expected);
        ASSERT_TRUE(lists[1].empty());
        begin_with(lists[1], 1, 5, "x"); // can be used again
        begin_with(lists[0], 9, 9, "y");
        ASSERT_EQ(plain_runs(lists[1]), (std::vector<plain_run>{{1, 5, "x"}}));
        expected.emplace_back(9, 9, "y");
        ASSERT_EQ(plain_runs(lists[0]), expected);
    }
}

TEST(run_list, a_blob_that_moves_keeps_its_address_and_what_is_taken_stays) {
    run_list from;
    from.add(block_id{1}, 5, blob_of_text("blob"));
    from.add(block_id{1}, 5, bytes_of_text("taken"));
    void const* const where = from.at(0).items.data();
    from.take(position_of(from, 1));
    run_list to;
    begin_with(to, 2, 5, "first");
    to.move_in_all(from);
    EXPECT_EQ(plain_runs(to), (std::vector<plain_run>{{2, 5, "first"}, {1, 5, "blob"}}));
    EXPECT_EQ(to.at(position_of(to, 1)).items.data(), where);
}
