/// Runs in their order, and their bytes.
#include <weft/blocks/run_list.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using weft::blob;
using weft::block_id;
using weft::block_run;
using weft::item_kind;
using weft::run_list;

namespace {

using plain_run = std::tuple<std::int64_t, item_kind, std::string>;

std::span<std::byte const> bytes_of_text(std::string const& text) {
    return std::as_bytes(std::span(text));
}
std::vector<plain_run> plain_runs(run_list const& list) {
    std::vector<plain_run> result;
    for (block_run const& run : list.runs()) {
        auto const bytes = list.bytes_of(run);
        EXPECT_EQ(bytes.size(), run.bytes);
        result.emplace_back(index_of(run.peer), run.kind,
            std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size()));
    }
    return result;
}
blob blob_of_text(std::string text) {
    return blob::of(std::vector<char>(text.begin(), text.end()));
}
void extend_by(run_list& list, std::int64_t peer, item_kind kind, std::string const& text) {
    std::memcpy(list.extend(block_id{peer}, kind, text.size()), text.data(), text.size());
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
    extend_by(list, 1, 5, "ab");
    extend_by(list, 1, 5, "c");
    extend_by(list, 1, 7, "d"); // another kind
    extend_by(list, 2, 7, "e"); // another peer
    extend_by(list, 1, 5, "f"); // not the last
    list.add(block_id{1}, 5, blob_of_text("g"));
    extend_by(list, 1, 5, "h");                   // a blob does not grow
    list.add(block_id{1}, 5, bytes_of_text("i")); // nor is this asked for
    EXPECT_EQ(plain_runs(list), (std::vector<plain_run>{{1, 5, "abc"}, {1, 7, "d"}, {2, 7, "e"}, {1, 5, "f"},
                                    {1, 5, "g"}, {1, 5, "h"}, {1, 5, "i"}}));
    EXPECT_EQ(list.bytes(), 9U);
    for (block_run const& run : list.runs()) { EXPECT_EQ(run.at % run_list::alignment, 0U); }
}

TEST(run_list, bytes_of_an_unknown_number_belong_to_the_run_that_was_opened) {
    run_list list;
    list.open_run(block_id{1}, 3).append("abc", 3);
    list.grown();
    list.open_run(block_id{1}, 3).append("de", 2);
    list.grown();
    (void)list.open_run(block_id{2}, 3);
    list.grown(); // nothing
    EXPECT_EQ(plain_runs(list), (std::vector<plain_run>{{1, 3, "abcde"}, {2, 3, ""}}));
}

TEST(run_list, a_run_that_was_opened_in_vain_is_empty_or_as_it_was) {
    run_list list;
    list.open_run(block_id{1}, 3).append("ab", 2);
    list.grown();
    (void)list.open_run(block_id{1}, 3); // and something is thrown
    list.open_run(block_id{1}, 3).append("c", 1);
    list.grown();
    (void)list.open_run(block_id{2}, 3);
    (void)list.open_run(block_id{1}, 3);
    extend_by(list, 2, 3, "d");
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
    for (int round = 0; round < 100; ++round) {
        std::vector<plain_run> expected = random_runs(random);
        run_list list;
        for (plain_run const& each : expected) add_either(list, each, random);
        list.order_by_peer();
        std::ranges::stable_sort(expected, {}, [](plain_run const& each) { return std::get<0>(each); });
        ASSERT_EQ(plain_runs(list), expected);
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
                    list.runs()[i].kind = 0;
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
        extend_by(lists[1], 1, 5, "x"); // can be used again
        extend_by(lists[0], 9, 9, "y");
        ASSERT_EQ(plain_runs(lists[1]), (std::vector<plain_run>{{1, 5, "x"}}));
        expected.emplace_back(9, 9, "y");
        ASSERT_EQ(plain_runs(lists[0]), expected);
    }
}

TEST(run_list, a_blob_that_moves_keeps_its_address_and_what_is_taken_stays) {
    run_list from;
    from.add(block_id{1}, 5, blob_of_text("blob"));
    from.add(block_id{1}, 5, bytes_of_text("taken"));
    void const* const where = from.bytes_of(from.runs()[0]).data();
    from.runs()[1].kind = 0;
    run_list to;
    extend_by(to, 2, 5, "first");
    to.move_in_all(from);
    EXPECT_EQ(plain_runs(to), (std::vector<plain_run>{{2, 5, "first"}, {1, 5, "blob"}}));
    EXPECT_EQ(to.bytes_of(to.runs()[1]).data(), where);
}
