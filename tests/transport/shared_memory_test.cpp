/// Memory that ranks of a node share, over MPI: zero, seen by all of a node, by nobody else, and gone without
/// a trace.
#include <weft/extend/transport/shared_memory.hpp>

#include "lane.hpp"

#include <weft/core/topology.hpp>

#include <transport/share_memory.hpp>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

using weft::shared_memory;
using weft_test::lane;
using weft_test::rank;
using weft_test::size;

namespace {

constexpr std::size_t part_bytes = 10000; // no multiple of a page

/// A communicator whose ranks pretend to be placed like this.
lane placed(char const* nodes) {
    weft::settings chosen = weft_test::world().settings();
    chosen.ranks_per_node = nodes;
    return lane(chosen);
}

std::atomic_ref<std::uint64_t> word(shared_memory const& memory, int core, std::size_t place) {
    std::byte* const part = memory.parts()[static_cast<std::size_t>(core)];
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(part)[place]);
}

void barrier(lane const& net) {
    MPI_Barrier(weft::native_handle(net.comm));
}

/// The names of this process in /dev/shm. Those of others may come and go.
std::vector<std::string> names_left() {
    std::vector<std::string> found;
    std::string const mine = "weft-" + std::to_string(getpid()) + "-";
    std::error_code failed;
    for (auto const& each : std::filesystem::directory_iterator("/dev/shm", failed))
        if (each.path().filename().string().starts_with(mine)) found.push_back(each.path().filename());
    return found;
}

bool allocated_under_a_name = false;
int allocated = 0;

/// Every rank writes to every part of its node, and all read what all have written.
void expect_shared_by_node(lane const& net, shared_memory const& memory, std::uint64_t salt) {
    weft::topology const& nodes = net.comm.topology();
    int const cores = static_cast<int>(nodes.ranks_of(nodes.node()).size());
    ASSERT_EQ(memory.parts().size(), static_cast<std::size_t>(cores));
    auto const mine = static_cast<std::size_t>(nodes.core());
    for (int core = 0; core < cores; ++core)
        word(memory, core, mine).store(salt + static_cast<unsigned>(rank()));
    barrier(net);
    for (int core = 0; core < cores; ++core)
        for (int writer = 0; writer < cores; ++writer) {
            int const by = nodes.ranks_of(nodes.node())[static_cast<std::size_t>(writer)];
            EXPECT_EQ(word(memory, core, static_cast<std::size_t>(writer)).load(),
                salt + static_cast<unsigned>(by));
        }
    barrier(net);
}

constexpr char const* every_placement[] = {"", "1", "2", "3,2", "cyclic:2", "cyclic:1,3"};

} // namespace

/// In place of the one of the C library: sees what a job would leave behind that is killed here.
extern "C" int posix_fallocate(int file, off_t from, off_t bytes) {
    ++allocated;
    allocated_under_a_name = allocated_under_a_name || !names_left().empty();
    return fallocate(file, 0, from, bytes) == 0 ? 0 : errno;
}

TEST(shared_memory, has_no_name_any_more_when_it_gets_its_bytes) {
    for (char const* nodes : every_placement) {
        lane const net = placed(nodes);
        allocated = 0;
        allocated_under_a_name = false;
        shared_memory const memory = net.via.share(net.comm.topology(), part_bytes);
        if (net.comm.topology().core() == 0) { EXPECT_GT(allocated, 0); }
        EXPECT_FALSE(allocated_under_a_name);
    }
}

TEST(shared_memory, is_zero_when_new_in_all_of_its_parts) {
    for (char const* nodes : every_placement)
        for (int round = 0; round < 3; ++round) { // memory that was used before, too
            lane const net = placed(nodes);
            shared_memory const memory = net.via.share(net.comm.topology(), part_bytes);
            ASSERT_TRUE(memory) << memory.why_not();
            EXPECT_EQ(memory.why_not(), "");
            for (std::byte* const part : memory.parts())
                for (std::size_t i = 0; i < part_bytes; ++i) ASSERT_EQ(part[i], std::byte{0});
            barrier(net);
            auto const mine = static_cast<std::size_t>(net.comm.topology().core());
            std::fill_n(memory.parts()[mine], part_bytes, std::byte{0xff});
        }
}

