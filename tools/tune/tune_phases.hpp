/// The phases of messages that `weft tune` times: what the protocols do once it is known who sends.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/transport.hpp>
#include <weft/machine/machine_model.hpp>

#include <cstddef>
#include <deque>
#include <vector>

namespace weft::tool {

/// How the messages of a phase are sent and received.
enum class delivery {
    known,       ///< standard sends, receives of known source and size
    probed,      ///< standard sends, received after a probe
    synchronous, ///< synchronous sends, received after a probe
};

/// Runs phases: in each, every rank writes and sends `batch` messages of `bytes` bytes, to the ranks after it
/// in turn, and receives as many, into memory that it keeps, as exchanges do: the first touch of a page costs
/// more than its copy. Calls are collective over the ranks of the transport, which has at least two.
class phase_runner {
public:
    phase_runner(transport& via, delivery how, std::size_t bytes, int batch);
    void run();
    /// Writes the messages of a phase as `run` does, and sends nothing. Local.
    void write();

private:
    void write(int message);
    [[nodiscard]] int peer(int distance) const;
    [[nodiscard]] buffer& room();
    void post_receive(int source);
    [[nodiscard]] progress step();
    [[nodiscard]] bool is_over() const noexcept { return pending_.empty() && missing_ <= 0; }
    void drop_complete();

    transport& via_;
    delivery how_;
    std::size_t bytes_;
    int batch_;
    buffer source_; // of what is written
    std::vector<buffer> payloads_;
    unsigned written_ = 0;     // messages
    std::deque<buffer> rooms_; // stay where they are while it grows
    std::size_t taken_ = 0;    // in this phase
    std::vector<request> pending_;
    int missing_ = 0; // below zero: messages that came early
};

/// The value that a part in 0..1 of the values lies below; 0.5 is the median. Reorders the values.
[[nodiscard]] double quantile(std::vector<double>& values, double part);

/// The parameters of LogGP between ranks 0 and 1 of a transport of two, and what a synchronous send of a
/// small message takes beyond a standard one; on rank 0. Collective. `seconds` is about how long it takes.
[[nodiscard]] network_model measure_pair(transport& via, double seconds);

} // namespace weft::tool
