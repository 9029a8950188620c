/// Blocks that are in a file while nobody uses them.
#include <weft/blocks/block_storage.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"
#include "stored_block.hpp"

#include <harness/mpi_test.hpp>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

using weft::block_id;
using weft::block_options;
using weft::block_port;
using weft::block_set;
using weft::index_of;
using weft_test::cut_into;
using weft_test::for_memories;
using weft_test::setting;
using weft_test::stored_block;

namespace {

/// A kilobyte of this process in memory, by a field of /proc/self/status; -1 where that is unknown.
std::int64_t memory_field(std::string const& field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind(field + ":", 0) == 0) return std::stoll(line.substr(field.size() + 1));
    return -1;
}

/// What a block set throws that is made with these options; empty if nothing.
template <class B>
std::string refusal(block_options const& options) {
    try {
        block_set<B> blocks(
            weft_test::world(), cut_into::ring(6), [](block_id) { return B{}; }, options);
    } catch (weft::usage_error const& thrown) {
        return std::string("usage: ") + thrown.what();
    } catch (weft::io_error const& thrown) { return std::string("io: ") + thrown.what(); }
    return {};
}

/// Takes no byte in a file.
struct empty_block {
    static void wire(auto&, auto&) {}
};

/// Without a wire format.
struct owning_block {
    std::unique_ptr<int> owned = {};
};

} // namespace

TEST(block_storage, results_do_not_depend_on_where_blocks_are) {
    for_memories([](setting const& with, block_options const& options) {
        for (bool const asynchronous : {false, true}) {
            block_set<stored_block> blocks(weft_test::world(), cut_into::ring(with.blocks), with.where(),
                weft_test::make_stored, options);
            weft_test::walk(blocks, with.blocks, asynchronous);
            weft_test::expect_walked(blocks, with.blocks);
            if (options.blocks_in_memory == 0) continue;
            EXPECT_LE(blocks.storage().most_in_memory, options.blocks_in_memory);
            bool const loads = static_cast<std::int64_t>(blocks.size()) > options.blocks_in_memory;
            EXPECT_EQ(blocks.storage().loaded > 0, loads);
        }
    });
}

TEST(block_storage, one_of_64_blocks_in_memory_takes_the_memory_of_a_few) {
    if (memory_field("VmRSS") < 0) GTEST_SKIP() << "/proc/self/status says nothing of memory";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers keep what was freed";
#endif
    constexpr std::int64_t block_kib = 4096;
    std::int64_t const before = memory_field("VmRSS");
    std::int64_t most = 0;
    auto const make = [](block_id id) {
        return stored_block{
            index_of(id), std::vector<double>(block_kib * 1024 / 8, static_cast<double>(index_of(id)))};
    };
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(64), make,
        {.blocks_in_memory = 1, .directory = weft_test::scratch_folder()});
    for (int round = 0; round < 2; ++round)
        blocks.exchange<double>([&](stored_block& self, block_port<double>& port) {
            for (double const each : port.received()) self.data.front() += each;
            for (block_id const to : port.link()) port.send(to, self.data.back());
            most = std::max(most, memory_field("VmRSS") - before);
        });
    EXPECT_LT(most, 4 * block_kib) << "KiB";
    blocks.for_each([&](stored_block const& self, block_id id) {
        std::int64_t const b = index_of(id);
        EXPECT_EQ(self.data.front(), static_cast<double>(b + (b + 1) % 64 + (b + 63) % 64));
        EXPECT_EQ(self.data.back(), static_cast<double>(b));
    });
    EXPECT_GE(blocks.storage().file_bytes, (static_cast<std::int64_t>(blocks.size()) - 1) * block_kib * 1024);
}

TEST(block_storage, blocks_may_grow_and_shrink_and_the_file_stays_small) {
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(24), weft_test::make_stored,
        {.blocks_in_memory = 1, .directory = weft_test::scratch_folder()});
    std::int64_t longest = 0;
    for (std::int64_t round = 0; round < 40; ++round) {
        auto const wanted = [&](std::int64_t id) {
            return static_cast<std::size_t>((id * 7919 + round * 104729) % 20000);
        };
        blocks.for_each([&](stored_block& self, block_id id) {
            EXPECT_EQ(self.data.size(), round > 0 ? static_cast<std::size_t>(self.id) : self.data.size());
            self.data.assign(wanted(index_of(id)), static_cast<double>(round));
            self.id = static_cast<std::int64_t>(self.data.size());
        });
        longest = std::max(longest, blocks.storage().file_bytes);
    }
    // An extent is kept while its block fits, so each is at most as large as its block ever was.
    EXPECT_LE(longest, 2 * static_cast<std::int64_t>(blocks.size()) * (20000 * 8 + 8192));
}

