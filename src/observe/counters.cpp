#include <core/process_knobs.hpp>
#include <core/rank_page.hpp>
#include <core/simulated_ranks.hpp>

#include <weft/extend/core/attachment.hpp>
#include <weft/observe/counters.hpp>

#include <atomic>
#include <cstddef>
#include <new>

namespace weft {

namespace {

static_assert(sizeof(counters) == rank_page::counts_a_slot * sizeof(std::int64_t),
    "a row of the page has the fields of `counters`");

/// The counters of a communicator, in the page of the process if it has room, so that others may read them.
class counters_in_page {
public:
    counters_in_page() {
        bool const shows = watching_in_process() && !is_simulated_rank();
        rank_page* const page = shows ? page_of_process() : nullptr;
        for (std::size_t at = 1; page != nullptr && at < rank_page::count_slots; ++at) {
            std::uint32_t free = 0;
            if (!__atomic_compare_exchange_n(
                    &page->counts_taken[at], &free, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
                continue;
            page_ = page;
            slot_ = at;
            now_ = new (page->counts[at].data()) counters;
            return;
        }
    }
    ~counters_in_page() {
        if (page_ == nullptr) return;
        auto& gone = page_->counts[0];
        auto& mine = page_->counts[slot_];
        for (std::size_t i = 0; i < rank_page::counts_a_slot; ++i) {
            // Several threads may free communicators at the same time.
            __atomic_fetch_add(&gone[i], mine[i], __ATOMIC_RELAXED);
            mine[i] = 0;
        }
        __atomic_store_n(&page_->counts_taken[slot_], 0U, __ATOMIC_RELEASE);
    }
    counters_in_page(counters_in_page const&) = delete;
    counters_in_page& operator=(counters_in_page const&) = delete;

    [[nodiscard]] counters& now() noexcept { return *now_; }

private:
    counters own_;
    counters* now_ = &own_;
    rank_page* page_ = nullptr;
    std::size_t slot_ = 0;
};

} // namespace

counters& counters_of(communicator const& comm) {
    return attachment<counters_in_page>(comm).now();
}

} // namespace weft
