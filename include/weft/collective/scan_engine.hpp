/// Prefixes of values of any size over ranks.
#pragma once

#include <weft/collective/merged_values.hpp>
#include <weft/core/buffer.hpp>
#include <weft/protocol/engine.hpp>
#include <weft/transport/transport.hpp>

#include <cstddef>
#include <deque>
#include <exception>
#include <string>

namespace weft {

/// Makes value 0 of each rank the combination of those of the ranks 0 to this one, in their order. After
/// round i a rank has combined 2^i ranks, itself the last; it receives those before them. An error of the
/// operator does not stop the messages; ranks that hear of it combine nothing more.
///
/// Cost: at most ceil(log2 P) messages a rank. Source: Hillis, Steele, Data Parallel Algorithms, 1986.
class scan_engine final : public engine {
public:
    /// The transport and the values must outlive the engine.
    scan_engine(transport& via, int tag, merged_values& values, send_mode mode = send_mode::standard);

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;

    /// The number of the result. Only after done, and if no rank failed.
    [[nodiscard]] std::size_t value() const noexcept { return value_; }
    /// The error of this rank, if there was one; other ranks need not have heard of it.
    [[nodiscard]] std::exception_ptr thrown() const noexcept { return thrown_; }
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(sent_.size()); }

private:
    struct outgoing {
        buffer data;
        request pending = {};
    };

    void send();
    void take();
    template <class Action>
    void guarded(Action&& action);

    transport& via_;
    int tag_;
    send_mode mode_;
    merged_values& values_;
    std::size_t value_ = 0;
    int distance_ = 1;
    bool sent_this_round_ = false;
    bool receiving_ = false;
    request receive_ = {};
    buffer incoming_;
    std::deque<outgoing> sent_;
    bool failed_ = false; // this rank, or one that it has heard of
    std::exception_ptr thrown_;
};

} // namespace weft
