/// How much memory frames take at their peak, that of the system's libraries included.
#include "frame_rig.hpp"

#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>

#include <weft/protocol/collectives.hpp>

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

using weft::block_distribution;
using weft::block_to_part;
using weft::frame_transfer;
using weft::global_id;
using weft::part_to_block;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true; // what is freed is kept
#else
constexpr bool sanitized = false;
#endif

/// Bytes that /proc/self/status tells.
std::int64_t status_bytes(std::string const& field) {
    std::ifstream status("/proc/self/status");
    for (std::string name; status >> name; status.ignore(4096, '\n'))
        if (std::int64_t kib = 0; name == field + ":" && status >> kib) return 1024 * kib;
    return 0;
}

/// The most memory that this process has had since construction, beyond what it had then.
class peak_memory {
public:
    peak_memory() {
        malloc_trim(0);
        std::ofstream("/proc/self/clear_refs") << 5; // the peak begins here
        before_ = status_bytes("VmRSS");
    }
    [[nodiscard]] std::int64_t bytes() const { return status_bytes("VmHWM") - before_; }

private:
    std::int64_t before_ = 0;
};

/// So many ids from all over, a few of them more than once.
std::vector<global_id> scattered_ids(std::int64_t items) {
    std::vector<global_id> ids(static_cast<std::size_t>(items));
    std::mt19937_64 random(static_cast<std::uint64_t>(rank()) + 1);
    for (global_id& id : ids)
        id = static_cast<global_id>(random() % static_cast<std::uint64_t>(items * size()));
    return ids;
}

constexpr std::int64_t items = 1'000'000;

/// Buffers of MPI, of which each neighbour has some.
std::int64_t slack() {
    return (8 + size()) * (std::int64_t{1} << 20);
}

} // namespace

TEST(frame_memory, three_times_the_payload_and_24_bytes_an_item) {
    if (sanitized || status_bytes("VmHWM") == 0) GTEST_SKIP() << "nobody tells the peak";
    auto const blocks = block_distribution::uniform(world(), items * size());
    auto const ids = scattered_ids(items);
    std::vector<std::int64_t> const block(static_cast<std::size_t>(items), rank());
    std::vector<std::int64_t> const parts(ids.size(), rank());
    constexpr std::int64_t payload = 8 * items;
    for (frame_transfer const how : weft_test::all_transfers) {
        SCOPED_TRACE(weft::name_of(how));
        peak_memory const there;
        {
            block_to_part const plan(world(), blocks, ids, {.transfer = how});
            (void)plan.exchange(block);
            EXPECT_LE(there.bytes(), 3 * payload + 24 * items + slack());
        }
        peak_memory const back;
        part_to_block const plan(world(), blocks, ids, {.transfer = how});
        (void)plan.lowest(parts);
        EXPECT_LE(back.bytes(), 3 * payload + 24 * items + slack());
    }
}

// Needs 14 GB of memory; run with WEFT_TEST_LARGE=1.
TEST(frame_memory, three_gibibytes_arrive_whole) {
    char const* const wanted = std::getenv("WEFT_TEST_LARGE");
    if (wanted == nullptr || std::string(wanted) != "1" || size() != 2)
        GTEST_SKIP() << "set WEFT_TEST_LARGE=1 and run on 2 ranks";
    constexpr std::size_t stride = 512; // of 8 bytes
    constexpr std::int64_t many = (std::int64_t{3} << 30) / (8 * stride) + 1;
    // All that rank 1 has goes to rank 0, in reverse order.
    std::vector<global_id> const bounds{0, 0, many};
    block_distribution const blocks(bounds);
    std::vector<global_id> ids(rank() == 0 ? static_cast<std::size_t>(many) : 0);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = many - 1 - static_cast<global_id>(i);
    for (frame_transfer const how : weft_test::all_transfers) {
        SCOPED_TRACE(weft::name_of(how));
        std::vector<std::int64_t> block(rank() == 1 ? static_cast<std::size_t>(many) * stride : 0);
        std::iota(block.begin(), block.end(), std::int64_t{0});
        peak_memory const used;
        block_to_part const plan(world(), blocks, ids, {.transfer = how});
        auto const found = plan.exchange(block, stride);
        std::int64_t wrong = 0;
        for (std::size_t i = 0; i < found.size(); ++i)
            wrong += found[i] != ids[i / stride] * static_cast<std::int64_t>(stride) +
                                     static_cast<std::int64_t>(i % stride);
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(found.size(), ids.size() * stride);
        EXPECT_LE(used.bytes(), 3 * (std::int64_t{3} << 30) + 24 * many + slack());
        std::printf("rank %d, %s: %lld MiB at most\n", rank(), weft::name_of(how),
            static_cast<long long>(used.bytes() >> 20));
    }
}