TEST(shared_memory, is_seen_by_the_ranks_of_a_node_and_by_no_others) {
    for (char const* nodes : every_placement) {
        SCOPED_TRACE(nodes);
        lane const net = placed(nodes);
        shared_memory const memory = net.via.share(net.comm.topology(), part_bytes);
        // Ranks of other nodes write other words to the same places of theirs.
        expect_shared_by_node(net, memory, 1000);
    }
}

TEST(shared_memory, parts_begin_at_pages_and_have_their_bytes) {
    lane const net = placed("");
    shared_memory const memory = net.via.share(net.comm.topology(), part_bytes);
    std::byte const* before = nullptr;
    for (std::byte const* const part : memory.parts()) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part) % 4096, 0u);
        if (before != nullptr) { EXPECT_GE(part - before, static_cast<std::ptrdiff_t>(part_bytes)); }
        before = part;
    }
}

TEST(shared_memory, of_several_calls_is_several) {
    lane const net = placed("3,2");
    shared_memory const one = net.via.share(net.comm.topology(), part_bytes);
    shared_memory const other = net.via.share(net.comm.topology(), 64);
    expect_shared_by_node(net, one, 1000);
    expect_shared_by_node(net, other, 2000);
    auto const mine = static_cast<std::size_t>(net.comm.topology().core());
    EXPECT_EQ(word(one, net.comm.topology().core(), mine).load(), 1000u + static_cast<unsigned>(rank()));
}

TEST(shared_memory, outlives_the_communicator_and_goes_locally) {
    std::optional<shared_memory> memory;
    {
        lane const net = placed("");
        memory.emplace(net.via.share(net.comm.topology(), part_bytes));
    }
    lane const net = placed("");
    if (rank() % 2 == 1) memory.reset(); // the others go on, and wait for nobody
    barrier(net);
    if (memory) {
        weft::topology const& nodes = net.comm.topology();
        for (std::size_t core = 0; core < memory->parts().size(); ++core)
            word(*memory, static_cast<int>(core), static_cast<std::size_t>(nodes.core())).store(7);
    }
}

TEST(shared_memory, leaves_no_name_behind) {
    lane const net = placed("2");
    shared_memory const one = net.via.share(net.comm.topology(), part_bytes);
    shared_memory const other = net.via.share(net.comm.topology(), part_bytes);
    EXPECT_TRUE(one && other);
    EXPECT_EQ(names_left(), std::vector<std::string>{}) << "while the memory is there";
}

TEST(shared_memory, can_be_moved) {
    lane const net = placed("");
    shared_memory memory = net.via.share(net.comm.topology(), part_bytes);
    std::byte* const part = memory.parts()[0];
    shared_memory moved = std::move(memory);
    EXPECT_EQ(moved.parts()[0], part);
    shared_memory assigned;
    EXPECT_FALSE(assigned);
    assigned = std::move(moved);
    EXPECT_EQ(assigned.parts()[0], part);
    expect_shared_by_node(net, assigned, 5);
}

TEST(shared_memory, that_is_too_large_is_an_answer_and_no_crash) {
    lane const net = placed("");
    // More than any machine has: it is asked for before the first touch.
    shared_memory const none = net.via.share(net.comm.topology(), std::size_t{1} << 50);
    EXPECT_FALSE(none);
    EXPECT_NE(none.why_not(), "");
    EXPECT_EQ(names_left(), std::vector<std::string>{});
    shared_memory const some = net.via.share(net.comm.topology(), part_bytes);
    EXPECT_TRUE(some) << "the next one works";
}
