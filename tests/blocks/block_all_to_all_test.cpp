/// Values from all blocks to all blocks against what a loop says.
#include <weft/blocks/block_all_to_all.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <string>
#include <vector>

using weft::block_id;
using weft::block_set;
using weft::index_of;
using weft_test::cut_into;
using weft_test::setting;
using weft_test::world;

namespace {

block_set<int> numbered(setting const& with) {
    return block_set<int>(world(), cut_into::chain(with.blocks), with.where(),
        [](block_id id) { return static_cast<int>(index_of(id)); }, {.threads = with.threads});
}

std::string letter(std::int64_t from, std::int64_t to) {
    return std::to_string(from) + ">" + std::to_string(to) +
           std::string(static_cast<std::size_t>(to % 5), '.');
}

/// In brackets, as a group of a merge combines.
std::string paired(std::vector<std::string> parts) {
    while (parts.size() > 1) {
        std::vector<std::string> next;
        for (std::size_t p = 0; p < parts.size(); p += 2) {
            next.push_back(parts[p]);
            if (p + 1 < parts.size()) next.back() = "(" + parts[p] + parts[p + 1] + ")";
        }
        parts = std::move(next);
    }
    return parts.front();
}

template <class Body>
void for_numbers_of_blocks(Body&& body) {
    int dealing = 0;
    for (std::int64_t const blocks : {1, 2, 3, 7, 10, 44, 56, 64}) {
        setting const with{blocks, 1 + dealing % 2, dealing % 3};
        ++dealing;
        SCOPED_TRACE(with.name());
        body(with);
    }
}

} // namespace

TEST(block_all_to_all, every_block_has_a_value_of_every_block) {
    for_numbers_of_blocks([](setting const& with) {
        auto blocks = numbered(with);
        weft::all_to_all<std::string>(
            blocks, [](int, block_id from, block_id to) { return letter(index_of(from), index_of(to)); },
            [&](int, block_id to, std::vector<std::string> const& all) {
                ASSERT_EQ(all.size(), static_cast<std::size_t>(with.blocks));
                for (std::int64_t from = 0; from < with.blocks; ++from)
                    EXPECT_EQ(all[static_cast<std::size_t>(from)], letter(from, index_of(to)));
            });
        weft::all_to_all<std::int64_t>(
            blocks, [](int mine, block_id, block_id to) { return 1000 * mine + index_of(to); },
            [&](int, block_id to, std::vector<std::int64_t> const& all) {
                for (std::int64_t from = 0; from < with.blocks; ++from)
                    EXPECT_EQ(all.at(static_cast<std::size_t>(from)), 1000 * from + index_of(to));
            });
    });
}

TEST(block_all_to_all, reduce_scatter_combines_in_the_order_of_blocks) {
    for_numbers_of_blocks([](setting const& with) {
        auto blocks = numbered(with);
        weft::reduce_scatter<std::string>(
            blocks, [](int, block_id from, block_id to) { return letter(index_of(from), index_of(to)); },
            [](std::string const& a, std::string const& b) { return "(" + a + b + ")"; },
            [&](int, block_id to, std::string const& combined) {
                std::vector<std::string> parts;
                for (std::int64_t from = 0; from < with.blocks; ++from)
                    parts.push_back(letter(from, index_of(to)));
                EXPECT_EQ(combined, paired(parts));
            });
    });
}

TEST(block_all_to_all, what_a_callback_throws_is_thrown_on_all_ranks) {
    auto blocks = numbered({10, 1, 1});
    auto const zero = [](int, block_id, block_id) { return 0; };
    EXPECT_ANY_THROW(weft::all_to_all<int>(
        blocks,
        [](int, block_id from, block_id) {
            if (from == block_id{3}) throw weft::usage_error("nothing to give");
            return 0;
        },
        [](int, block_id, std::vector<int> const&) {}));
    EXPECT_ANY_THROW(weft::reduce_scatter<int>(
        blocks, zero, [](int, int) -> int { throw weft::usage_error("no operator"); },
        [](int, block_id, int) {}));
    weft::reduce_scatter<int>(
        blocks, zero, [](int a, int b) { return a + b + 1; },
        [](int, block_id, int sum) { EXPECT_EQ(sum, 9); });
}
