/// The common part of tests of blocks: links, and the settings for runs. Private.
#pragma once

#include <harness/mpi_test.hpp>

#include <weft/blocks/assignment.hpp>
#include <weft/core/ids.hpp>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace weft_test {

/// A decomposition into blocks with given links, and without data.
struct cut_into {
    std::int64_t count;
    std::function<std::vector<weft::block_id>(weft::block_id)> neighbors;

    [[nodiscard]] std::int64_t blocks() const { return count; }
    [[nodiscard]] std::vector<weft::block_id> link_of(weft::block_id block) const { return neighbors(block); }

    static cut_into chain(std::int64_t count) {
        return {count, [count](weft::block_id block) {
                    std::vector<weft::block_id> result;
                    for (std::int64_t const id : {index_of(block) - 1, index_of(block) + 1})
                        if (id >= 0 && id < count) result.push_back(weft::block_id{id});
                    return result;
                }};
    }
    static cut_into ring(std::int64_t count) {
        return {count, [count](weft::block_id block) {
                    std::int64_t const id = index_of(block);
                    return std::vector{
                        weft::block_id{(id + count - 1) % count}, weft::block_id{(id + 1) % count}};
                }};
    }
    /// Links random pairs, the same on all ranks.
    static cut_into random_graph(std::int64_t count, std::int64_t pairs, std::uint64_t seed) {
        std::vector<std::vector<weft::block_id>> lists(static_cast<std::size_t>(count));
        std::mt19937_64 random(seed);
        for (; pairs > 0; --pairs) {
            auto const a = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
            auto const b = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
            lists[static_cast<std::size_t>(a)].push_back(weft::block_id{b});
            lists[static_cast<std::size_t>(b)].push_back(weft::block_id{a});
        }
        return {count,
            [lists](weft::block_id block) { return lists[static_cast<std::size_t>(index_of(block))]; }};
    }
};

struct setting {
    std::int64_t blocks;
    int threads;
    int dealing;

    /// Returns a contiguous or round-robin assignment, or one with all blocks on the last rank.
    [[nodiscard]] weft::assignment where() const {
        int const ranks = world().size();
        if (dealing == 0) return weft::assignment::contiguous(blocks, ranks);
        if (dealing == 1) return weft::assignment::round_robin(blocks, ranks);
        return weft::assignment::by_table(
            std::vector<int>(static_cast<std::size_t>(blocks), ranks - 1), ranks);
    }
    [[nodiscard]] std::string name() const {
        return std::to_string(blocks) + " blocks, " + std::to_string(threads) + " threads, dealing " +
               std::to_string(dealing);
    }
};

/// Calls `body(setting)` for numbers of blocks, threads and assignments.
template <class Body>
void for_settings(Body&& body) {
    int dealing = 0;
    for (std::int64_t const blocks : {1, 2, 4, 8, 9, 12, 24, 36})
        for (int const threads : {1, 2, 4}) {
            setting const with{blocks, threads, dealing++ % 3};
            SCOPED_TRACE(with.name());
            body(with);
        }
}

/// Returns true if tests of messages beyond 2 GiB are requested.
inline bool large_tests() {
    char const* const wanted = std::getenv("WEFT_TEST_LARGE");
    return wanted != nullptr && *wanted == '1';
}

} // namespace weft_test
