#include "core/block_cache.hpp"

#include <weft/core/buffer.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

using weft::block_cache;

namespace {

constexpr std::size_t least_block = std::size_t{32} << 10;
constexpr std::size_t most_bytes = std::size_t{32} << 20;

block_cache::block made(std::size_t bytes) {
    return {std::malloc(bytes), bytes};
}

} // namespace

TEST(block_cache, gives_back_the_smallest_that_fits) {
    block_cache cache(most_bytes);
    block_cache::block const small = made(100'000);
    block_cache::block const large = made(150'000);
    cache.give(large);
    cache.give(small);
    EXPECT_EQ(cache.take(200'000).start, nullptr);
    EXPECT_EQ(cache.take(40'000).start, nullptr) << "too much of it would be wasted";
    EXPECT_EQ(cache.take(90'000).start, small.start);
    EXPECT_EQ(cache.take(90'000).start, large.start);
    EXPECT_EQ(cache.take(90'000).start, nullptr);
    std::free(small.start);
    std::free(large.start);
}

TEST(block_cache, is_bounded) {
    block_cache cache(most_bytes);
    for (int i = 0; i < 100; ++i) cache.give(made(most_bytes / 4));
    std::size_t kept = 0;
    for (block_cache::block each; (each = cache.take(most_bytes / 4)).start != nullptr; std::free(each.start))
        ++kept;
    EXPECT_EQ(kept, 4u);
    cache.give(made(most_bytes));
    EXPECT_EQ(cache.take(most_bytes).start, nullptr) << "very large blocks go to the system";
}

TEST(block_cache, takes_any_sequence) {
    std::mt19937_64 random(7); // the order of events is all that matters
    block_cache cache(most_bytes);
    std::vector<block_cache::block> held;
    for (int i = 0; i < 20'000; ++i) {
        if (held.empty() || random() % 2 == 0) {
            std::size_t const bytes = least_block << random() % 10;
            block_cache::block found = cache.take(bytes);
            if (found.start == nullptr) found = made(bytes);
            ASSERT_GE(found.bytes, bytes);
            ASSERT_LE(found.bytes, 2 * bytes + 1);
            held.push_back(found);
        } else {
            std::swap(held[random() % held.size()], held.back());
            cache.give(held.back());
            held.pop_back();
        }
    }
    for (auto const& each : held) std::free(each.start);
}

TEST(block_cache, buffers_of_a_kilobyte_get_the_memory_of_the_last_ones) {
#ifndef WEFT_FULL_CHECKS
    std::byte const* before = nullptr;
    {
        weft::buffer const used(1024);
        before = used.data();
    }
    std::vector<std::byte*> taken; // by others meanwhile: not what was kept
    for (int i = 0; i < 100; ++i) taken.push_back(static_cast<std::byte*>(std::malloc(1024 + 80)));
    weft::buffer const again(1024);
    EXPECT_EQ(again.data(), before);
    for (std::byte* const each : taken) std::free(each);
#endif
}

TEST(block_cache, buffers_that_grow_keep_their_bytes) {
    for (int round = 0; round < 20; ++round) {
        weft::buffer grown;
        for (int i = 0; i < 30'000; ++i) grown.append(&i, sizeof i);
        for (int i = 0; i < 30'000; ++i) {
            int here = 0;
            std::memcpy(&here, grown.data() + 4 * i, sizeof here);
            ASSERT_EQ(here, i);
        }
    }
}

TEST(block_cache, buffers_may_outlive_that_of_their_thread) {
    std::thread([] {
        static thread_local weft::buffer late; // made before the blocks, destroyed after them
        late.resize(1);
        { weft::buffer const kept(1 << 20); }
        late.resize(1 << 20);
    }).join();
}
