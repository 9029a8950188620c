/// A personalised census: every rank gets the sum of the words that all ranks hold for it. Private.
#pragma once

#include <core/left_memory.hpp>

#include <weft/detail/core/recycled.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/protocol/exchange_load.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// Adds up word i of every rank, modulo 2^64, on rank i. There are ceil(log2 P) rounds of messages with P/2,
/// P/4, ... words: in round j a rank sends on the words with bit j in their remaining distance, and sums are
/// formed on the way. Several may be under way on different tags, begun in any order.
///
/// The load of the busiest rank is sent along: after the last round every rank has data from all ranks.
///
/// Cost: (L + 2o) ceil(log2 P) + 8 G (P - 1), the lower bound; memory O(P). Source: the personalised census
/// of Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 2.3, by the index algorithm of Bruck and others 1997
/// with a sum in place of a concatenation.
class personal_census final : public engine {
public:
    personal_census(transport& via, int tag) : via_(via), tag_(tag) {}
    /// Leaves the memory of messages under way to MPI.
    ~personal_census() override {
        if (sent_complete_ != rounds_.size()) leave_to_mpi(std::move(rounds_));
    }

    /// Contributes `words`, one for each rank. To be called once, before the first step.
    void enter(std::vector<std::int64_t> const& words, exchange_load load);
    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// To be called when done.
    [[nodiscard]] std::int64_t result() const noexcept { return static_cast<std::int64_t>(held_.front()); }
    [[nodiscard]] exchange_load busiest() const noexcept { return busiest_; }
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(rounds_.size()); }

private:
    struct round {
        int distance = 0;
        detail::recycled_vector<std::uint64_t> outgoing; // words that move, and the load
        detail::recycled_vector<std::uint64_t> incoming;
        request received = {};
        request sent = {};
    };

    void send_round();

    transport& via_;
    int tag_;
    exchange_load busiest_;
    detail::recycled_vector<std::uint64_t> held_; // by remaining distance to their rank
    detail::recycled_vector<round> rounds_;
    std::size_t current_ = 0;
    std::size_t sent_complete_ = 0;
};

} // namespace weft
