/// Prefixes of values of any size over participants.
#pragma once

#include "message_source.hpp"

#include <weft/core/buffer.hpp>
#include <weft/detail/collective/merged_values.hpp>
#include <weft/extend/collective/participants.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// Makes the value of each participant the combination of those of the participants 0 to itself, in their
/// order. After round i a participant has combined 2^i values, its own the last; it receives those before
/// them. So the brackets depend on the number of the participant alone, not on where participants are. An
/// error of the operator does not stop the messages; ranks that hear of it combine nothing more.
///
/// Cost: at most ceil(log2 n) messages a participant, n being the number of all; between participants of one
/// rank a copy instead. Source: Hillis, Steele, Data Parallel Algorithms, 1986.
class scan_engine final : public engine {
public:
    /// Participants 0 to `all` - 1. The transport and the values must outlive the engine.
    scan_engine(transport& via, int tag, participants const& who, std::int64_t all,
        detail::merged_values& values, send_mode mode = send_mode::standard);
    /// Leaves the memory of messages under way to MPI.
    ~scan_engine() override;

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;

    /// The number of the result of each participant of this rank. Only after done, and if no rank failed.
    [[nodiscard]] std::vector<std::size_t> results() const;
    /// The error of this rank, if there was one; other ranks need not have heard of it.
    [[nodiscard]] std::exception_ptr thrown() const noexcept { return thrown_; }
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(sent_.size()); }

private:
    struct heading {
        std::int64_t to = 0;
        std::int32_t round = 0;
        std::int32_t failed = 0;
    };
    struct arrival {
        int round = 0;
        std::size_t value = 0;
    };
    struct participant {
        std::int64_t id = 0;
        std::size_t value = 0;
        int round = 0;
        bool sent_this_round = false;
        std::vector<arrival> early = {}; // before their turn
    };
    struct outgoing {
        buffer data;
        request pending = {};
    };

    void go_on(std::size_t place);
    void pass(participant const& from, std::int64_t to);
    void take(std::span<std::byte const> bytes);
    template <class Action>
    void guarded(Action&& action);

    transport& via_;
    int tag_;
    send_mode mode_;
    std::int64_t all_;
    participants who_;
    detail::merged_values& values_;
    std::vector<participant> mine_;
    std::vector<message_source> sources_;
    std::vector<std::size_t> ready_; // places that may be able to go on
    std::deque<outgoing> sent_;
    std::size_t sent_complete_ = 0;
    bool failed_ = false; // this rank, or one that it has heard of
    std::exception_ptr thrown_;
};

} // namespace weft
