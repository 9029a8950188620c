#include <weft/detail/collective/merge_ranks.hpp>

#include "merges.hpp"

#include <harness/mpi_test.hpp>

#include <algorithm>

using weft::detail::merge_ranks;
using weft::detail::merged_to;
using weft_test::merged_texts;
using weft_test::rank;
using weft_test::world;

TEST(merge_ranks, any_root_has_the_same_and_may_tell_all) {
    std::vector<std::string> letters;
    for (int each = 0; each < world().size(); ++each) letters.push_back(weft_test::text_of_participant(each));
    for (int root = 0; root < world().size(); ++root)
        for (int const k : {2, 4, 8})
            for (merged_to const to : {merged_to::root, merged_to::all}) {
                merged_texts values;
                values.add(weft_test::text_of_participant(rank()));
                std::size_t const value =
                    merge_ranks(world(), {.values = values, .k = k, .root = root, .to = to}, "test");
                if (rank() == root || to == merged_to::all) {
                    EXPECT_EQ(values.at(value), weft_test::paired(letters));
                }
            }
}

TEST(merge_ranks, a_rank_without_a_value_is_an_error_everywhere) {
    for (int failing = 0; failing < world().size(); ++failing) {
        merged_texts values;
        values.add("x");
        std::exception_ptr failure;
        if (rank() == failing) failure = std::make_exception_ptr(std::runtime_error("no value"));
        try {
            (void)merge_ranks(world(), {.values = values, .failure = failure}, "test");
            ADD_FAILURE() << "nothing was thrown";
        } catch (weft::remote_error const& thrown) {
            EXPECT_EQ(thrown.rank(), failing);
            EXPECT_NE(rank(), failing);
        } catch (std::runtime_error const& thrown) {
            EXPECT_EQ(rank(), failing);
            EXPECT_STREQ(thrown.what(), "no value");
        }
    }
    merged_texts values;
    values.add("x");
    EXPECT_THROW(
        (void)merge_ranks(world(), {.values = values, .root = world().size()}, "test"), weft::usage_error);
}

TEST(merge_ranks, scans_agree_on_errors_too) {
    merged_texts values;
    values.add(weft_test::text_of_participant(rank()));
    std::string const last = values.at(scan_ranks(world(), values, "test"));
    EXPECT_EQ(std::ranges::count_if(last, [](char c) { return c >= 'a'; }), rank() + 1);
    if (world().size() == 1) return;
    // Rank 1 alone fails: the texts of the others never have its brackets.
    merged_texts poisoned(rank() == 1 ? "b" : "nothing");
    poisoned.add(weft_test::text_of_participant(rank()));
    EXPECT_THROW((void)scan_ranks(world(), poisoned, "test"), weft::usage_error);
}
