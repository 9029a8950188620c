/// How far the clocks of the ranks are apart.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <vector>

namespace weft {

/// The clock of a rank, in seconds; each begins where it likes.
class rank_clock {
public:
    rank_clock() = default;
    rank_clock(rank_clock const&) = delete;
    rank_clock& operator=(rank_clock const&) = delete;

    [[nodiscard]] virtual double seconds() const noexcept = 0;

protected:
    ~rank_clock() = default;
};

/// One rank's part in finding what to add to its clock to have that of rank 0. Down a binomial tree, each
/// rank asks the one above it for the time, some times over, and believes the answer that came fastest: it
/// is wrong by half of the way there and back at most, on each of the at most ceil(log2 P) levels. Two clocks
/// that may be the same by that, as those of one node are, are taken to be the same.
///
/// Cost: 16 round trips with each of up to ceil(log2 P) ranks, one after the other. Source: Cristian,
/// Probabilistic clock synchronization, Distributed Computing 3, 1989.
class clock_offset final : public engine {
public:
    /// The transport and the clock must outlive it; nothing else uses the tag.
    clock_offset(transport& via, int tag, rank_clock const& clock);
    ~clock_offset() override;

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// The number to add to the clock of this rank, and how wrong that may be. After done.
    [[nodiscard]] double offset() const noexcept { return offset_; }
    [[nodiscard]] double error() const noexcept { return error_; }

private:
    static constexpr int questions = 16;
    struct answer {
        double time;   // of the rank above
        double offset; // of that rank
        double error;  // of that
    };

    void ask();

    transport& via_;
    int tag_;
    rank_clock const& clock_;
    int above_;              // the rank that is asked; -1 for rank 0
    std::vector<int> below_; // those that ask this one, last first
    int asked_ = 0;
    double asked_at_ = 0;
    double fastest_ = -1; // round trip; negative: none yet
    double offset_ = 0;
    double error_ = 0;
    int answered_ = 0; // questions of the rank that asks now
    char question_ = 0;
    bool hears_ = false; // a question is being received
    answer heard_ = {};
    answer said_ = {};
    request sending_ = {};
    request receiving_ = {};
};

/// The number to add to the clock of this rank to have that of rank 0, in seconds, and how wrong that may be.
struct clock_difference {
    double offset = 0;
    double error = 0;
};

/// The difference now. Collective: yes. Blocks: until all ranks have called. Cost: as `clock_offset`. Throws:
/// `mpi_error`.
[[nodiscard]] clock_difference find_clock_offset(communicator const& comm, rank_clock const& clock);

} // namespace weft
