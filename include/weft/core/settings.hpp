/// The one table of knobs (law 10): code, `weft info` and the documentation read the same rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// How a sparse exchange finds out who sends to whom.
enum class protocol {
    nbx,               ///< synchronous sends and a nonblocking census: O(log P), no table of size P
    pex,               ///< all-to-all of the sizes first: O(P), lowest overhead on few ranks
    pcx,               ///< a personalised census of the counts first: O(P)
    rsx,               ///< the counts by remote sums: O(log P)
    store_and_forward, ///< log2 P messages a rank, each with what goes the same way: for small messages
    nbx_two_level,     ///< nbx between nodes, where what goes to one node is one message
    pcx_two_level,     ///< pcx between nodes, likewise
    automatic,         ///< what the model of the machine and the last census say is fastest
};

/// How a census is carried.
enum class census_method {
    dissemination, ///< Weft's own point-to-point rounds; any number of operations may be open
    collective,    ///< the nonblocking all-reduce of MPI; one operation open at a time
};

/// How a message whose source and size are not known is received.
enum class probe_method {
    matched, ///< MPI_Improbe and MPI_Imrecv
    plain,   ///< MPI_Iprobe and MPI_Irecv, for MPI stacks whose matched probe is broken
};

/// By which ranks a message of a mailbox travels to a rank of another node.
enum class route {
    direct,      ///< from the sender to the receiver: NoRoute
    node_local,  ///< first to the rank of the own node that has the receiver's core
    node_remote, ///< first to the rank of the other node that has the sender's core
    nlnr,        ///< both: one pair of cores serves two nodes
    automatic,   ///< what the topology and the model of the machine say
};

/// The values of all knobs. An aggregate: `settings{.exchange = protocol::pex}`.
struct settings {
    protocol exchange = protocol::automatic;
    census_method census = census_method::dissemination;
    probe_method probe = probe_method::matched;
    /// The file of the machine model; empty: where `weft tune` writes it; "none": the built-in model.
    std::string machine = {};
    /// Pretend nodes, see `pretend_nodes`; empty: the nodes of the machine.
    std::string ranks_per_node = {};
    /// The most bytes on their way at which a rank begins a further message of an exchange.
    std::int64_t in_flight_bytes = std::int64_t{64} << 20;
    /// Messages of nbx above this many bytes are announced by a header.
    std::int64_t header_above = 32768;
    /// How messages of a mailbox that names no route travel.
    route mailbox_route = route::automatic;
    /// Memory that the buffers of a mailbox may take on a rank.
    std::int64_t mailbox_bytes = std::int64_t{16} << 20;
    /// True if the ranks of a node may pass messages through memory that they share.
    bool shared_memory = true;
    /// Tags that rotate over the operations of one communicator: half as many may be open at once.
    int epoch_window = 4096;
    /// Fruitless polls before a waiting rank begins to yield the core.
    int spin_polls = 64;
    /// Seconds without progress after which an operation reports that it waits; 0: never.
    double stall_seconds = 0;
};

/// One row of the table.
struct knob {
    std::string_view name;        ///< the environment variable, `WEFT_...`
    std::string_view type;        ///< what a value looks like: `nbx|pex`, `integer 2..4096`
    std::string_view explanation; ///< one sentence
    /// Stores a value; throws `usage_error` naming the knob, the value and what it takes.
    void (*assign)(settings&, std::string_view value);
    /// The value as text that `assign` takes.
    std::string (*show)(settings const&);
};

/// Returns the table, ordered by name. Local, O(1).
[[nodiscard]] std::span<knob const> knobs() noexcept;

/// The knobs in the environment of a process.
struct environment_knobs {
    std::string lines;                 ///< the knobs that are set, as lines `NAME=value`
    std::vector<std::string> warnings; ///< a sentence for each `WEFT_*` variable that no knob reads
};

/// Reads the `WEFT_*` variables of this process. `WEFT_TEST_*` belongs to the tests. Local.
[[nodiscard]] environment_knobs read_knobs();

/// Reads settings from lines `NAME=value` on top of the defaults. Throws `usage_error`. Local.
[[nodiscard]] settings parse_settings(std::string_view lines);

/// Throws `usage_error` if a value is one that its knob would not take. Local.
void check(settings const& values);

/// Returns the name of a value as its knob takes it. Local.
[[nodiscard]] std::string_view name_of(protocol value) noexcept;
[[nodiscard]] std::string_view name_of(census_method value) noexcept;
[[nodiscard]] std::string_view name_of(probe_method value) noexcept;
[[nodiscard]] std::string_view name_of(route value) noexcept;

} // namespace weft
