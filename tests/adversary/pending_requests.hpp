/// The requests of a `memory_network`.
#pragma once

#include <weft/extend/transport/transport.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

namespace weft_test {

/// The operation of a request.
struct operation {
    int rank = 0;
    char const* what = "";
    std::int32_t slot = 0; // its place, and in the upper bits the number of uses of the place
    bool open = false;
    bool complete = false;
};

/// Places are reused, so that long runs do not grow. A second test of a completed request is detected by its
/// number.
class pending_requests {
public:
    static constexpr std::int32_t limit = 1 << 30; // of all slots

    [[nodiscard]] weft::request open(int rank, char const* what, operation*& made) {
        if (free_.empty()) {
            made = &all_.emplace_back();
            made->slot = static_cast<std::int32_t>(all_.size() - 1);
            if (made->slot >= places) throw std::logic_error("too many requests are open");
        } else {
            made = free_.back();
            free_.pop_back();
        }
        made->rank = rank;
        made->what = what;
        made->open = true;
        made->complete = false;
        ++open_;
        return {made->slot};
    }

    /// Returns the operation of an open request of this rank.
    [[nodiscard]] operation& at(int rank, weft::request asked) {
        operation& found = all_.at(static_cast<std::size_t>(asked.slot % places));
        if (found.slot != asked.slot || !found.open)
            throw std::logic_error("a test of a request that was complete before");
        if (found.rank != rank) throw std::logic_error("a test of a request of another rank");
        return found;
    }

    void close(operation& done) {
        done.open = false;
        done.slot = (done.slot + places) % limit;
        free_.push_back(&done);
        --open_;
    }

    [[nodiscard]] int open_count() const noexcept { return open_; }
    [[nodiscard]] auto open_count(int rank) const {
        return std::ranges::count_if(
            all_, [&](operation const& each) { return each.open && each.rank == rank; });
    }
    [[nodiscard]] std::size_t capacity() const noexcept { return all_.size(); }

private:
    static constexpr std::int32_t places = 1 << 18;

    std::deque<operation> all_;
    std::vector<operation*> free_;
    int open_ = 0;
};

} // namespace weft_test
