#include <weft/containers/counting_set.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/set.hpp>

#include "containers_rig.hpp"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace weft_test {
namespace {

/// The bytes of memory that this process has touched.
std::int64_t resident() {
    ::malloc_trim(0);
    std::int64_t all = 0;
    std::int64_t touched = 0;
    std::ifstream("/proc/self/statm") >> all >> touched;
    return touched * ::sysconf(_SC_PAGESIZE);
}

/// Fills a container of all ranks, and then one of the standard library with what this rank has of it.
template <class Container, class Standard, class Fill, class Copy>
void expect_little_memory(char const* name, Fill fill, Copy copy) {
    for (std::int64_t const items : {400'000, 800'000}) {
        SCOPED_TRACE(std::string(name) + ", " + std::to_string(items) + " items a rank");
        weft::mailbox mail(world(), {.buffer_bytes = 1 << 20});
        std::int64_t const before = resident();
        Container ours(mail);
        for (std::int64_t i = 0; i < items; ++i) fill(ours, items * rank() + i);
        mail.drain();
        std::int64_t const of_ours = resident() - before;
        std::int64_t const between = resident();
        std::optional<Standard> theirs(std::in_place);
        copy(ours, *theirs);
        std::int64_t const of_theirs = resident() - between;
        // 4 MiB: buffers of the mailbox, first touched here.
        EXPECT_LE(of_ours, of_theirs * 8 / 5 + (4 << 20)) << of_ours << " and " << of_theirs;
    }
}

TEST(limits, containers_take_at_most_1_6_times_the_memory_of_standard_ones) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers keep memory of their own";
#else
    using numbers = weft::map<std::uint64_t, std::uint64_t>;
    expect_little_memory<numbers, std::unordered_map<std::uint64_t, std::uint64_t>>(
        "map of numbers", [](numbers& m, std::int64_t i) { m.insert(i * 0x9E3779B97F4A7C15U, i); },
        [](numbers& m, auto& to) {
            m.for_each_local([&](std::uint64_t key, std::uint64_t value) { to.emplace(key, value); });
        });
    using texts = weft::map<std::string, std::uint64_t>;
    expect_little_memory<texts, std::unordered_map<std::string, std::uint64_t>>(
        "map of texts", [](texts& m, std::int64_t i) { m.insert("key " + std::to_string(i), i); },
        [](texts& m, auto& to) {
            m.for_each_local([&](std::string const& key, std::uint64_t value) { to.emplace(key, value); });
        });
    using set = weft::set<std::uint64_t>;
    expect_little_memory<set, std::unordered_set<std::uint64_t>>(
        "set of numbers", [](set& s, std::int64_t i) { s.insert(i * 0x9E3779B97F4A7C15U); },
        [](set& s, auto& to) { s.for_each_local([&](std::uint64_t item) { to.insert(item); }); });
    using counts = weft::counting_set<std::uint64_t>;
    expect_little_memory<counts, std::unordered_map<std::uint64_t, std::int64_t>>(
        "counting set", [](counts& s, std::int64_t i) { s.insert(i * 0x9E3779B97F4A7C15U); },
        [](counts& s, auto& to) {
            s.for_each_local([&](std::uint64_t item, std::int64_t count) { to.emplace(item, count); });
        });
#endif
}

// Needs 5 GB of memory; run with WEFT_TEST_LARGE=1.
TEST(limits, keys_of_a_gibibyte_are_keys) {
    if (std::getenv("WEFT_TEST_LARGE") == nullptr) GTEST_SKIP() << "WEFT_TEST_LARGE is not set";
    weft::mailbox mail(world());
    weft::map<std::string, std::int64_t> m(mail);
    std::int64_t const bytes = std::int64_t{1} << 30;
    if (rank() == 0) {
        std::string key(static_cast<std::size_t>(bytes), 'k');
        key.back() = 'z';
        m.insert(key, 5);
    }
    mail.drain();
    std::int64_t found = 0;
    m.for_each_local([&](std::string const& key, std::int64_t value) {
        if (std::ssize(key) == bytes && key.front() == 'k' && key.back() == 'z') found = value;
    });
    EXPECT_EQ(weft::sum(world(), found), 5);
}

} // namespace
} // namespace weft_test
