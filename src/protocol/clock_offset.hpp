/// The differences between the clocks of ranks.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <vector>

namespace weft {

/// The clock of a rank, in seconds from an arbitrary origin.
class rank_clock {
public:
    rank_clock() = default;
    rank_clock(rank_clock const&) = delete;
    rank_clock& operator=(rank_clock const&) = delete;

    [[nodiscard]] virtual double seconds() const noexcept = 0;

protected:
    ~rank_clock() = default;
};

/// One rank's part in finding the difference of its clock from that of rank 0. Down a binomial tree, each
/// rank asks its parent for the time several times and uses the answer with the shortest round trip. Its
/// error is at most half of that round trip, on each of the at most ceil(log2 P) levels. Two clocks that may
/// be equal within this error, as on one node, are taken to be equal.
///
/// Cost: 16 round trips with each of up to ceil(log2 P) ranks, one after the other. Source: Cristian,
/// Probabilistic clock synchronization, Distributed Computing 3, 1989.
class clock_offset final : public engine {
public:
    /// The transport and the clock must outlive it; the tag must have no other use.
    clock_offset(transport& via, int tag, rank_clock const& clock);
    ~clock_offset() override;

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// Return the difference from the clock of rank 0, and the bound of its error. To be called when done.
    [[nodiscard]] double offset() const noexcept { return offset_; }
    [[nodiscard]] double error() const noexcept { return error_; }

private:
    static constexpr int questions = 16;
    struct answer {
        double time;   // on the parent's clock
        double offset; // of the parent
        double error;  // of the parent
    };

    void ask();

    transport& via_;
    int tag_;
    rank_clock const& clock_;
    int above_;              // the parent; -1 for rank 0
    std::vector<int> below_; // the children, last first
    int asked_ = 0;
    double asked_at_ = 0;
    double fastest_ = -1; // shortest round trip; negative: none yet
    double offset_ = 0;
    double error_ = 0;
    int answered_ = 0; // number of answers to the current child
    char question_ = 0;
    bool hears_ = false; // a question is being received
    answer heard_ = {};
    answer said_ = {};
    request sending_ = {};
    request receiving_ = {};
};

/// The number of seconds to add to the clock of this rank to get that of rank 0, and the bound of its error.
struct clock_difference {
    double offset = 0;
    double error = 0;
};

/// Returns the current difference. Collective: yes. Blocks: until all ranks have called. Cost: as
/// `clock_offset`. Throws: `mpi_error`.
[[nodiscard]] clock_difference find_clock_offset(communicator const& comm, rank_clock const& clock);

} // namespace weft
