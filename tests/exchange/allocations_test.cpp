/// What must not allocate: this program counts its allocations.
#include <weft/exchange/exchange_plan.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // these replace the allocation themselves

using weft::exchange_plan;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {
// Of this thread: the watchdog has a thread, which allocates as well once in a while.
thread_local std::int64_t allocations = 0;
} // namespace

// Not inlined: the compiler would see malloc and delete, or new and free, meet.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* const made = std::malloc(bytes == 0 ? 1 : bytes)) return made;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* what) noexcept {
    std::free(what);
}
[[gnu::noinline]] void operator delete(void* what, std::size_t) noexcept {
    std::free(what);
}

TEST(exchange_plan, runs_allocate_nothing_in_the_long_run) {
    int const right = (rank() + 1) % size();
    std::vector<int> const to{right};
    for (std::int64_t const items : {3, 1000}) {
        std::vector<std::int64_t> const counts{items};
        exchange_plan const plan(world(), to, counts);
        std::vector<std::int64_t> const out(static_cast<std::size_t>(items), rank());
        std::vector<std::int64_t> in(out.size());
        auto bound = plan.bind<std::int64_t>(out, in);
        auto const run_both = [&] {
            bound.start();
            bound.wait();
            plan.exchange<std::int64_t>(out, in);
        };
        // Tables of the transport grow now and then at first, and handles that earlier tests dropped end.
        std::int64_t least = 1'000'000;
        for (int batch = 0; batch < 10; ++batch) {
            std::int64_t const before = allocations;
            for (int i = 0; i < 100; ++i) run_both();
            least = std::min<std::int64_t>(least, allocations - before);
        }
        EXPECT_EQ(least, 0) << items << " items";
    }
}

#endif
