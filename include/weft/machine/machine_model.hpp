/// The cost of communication on a machine, and the predicted times of the protocols of a sparse exchange.
#pragma once

#include <weft/core/settings.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// The parameters of the LogGP model of communication, in seconds. Source: Hoefler, Siebert, Lumsdaine, PPoPP
/// 2010, section 2.2.
struct loggp {
    double latency = 0;      ///< L: the time of the first byte from one rank to another
    double overhead = 0;     ///< o: processor time to send or to receive a message
    double gap = 0;          ///< g: the least time between two messages of one rank
    double gap_per_byte = 0; ///< G: the time per byte of one message

    friend bool operator==(loggp const&, loggp const&) = default;
};

/// The sizes of messages, in bytes, that `weft tune` measures.
inline constexpr double measured_bytes[] = {8, 64, 512, 2048, 4096, 32768, 262144, 1048576};

/// The times of phases in which every rank sends and receives the same number of messages of one size. The
/// sender has just written the bytes of each message; the phase does not include the time of writing as many
/// bytes in its own cache. The lists have an entry for each size in `measured_bytes`.
struct phase_costs {
    std::vector<double> first; ///< seconds of a phase in which each rank sends one message
    std::vector<double> more;  ///< seconds that each further message of a rank adds

    friend bool operator==(phase_costs const&, phase_costs const&) = default;
};

/// Times measured on `ranks` ranks, in seconds. Times are measured for several numbers of ranks, because
/// ranks wait for each other if there are more ranks than cores.
struct measured_costs {
    int ranks = 0;                ///< The number of ranks.
    double all_reduce = 0;        ///< T_BC: seconds of a small all-reduce
    double all_to_all = 0;        ///< T_PE: seconds to send one word to every rank
    double reduce_scatter = 0;    ///< T_RS: seconds of a reduce-scatter of a word per rank
    phase_costs known = {};       ///< costs of standard sends to receives of known source and size, as in pex
    phase_costs probed = {};      ///< costs of standard sends that are received after a probe, as in pcx
    phase_costs synchronous = {}; ///< costs of synchronous sends that are received after a probe, as in nbx

    friend bool operator==(measured_costs const&, measured_costs const&) = default;
};

/// The costs of messages between two ranks, inside a node or between nodes.
struct network_model {
    loggp parameters = {}; ///< The parameters of LogGP.
    /// The time by which a synchronous send of a small message is slower than a standard send.
    double synchronous_penalty = 0;
    std::vector<measured_costs> measured = {}; ///< measured costs, ascending by number of ranks; may be empty

    friend bool operator==(network_model const&, network_model const&) = default;
};

/// Parameters that only a simulation of the machine uses; see `simulated_machine`.
struct simulation_parameters {
    int ranks_per_node = 1;          ///< the number of ranks on a node; a node has consecutive ranks
    std::int64_t eager_bytes = 4096; ///< messages of more bytes wait until the receiver is ready
    double node_gap = 0;             ///< least seconds between two messages that leave, or enter, a node
    double node_gap_per_byte = 0;    ///< seconds per byte that leaves, or enters, a node
    double hardware_all_reduce = 0;  ///< seconds of an all-reduce in network hardware; 0: no such hardware
    /// seconds of processor time of an exchange besides those of its messages
    double exchange_overhead = 0;

    friend bool operator==(simulation_parameters const&, simulation_parameters const&) = default;
};

/// The model of a machine: measured by `weft tune`, or built in.
struct machine_model {
    network_model inside = {};  ///< costs between ranks of one node
    network_model between = {}; ///< costs between nodes, with one rank on each node
    /// Costs for several nodes with several ranks on each, ascending by number of ranks; may be empty.
    std::vector<measured_costs> mixed = {};
    /// Seconds per byte of a copy, when all ranks copy at the same time.
    double copy_per_byte = 0;
    /// Seconds per byte by which shared memory passes between ranks of a node more slowly than within one
    /// rank: a rank writes bytes that another has read, and the other reads them.
    double handover_per_byte = 0;
    simulation_parameters simulation = {}; ///< Parameters of the simulated machine.
    std::string measured_on;               ///< One line: the ranks, nodes and MPI of the measurement.
    /// One line: where the model comes from; not stored in files of models.
    std::string origin;
};

/// Returns the seconds by which a message of `bytes` bytes is slower than a message of one byte: (bytes - 1)
/// G, or the difference of measured times if the model has measured times. Local.
[[nodiscard]] double transfer_seconds(network_model const& network, double bytes);

/// The size of an exchange in which the busiest rank sends `messages` messages, with `bytes` bytes in total,
/// to other ranks.
struct exchange_shape {
    int ranks = 1;        ///< The number of ranks.
    int nodes = 1;        ///< The number of nodes of these ranks.
    int largest_node = 1; ///< The number of ranks of the largest node.
    double messages = 0;  ///< k: the most messages that a rank sends
    double bytes = 0;     ///< the most bytes that a rank sends, in all its messages
};

/// Returns the built-in model, without measurements: a cluster with a fast network.
[[nodiscard]] machine_model built_in_machine();

/// Returns the predicted time of an exchange, in seconds; for `automatic` the time of the fastest protocol.
/// The time is 0 if there is only one rank.
///
/// T_DT, the time of a phase of k messages, is L + 2o + (k - 1) max(o, g) + bytes G. If costs were measured,
/// T_DT is `first + (k - 1) more`, with the `phase_costs` of the protocol, interpolated for the size of
/// messages and the number of ranks.
/// * pex: T_PE(P) + T_DT (section 3.1)
/// * pcx: max(T_RS(P), k o) + T_DT (section 3.2; the sends overlap the reduce-scatter)
/// * rsx: L + k o + T_BC(P) + T_DT (section 3.3)
/// * nbx: T_BC(P) + T_DT + L + k o (section 3.4 with the overhead of equation 2)
/// * store_and_forward: ceil(log2 P) phases of one message with P / 2(P-1) of the bytes, and 16 bytes
///   more per message; bytes are copied three times (Bruck's rounds)
/// * nbx_two_level, pcx_two_level: a phase in the node, to the rank that serves the target's node; a phase
///   between nodes, as nbx or pcx, in which messages of several ranks to one node are one message; and a
///   phase in the node of the target
///
/// T_BC(P) = (L + 2o) ceil(log2 P); T_PE(P) = T_RS(P) = 8G (P - 1) + (L + 2o - 8G) ceil(log2 P), the bound
/// for words of 8 bytes. Measured times are interpolated in log2 P; beyond the largest measured number of
/// ranks the times grow as these formulas do, or in proportion to P if that fits the last two measurements
/// better.
///
/// Local, O(1) in P. Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, sections 2.3 to 3.4.
[[nodiscard]] double predicted_seconds(
    machine_model const& machine, protocol how, exchange_shape const& shape);

/// Returns the protocol with the least predicted time, the first such protocol in `among` if several are
/// equal. `among` must not be empty. Local.
[[nodiscard]] protocol fastest(
    machine_model const& machine, exchange_shape const& shape, std::span<protocol const> among);

/// Returns all protocols but `automatic`. Local.
[[nodiscard]] std::span<protocol const> all_protocols() noexcept;

} // namespace weft
