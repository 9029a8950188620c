#include <weft/containers/array.hpp>
#include <weft/containers/bag.hpp>
#include <weft/containers/counting_set.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/containers/set.hpp>

#include "containers_rig.hpp"

#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

/// Compares the memory of a container of all ranks with that of a standard container of what this rank has of
/// it.
template <class Container, class Standard, class Fill, class Copy>
void expect_little_memory(char const* name, std::int64_t items, Fill fill, Copy copy) {
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
    if (std::getenv("WEFT_TEST_NUMBERS") != nullptr && rank() == 0)
        std::printf("%s: %.2f of the standard container, %.0f bytes an item\n", name,
            static_cast<double>(of_ours) / static_cast<double>(of_theirs),
            static_cast<double>(of_ours) / static_cast<double>(items));
}

std::uint64_t some_number(std::int64_t of) {
    return static_cast<std::uint64_t>(of) * 0x9E3779B97F4A7C15U;
}
/// Too long to lie in the object of a `std::string`.
std::string some_text(std::int64_t of) {
    return "the key of an item: " + std::to_string(of);
}
constexpr auto pairs_of = [](auto& from, auto& to) {
    from.for_each_local([&](auto const& key, auto const& value) { to.emplace(key, value); });
};
constexpr auto items_of = [](auto& from, auto& to) {
    from.for_each_local([&](auto const& item) { to.insert(item); });
};

class memory : public ::testing::Test {
protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        GTEST_SKIP() << "sanitizers keep memory of their own";
#endif
    }
};

TEST_F(memory, of_maps_is_at_most_1_6_times_that_of_standard_ones) {
    using numbers = weft::map<std::uint64_t, std::uint64_t>;
    for (std::int64_t const items : {400'000, 800'000}) // just before an index grows, and after it
        expect_little_memory<numbers, std::unordered_map<std::uint64_t, std::uint64_t>>(
            "map of numbers", items,
            [](numbers& m, std::int64_t i) { m.insert(some_number(i), static_cast<std::uint64_t>(i)); },
            pairs_of);
    using texts = weft::map<std::string, std::uint64_t>;
    for (std::int64_t const items : {400'000, 800'000})
        expect_little_memory<texts, std::unordered_map<std::string, std::uint64_t>>(
            "map of short texts", items,
            [](texts& m, std::int64_t i) {
                m.insert("key " + std::to_string(i), static_cast<std::uint64_t>(i));
            },
            pairs_of);
    expect_little_memory<texts, std::unordered_map<std::string, std::uint64_t>>(
        "map of texts", 200'000,
        [](texts& m, std::int64_t i) { m.insert(some_text(i), static_cast<std::uint64_t>(i)); }, pairs_of);
}

TEST_F(memory, of_sets_is_at_most_1_6_times_that_of_standard_ones) {
    using numbers = weft::set<std::uint64_t>;
    expect_little_memory<numbers, std::unordered_set<std::uint64_t>>(
        "set of numbers", 400'000, [](numbers& s, std::int64_t i) { s.insert(some_number(i)); }, items_of);
    using texts = weft::set<std::string>;
    expect_little_memory<texts, std::unordered_set<std::string>>(
        "set of texts", 200'000, [](texts& s, std::int64_t i) { s.insert(some_text(i)); }, items_of);
}

TEST_F(memory, of_counts_is_at_most_1_6_times_that_of_standard_ones) {
    using numbers = weft::counting_set<std::uint64_t>;
    expect_little_memory<numbers, std::unordered_map<std::uint64_t, std::int64_t>>(
        "counting_set of numbers", 400'000, [](numbers& s, std::int64_t i) { s.insert(some_number(i)); },
        pairs_of);
    using texts = weft::counting_set<std::string>;
    expect_little_memory<texts, std::unordered_map<std::string, std::int64_t>>(
        "counting_set of texts", 200'000, [](texts& s, std::int64_t i) { s.insert(some_text(i)); }, pairs_of);
}

TEST_F(memory, of_multimaps_is_at_most_1_6_times_that_of_standard_ones) {
    using numbers = weft::multimap<std::uint64_t, std::uint64_t>;
    using texts = weft::multimap<std::string, std::uint64_t>;
    using texts_of_texts = weft::multimap<std::string, std::string>;
    for (std::int64_t const each : {1, 2, 4}) {
        std::string const name = std::to_string(each) + " a key";
        for (std::int64_t const keys : {190'000, 220'000}) // just before an index grows, and after it
            expect_little_memory<numbers, std::unordered_multimap<std::uint64_t, std::uint64_t>>(
                ("multimap of numbers, " + name).c_str(), keys * each,
                [=](numbers& m, std::int64_t i) {
                    m.insert(some_number(i / each), static_cast<std::uint64_t>(i));
                },
                pairs_of);
        expect_little_memory<texts, std::unordered_multimap<std::string, std::uint64_t>>(
            ("multimap of texts, " + name).c_str(), 200'000,
            [=](texts& m, std::int64_t i) { m.insert(some_text(i / each), static_cast<std::uint64_t>(i)); },
            pairs_of);
        expect_little_memory<texts_of_texts, std::unordered_multimap<std::string, std::string>>(
            ("multimap of texts to texts, " + name).c_str(), 100'000,
            [=](texts_of_texts& m, std::int64_t i) { m.insert(some_text(i / each), some_text(i)); },
            pairs_of);
    }
}

/// As many items a rank as the test assigns.
template <class T, std::int64_t Items>
struct array_of_items : weft::array<T> {
    explicit array_of_items(weft::mailbox& mail) : weft::array<T>(mail, Items * size()) {}
};

TEST_F(memory, of_bags_and_arrays_is_at_most_1_6_times_that_of_standard_ones) {
    auto const appended = [](auto& from, auto& to) {
        for (auto const& item : from.local()) to.push_back(item);
    };
    auto const copied = [](auto& from, auto& to) { to.assign(from.local().begin(), from.local().end()); };
    using numbers = std::vector<std::uint64_t>;
    using texts = std::vector<std::string>;
    expect_little_memory<weft::bag<std::uint64_t>, numbers>(
        "bag of numbers", 800'000, [](auto& b, std::int64_t i) { b.insert(some_number(i)); }, appended);
    expect_little_memory<weft::bag<std::string>, texts>(
        "bag of texts", 200'000, [](auto& b, std::int64_t i) { b.insert(some_text(i)); }, appended);
    expect_little_memory<array_of_items<std::uint64_t, 800'000>, numbers>(
        "array of numbers", 800'000, [](auto& a, std::int64_t i) { a.assign(i, some_number(i)); }, copied);
    expect_little_memory<array_of_items<std::string, 200'000>, texts>(
        "array of texts", 200'000, [](auto& a, std::int64_t i) { a.assign(i, some_text(i)); }, copied);
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