TEST(block_storage, a_loop_over_blocks_that_come_and_go_is_refused) {
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(4), weft_test::make_stored,
        {.blocks_in_memory = 1, .directory = weft_test::scratch_folder()});
    EXPECT_THROW((void)blocks.local(), weft::usage_error);
    EXPECT_THROW((void)std::as_const(blocks).local(), weft::usage_error);
}

TEST(block_storage, empty_images_are_images) {
    block_set<empty_block> blocks(weft_test::world(), cut_into::ring(9),
        [](block_id) { return empty_block{}; },
        {.blocks_in_memory = 1, .directory = weft_test::scratch_folder()});
    int calls = 0;
    for (int round = 0; round < 2; ++round) blocks.for_each([&](empty_block&, block_id) { ++calls; });
    EXPECT_EQ(calls, 2 * static_cast<int>(blocks.size()));
}

TEST(block_storage, callbacks_that_throw_leave_the_other_blocks_whole) {
    for (int const threads : {1, 2}) {
        block_set<stored_block> blocks(weft_test::world(), cut_into::ring(12), weft_test::make_stored,
            {.threads = threads, .blocks_in_memory = threads, .directory = weft_test::scratch_folder()});
        for (bool const asynchronous : {false, true}) {
            auto const fails = [](stored_block& self, block_port<double>& port) {
                for (block_id const to : port.link()) port.send(to, 1);
                if (self.id == 7) throw weft::usage_error("block 7 does not want to");
            };
            auto const run = [&] {
                if (asynchronous)
                    blocks.iexchange<double>(fails);
                else
                    blocks.exchange<double>(fails);
            };
            EXPECT_THROW(run(), weft::usage_error);
        }
        blocks.for_each([](stored_block const& self, block_id id) {
            EXPECT_EQ(self.id, index_of(id));
            EXPECT_EQ(self.data, weft_test::make_stored(id).data);
        });
    }
}

TEST(block_storage, what_cannot_be_is_refused_on_all_ranks) {
    EXPECT_NE(refusal<stored_block>({.threads = 2, .blocks_in_memory = 1}).find("usage"), std::string::npos);
    EXPECT_NE(refusal<stored_block>({.blocks_in_memory = -1}).find("usage"), std::string::npos);
    EXPECT_NE(refusal<stored_block>({.threads = 0}).find("usage"), std::string::npos);
    EXPECT_NE(refusal<owning_block>({.blocks_in_memory = 1}).find("has no wire format"), std::string::npos);
    EXPECT_EQ(refusal<owning_block>({}), "");
    std::string const missing = refusal<stored_block>({.blocks_in_memory = 1, .directory = "/no/such/place"});
    EXPECT_EQ(missing.rfind("io: /no/such/place: ", 0), 0U) << missing;
    EXPECT_NE(missing.find("No such file or directory"), std::string::npos) << missing;
    EXPECT_NE(
        refusal<stored_block>({.blocks_in_memory = 1, .directory = "/dev/full"}).find("Not a directory"),
        std::string::npos);
    if (::geteuid() == 0) return; // who may write everywhere
    std::filesystem::path const closed =
        std::filesystem::path(weft_test::scratch_folder()) / ("closed" + std::to_string(::getpid()));
    std::filesystem::create_directory(closed);
    std::filesystem::permissions(closed, std::filesystem::perms::owner_read);
    EXPECT_NE(refusal<stored_block>({.blocks_in_memory = 1, .directory = closed}).find("Permission denied"),
        std::string::npos);
    std::filesystem::remove(closed);
}

TEST(block_storage, a_rank_that_cannot_write_is_an_error_on_all_and_no_block_is_lost) {
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(12), weft_test::make_stored,
        {.blocks_in_memory = 1, .directory = weft_test::scratch_folder()});
    rlimit whole{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &whole), 0);
    // The rank with block 5 may write no byte more: what a full disk is like.
    bool const is_full = blocks.where().rank_of(block_id{5}) == weft_test::world().rank();
    auto const handler = std::signal(SIGXFSZ, SIG_IGN);
    std::string said;
    try {
        blocks.for_each([&](stored_block& self, block_id id) {
            if (!is_full) return;
            rlimit none = whole;
            none.rlim_cur = 0;
            if (id == block_id{5}) (void)::setrlimit(RLIMIT_FSIZE, &none);
            self.data.push_back(0);
        });
    } catch (weft::io_error const& thrown) { said = thrown.what(); }
    (void)::setrlimit(RLIMIT_FSIZE, &whole);
    (void)std::signal(SIGXFSZ, handler);
    // The last block of a rank need not leave.
    weft::assignment const& where = blocks.where();
    if (where.local_place(block_id{5}) + 1 < where.blocks_of(where.rank_of(block_id{5}))) {
        EXPECT_NE(said.find("cannot write: File too large"), std::string::npos) << said;
    }
    blocks.for_each([](stored_block const& self, block_id id) { EXPECT_EQ(self.id, index_of(id)); });
}
