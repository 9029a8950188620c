/// The interface between engines and the machine.
#pragma once

#include <weft/extend/transport/census_value.hpp>
#include <weft/extend/transport/shared_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace weft {

class topology; // weft/core/topology.hpp

/// The time at which a send is complete.
enum class send_mode {
    standard,    ///< when the bytes may be reused
    synchronous, ///< when also the receiver has begun to receive the message
};

/// A message that has arrived, or begun to arrive, and has not been received.
struct envelope {
    int source = 0;         ///< The rank that sent the message.
    int tag = 0;            ///< The tag of the message.
    std::int64_t bytes = 0; ///< The length of the message in bytes.
};

/// An open operation. A null request is complete. A handle, not an owner: the bytes given to `send` or
/// `receive` must stay until `test` has said that it is complete.
struct request {
    std::int32_t slot = -1; ///< The place in the transport's table; -1: complete.
    /// Returns true while the request may be incomplete.
    [[nodiscard]] explicit operator bool() const noexcept { return slot >= 0; }
};

/// Nonblocking messages and collectives between the ranks of one communicator. Engines are step functions
/// over this interface, so the same engine runs over MPI, in a simulated machine, and under an adversary. The
/// guarantees are those of MPI, and no more: messages between two ranks with one tag are received in the
/// order in which they were sent; all requests make progress as long as `test` or `probe` is called.
///
/// No call blocks. Tags are those of an `epoch_tags` or of a `tag_pool`. Messages may have any size, also
/// above 2 GiB, and no bytes at all. Collectives must be begun in the same order on all ranks. Throws:
/// `mpi_error`.
class transport {
public:
    static constexpr int any_source = -1; ///< Means any rank in a probe.

    transport() = default;
    transport(transport const&) = delete;
    transport& operator=(transport const&) = delete;
    virtual ~transport() = default;

    /// Returns the number of this rank.
    [[nodiscard]] virtual int rank() const noexcept = 0;
    /// Returns the number of ranks.
    [[nodiscard]] virtual int size() const noexcept = 0;

    /// Begins to send to another rank (or to this one).
    [[nodiscard]] virtual request send(
        int destination, int tag, std::span<std::byte const> bytes, send_mode mode) = 0;

    /// Begins to receive a message of at most `room` bytes from a known source.
    [[nodiscard]] virtual request receive(int source, int tag, std::span<std::byte> room) = 0;

    /// Returns a waiting message with this tag from `source`, or from any rank, if there is such a message.
    /// The result must be passed to `receive` before the next probe.
    [[nodiscard]] virtual std::optional<envelope> probe(int source, int tag) = 0;

    /// Begins to receive the probed message; `room` has exactly its size.
    [[nodiscard]] virtual request receive(envelope const& message, std::span<std::byte> room) = 0;

    /// Returns true if the request is complete; then it becomes null, unless it was prepared. Returns true
    /// for a null request and for a prepared one that was not started.
    [[nodiscard]] virtual bool test(request& pending) = 0;

    /// Prepares a send that is begun many times, by `start`, with the same bytes. `discard` frees a send that
    /// is not in progress.
    [[nodiscard]] virtual request prepare_send(
        int destination, int tag, std::span<std::byte const> bytes) = 0;
    /// Prepares a receive that is begun many times, into the same bytes.
    [[nodiscard]] virtual request prepare_receive(int source, int tag, std::span<std::byte> room) = 0;
    /// Begins a prepared send or receive.
    virtual void start(request prepared) = 0;
    /// Frees a prepared send or receive that is not under way.
    virtual void discard(request& prepared) = 0;

    /// Begins to exchange one 64-bit word with every rank: word i of `mine` arrives at rank i.
    [[nodiscard]] virtual request all_to_all(
        std::span<std::int64_t const> mine, std::span<std::int64_t> theirs) = 0;

    /// Begins a reduce-scatter: the words i of all ranks, added up modulo 2^64, become `sum` of rank i.
    [[nodiscard]] virtual request reduce_scatter(std::span<std::int64_t const> mine, std::int64_t& sum) = 0;

    /// Begins to combine a census value over all ranks.
    [[nodiscard]] virtual request all_reduce(census_value const& mine, census_value& combined) = 0;

    /// Prepares an array of counters on every rank, all zero, for `add_remote`; every rank passes the same
    /// number. The first call is collective and blocking. Returns false, on all ranks, if this machine has no
    /// such counters.
    [[nodiscard]] virtual bool open_counters(int count) = 0;
    /// Begins to add to a counter of another rank; complete when it is added.
    [[nodiscard]] virtual request add_remote(int target, int counter, std::int64_t amount) = 0;
    /// Returns the sum that was added to a counter of this rank since the last call. The additions must be
    /// known to be complete.
    [[nodiscard]] virtual std::int64_t take_counter(int counter) = 0;

    /// Returns memory of `bytes` bytes per rank, the same number on all ranks, that the ranks of each node of
    /// `nodes` share. Collective and blocking. Returns an empty object, on all ranks, if this machine has no
    /// shared memory.
    [[nodiscard]] virtual shared_memory share(topology const& /*nodes*/, std::size_t /*bytes*/) {
        return shared_memory("this machine has no memory that ranks share");
    }

    /// Reports that an engine has copied this number of bytes, which also takes time on a simulated machine.
    virtual void account_copy(std::size_t /*bytes*/) {}
    /// Reports that this rank has written bytes to shared memory for `reader`, a rank of this node that polls
    /// it. Does nothing on a real machine; a simulated machine wakes the reader when the bytes have arrived.
    virtual void account_write(int /*reader*/, std::size_t /*bytes*/) {}

    /// Returns the seconds on the clock of this rank, which is real or that of a simulated machine.
    [[nodiscard]] virtual double seconds() const noexcept = 0;
};

} // namespace weft
