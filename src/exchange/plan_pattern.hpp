/// The pattern that an exchange_plan and its planned exchanges share. Private.
#pragma once

#include "plan_troubles.hpp"

#include <protocol/long_tag.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <optional>
#include <vector>

namespace weft {

/// Both directions have a tag, so that a run of the plan and one of its inverse can be under way at once.
struct exchange_plan::pattern final : detail::counted {
    struct side {
        std::vector<int> peers;
        std::vector<std::int64_t> offsets{0}; // in items, one more than peers
    };

    pattern(
        communicator const& comm, std::span<int const> destinations, std::span<std::int64_t const> counts);

    long_tag tags; // there, back, and of troubles
    plan_troubles troubles;
    plan_way there;
    plan_way back;
    side out;
    side in;
    std::vector<request> scratch; // of `exchange`, kept so that no run allocates
};

[[nodiscard]] inline plan_sides sides_of(exchange_plan const& plan) noexcept {
    return {plan.sources(), plan.destinations()};
}

/// The bytes between which a plan runs.
struct plan_memory {
    std::span<std::byte const> out;
    std::span<std::byte> in;
    std::size_t item_bytes;

    /// A `usage_error` unless the spans have the lengths of the plan.
    [[nodiscard]] std::exception_ptr failure(exchange_plan const& plan) const;
    [[nodiscard]] std::span<std::byte const> outgoing(exchange_plan const& plan, std::size_t place) const;
    [[nodiscard]] std::span<std::byte> incoming(exchange_plan const& plan, std::size_t place) const;
    /// Moves what this rank sends to itself.
    void copy_own(exchange_plan const& plan) const;
    /// Adds a run to the counters.
    void count(exchange_plan const& plan) const;
};

/// The transfers of a planned exchange, and whether they are under way. Large ones are persistent requests;
/// small ones are begun anew, because Open MPI sends those at once but never a persistent one: half the time.
class planned_exchange::transfers {
public:
    transfers(exchange_plan const& plan, plan_way& way, plan_memory const& where);
    ~transfers();
    transfers(transfers const&) = delete;
    transfers& operator=(transfers const&) = delete;

    void start();
    void refuse(std::exception_ptr why);
    [[nodiscard]] bool test();
    void wait();

private:
    struct transfer {
        int peer;
        std::span<std::byte> room;       // of a receive
        std::span<std::byte const> data; // of a send
        bool sends;
        bool persistent;
    };

    void add(transfer wanted);
    void begin_run();
    void conclude();

    exchange_plan plan_;
    plan_memory where_;
    transport& via_;
    plan_way& way_;
    std::exception_ptr failure_;      // of memory that does not fit the plan
    std::vector<transfer> transfers_; // receives first
    std::vector<request> requests_;   // one each
    std::size_t complete_;            // of the run under way; all of them when none is
    std::optional<plan_refusal> refusal_;
    bool is_concluded_ = true;
    int fruitless_ = 0;
    std::int64_t run_ = 0;
};

} // namespace weft
