#include <weft/extend/collective/array_call.hpp>

#include "array_calls.hpp"

#include <harness/mpi_test.hpp>

#include <vector>

using weft::element_range;
using weft_test::bracketed;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

TEST(array_call, parts_of_elements_cover_them_evenly) {
    for (std::size_t const length : {0u, 1u, 7u, 8u, 100u})
        for (std::size_t const parts : {1u, 2u, 3u, 8u}) {
            element_range const all{5, 5 + length};
            std::size_t at = all.first;
            for (std::size_t place = 0; place < parts; ++place) {
                element_range const part = all.part(place, parts);
                EXPECT_EQ(part.first, at);
                EXPECT_LE(part.size(), length / parts + 1);
                EXPECT_GE(part.size(), length / parts);
                at = part.end;
            }
            EXPECT_EQ(at, all.end);
        }
}

TEST(array_call, what_a_swap_keeps_is_disjoint_and_all) {
    for (std::int64_t const n : {1, 2, 10, 44, 189})
        for (std::size_t const elements : {0u, 5u, 1000u}) {
            auto const rounds = weft::swap_schedule(n, 8);
            std::vector<int> kept(elements);
            for (std::int64_t id = 0; id < n; ++id) {
                element_range const mine = kept_elements(rounds, id, elements);
                for (std::size_t i = mine.first; i < mine.end; ++i) ++kept[i];
            }
            EXPECT_EQ(kept, std::vector<int>(elements, 1));
        }
}

TEST(array_call, combines_and_spreads_over_mpi_also_in_many_segments) {
    for (std::size_t const elements : {0u, 1u, 100u, 20000u})
        for (bool const swap : {false, true}) {
            auto const rounds = swap ? weft::swap_schedule(size(), 4) : weft::merge_schedule(size(), 4);
            std::vector<bracketed> mine;
            for (std::size_t i = 0; i < elements; ++i) mine.push_back(bracketed::of(rank(), i));
            auto const who = weft::participants::ranks(rank());
            auto* const bytes = reinterpret_cast<std::byte*>(mine.data());
            weft::array_call const call{rounds, who, {&bytes, 1}, elements, sizeof(bracketed), 4096};
            weft_test::bracketing join;
            weft::gate open(world(), "test");
            reduce_arrays(open, call, join, false);
            spread_arrays(open, call);
            EXPECT_EQ(mine, weft_test::reduced_plainly(rounds, elements).front());
            // Errors of the operator are those of all ranks.
            weft_test::bracketing poisoned(rank() == 0 ? 0 : -1);
            if (size() > 1 && elements >= 100) {
                EXPECT_THROW(reduce_arrays(open, call, poisoned, true), std::runtime_error);
            }
        }
}
