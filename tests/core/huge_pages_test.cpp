#include <weft/detail/core/huge_pages.hpp>

#include <weft/core/buffer.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace {

/// True where the system gives huge pages to programs that ask for them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool under_sanitizer = true;
#else
constexpr bool under_sanitizer = false;
#endif

bool system_has_huge_pages() {
    if (under_sanitizer) return false; // faults of the memory that it keeps beside ours are counted too
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string modes;
    return std::getline(file, modes) && modes.find("[never]") == std::string::npos;
}

/// The page faults of this process while `body` runs.
template <class Body>
long faults_in(Body&& body) {
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    body();
    ::getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt - before.ru_minflt;
}

constexpr std::size_t large = std::size_t{64} << 20;

/// Far below one for each page of the usual size, and above what a system short of whole huge pages takes.
long few_faults() {
    return static_cast<long>(large) / ::sysconf(_SC_PAGESIZE) / 4;
}

} // namespace

TEST(huge_pages, a_large_buffer_takes_few_faults) {
    if (!system_has_huge_pages()) GTEST_SKIP() << "no huge pages, or a sanitizer";
    EXPECT_LT(faults_in([] {
        weft::buffer room(large);
        std::memset(room.data(), 1, room.size());
    }),
        few_faults());
}

TEST(huge_pages, a_large_vector_takes_few_faults) {
    if (!system_has_huge_pages()) GTEST_SKIP() << "no huge pages, or a sanitizer";
    EXPECT_LT(faults_in([] {
        std::vector<std::int64_t> values;
        weft::detail::resize_in_huge_pages(values, large / sizeof(std::int64_t));
    }),
        few_faults());
}

TEST(huge_pages, vectors_keep_what_they_have) {
    std::vector<int> values{1, 2, 3};
    weft::detail::reserve_in_huge_pages(values, large / sizeof(int));
    EXPECT_GE(values.capacity(), large / sizeof(int));
    EXPECT_EQ(values, (std::vector<int>{1, 2, 3}));
    std::size_t const capacity = values.capacity();
    weft::detail::reserve_in_huge_pages(values, 1);
    EXPECT_EQ(values.capacity(), capacity);
    weft::detail::resize_in_huge_pages(values, 2);
    EXPECT_EQ(values, (std::vector<int>{1, 2}));
}

TEST(huge_pages, memory_begins_where_a_huge_page_may) {
    void* const memory = weft::detail::allocate_in_huge_pages(weft::detail::least_in_huge_pages);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % (std::size_t{2} << 20), 0u);
    std::free(memory);
    if (under_sanitizer) return; // it ends a program that asks for too much
    EXPECT_EQ(weft::detail::allocate_in_huge_pages(std::size_t{1} << 62), nullptr);
}
