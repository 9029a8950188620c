/// The settings of Weft, and the table of the environment variables ("knobs") that set them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The protocol of a sparse exchange, by which receivers find their senders.
enum class protocol {
    nbx,               ///< synchronous sends, then a nonblocking barrier: O(log P), no table of size P
    pex,               ///< first an all-to-all of message sizes: O(P), lowest overhead on few ranks
    pcx,               ///< first a reduce-scatter that counts the messages for each rank: O(P)
    rsx,               ///< first remote additions (RMA) that count the messages for each rank: O(log P)
    store_and_forward, ///< log2 P messages per rank, which also carry data of other ranks
    nbx_two_level,     ///< nbx between nodes, with one message for each pair of nodes
    pcx_two_level,     ///< pcx between nodes, with one message for each pair of nodes
    automatic,         ///< the protocol that is fastest by the machine model and in short trials
};

/// The transport of the small all-reduce that ends most collective calls.
enum class all_reduce_method {
    dissemination, ///< rounds of point-to-point messages; any number of operations may be open
    collective,    ///< the nonblocking all-reduce of MPI; one operation open at a time
};

/// The call that receives a message of unknown source and size.
enum class probe_method {
    matched, ///< MPI_Improbe and MPI_Imrecv
    plain,   ///< MPI_Iprobe and MPI_Irecv, for MPI stacks whose matched probe is broken
};

/// The route of a message of a mailbox to a rank of another node.
enum class route {
    direct, ///< from the sender straight to the receiver
    /// first to the rank of the sender's node with the receiver's core number (`topology::core_of`)
    node_local,
    /// first to the rank of the receiver's node with the sender's core number (`topology::core_of`)
    node_remote,
    /// both detours of node_local and node_remote: a rank sends to the fewest ranks of other nodes
    nlnr,
    automatic, ///< the library chooses by the topology and the machine model
};

/// The settings of the library, one field for each variable `WEFT_*`: `settings{.exchange = protocol::pex}`.
struct settings {
    protocol exchange = protocol::automatic; ///< The protocol of sparse exchanges.
    /// The transport of the small all-reduces by which ranks agree on counts and errors.
    all_reduce_method all_reduce = all_reduce_method::dissemination;
    probe_method probe = probe_method::matched; ///< The MPI calls that receive messages of unknown size.
    /// The file of the machine model. Default: the file that `weft tune` writes. The text "none" means the
    /// built-in model.
    std::string machine = {};
    /// The sizes of nodes that Weft assumes instead of the real ones, as text for `pretend_nodes`. Default:
    /// the nodes of the machine.
    std::string ranks_per_node = {};
    /// A rank begins a further message of an exchange only while it has at most this number of bytes in
    /// flight.
    std::int64_t in_flight_bytes = std::int64_t{64} << 20;
    /// The protocol nbx sends a header before a message of more than this number of bytes.
    std::int64_t header_above = 32768;
    /// The route of mailboxes whose options do not name a route.
    route mailbox_route = route::automatic;
    /// The memory that the buffers of a mailbox may take on a rank, in bytes.
    std::int64_t mailbox_bytes = std::int64_t{16} << 20;
    /// True if the ranks of a node may pass messages through memory that they share.
    bool shared_memory = true;
    /// The value of WEFT_SIMULATE: the number of simulated ranks with which `weft::run` runs the program,
    /// without MPI. Default: no simulation.
    std::string simulate = {};
    /// The value of WEFT_ADVERSARY: the runs in which `weft::run` searches for an order of messages with
    /// which the program fails. Default: no runs.
    std::string schedules = {};
    /// The number of tags that the operations of a communicator use in turn; at most half this number of
    /// operations may be open at the same time.
    int tag_window = 4096;
    /// The number of polls without success after which a waiting rank yields its core.
    int spin_polls = 64;
    /// Seconds without progress after which an operation reports that it waits; 0 turns the report off.
    double stall_seconds = 0;
};

/// An environment variable of Weft ("knob"): a row of the table that `knobs()` returns.
struct knob {
    std::string_view name;        ///< the environment variable, `WEFT_...`
    std::string_view type;        ///< the form of a value: `nbx|pex`, `integer 2..4096`
    std::string_view explanation; ///< a sentence that explains the variable
    /// Stores a value. Throws: `usage_error`, whose text names the variable, the value and the form of a
    /// valid value.
    void (*assign)(settings&, std::string_view value);
    /// The value as text that `assign` takes.
    std::string (*show)(settings const&);
};

/// Returns the table of the environment variables of Weft ("knobs"), ordered by name. Local, O(1).
[[nodiscard]] std::span<knob const> knobs() noexcept;

/// The variables of Weft ("knobs") that are set in the environment of a process.
struct environment_knobs {
    std::string lines;                 ///< the variables that are set, as lines `NAME=value`
    std::vector<std::string> warnings; ///< a sentence for each `WEFT_*` variable that Weft does not know
};

/// Reads the `WEFT_*` variables of this process. Variables `WEFT_TEST_*` of Weft's tests are ignored. Local.
[[nodiscard]] environment_knobs read_knobs();

/// Reads settings from lines `NAME=value`; all other settings have their defaults. Throws `usage_error`.
/// Local.
[[nodiscard]] settings parse_settings(std::string_view lines);

/// Throws `usage_error` if a setting has an invalid value. Local.
void check(settings const& values);

/// Returns the name of a protocol, as in the variable WEFT_EXCHANGE. Local.
[[nodiscard]] std::string_view name_of(protocol value) noexcept;
/// Returns the name of a method of the small all-reduce, as in the variable WEFT_ALL_REDUCE. Local.
[[nodiscard]] std::string_view name_of(all_reduce_method value) noexcept;
/// Returns the name of a kind of probe, as in the variable WEFT_PROBE. Local.
[[nodiscard]] std::string_view name_of(probe_method value) noexcept;
/// Returns the name of a route, as in the variable WEFT_ROUTE. Local.
[[nodiscard]] std::string_view name_of(route value) noexcept;

} // namespace weft
