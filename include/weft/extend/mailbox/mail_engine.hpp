/// The engine of a mailbox: buffers, hops, flow control and termination, on bytes.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/extend/mailbox/mail_channel.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/shared_memory.hpp>
#include <weft/extend/transport/transport.hpp>
#include <weft/mailbox/mailbox_counters.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/termination_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>

namespace weft {

/// The sizes of a mailbox; the same on all ranks.
struct mail_sizes {
    /// Chooses sizes for a machine: `bytes` bounds the buffers of a rank. A quarter each is for shared
    /// memory, for messages on the wire, and for messages that are kept because a handler must not wait.
    /// Messages that are being received take 1/16 more for each class of hops, and at least four buffers of
    /// the wire.
    ///
    /// If that would leave less than two buffers of 8 KiB on the wire for each next rank, messages to them
    /// wait in one shared pool: 9/16 of `bytes`, beside 7/32 for messages on the wire, 7/32 for those being
    /// received, 1/16 for rings and 1/32 for messages of handlers; with shared memory, 7/16 for the pool and
    /// 3/16 for the rings.
    mail_sizes(topology const& nodes, route how, std::int64_t bytes, bool shared);

    std::size_t ring_slot;      ///< bytes of a buffer in shared memory
    int ring_slots;             ///< buffers for a pair of ranks; at least 3, since waiting handlers may use 2
    int ring_classes;           ///< rings of a pair of ranks: also one for messages that pass through
    int ring_ranks;             ///< rings that a rank receives from, for a class
    std::size_t wire_slot;      ///< bytes of a buffer on the wire; with a pool, the most bytes
    std::size_t pool_bytes = 0; ///< bytes of the shared pool; 0: each next rank has its own buffers
    std::int64_t wire_bound;    ///< bytes of all buffers on the wire
    int most_received;          ///< buffers of the wire that hold what a class of hops has received, at most
    std::int64_t spill_bound;   ///< Bytes of messages that are kept when no room is left, at most.
    /// Returns the bytes of shared memory that each rank needs.
    [[nodiscard]] std::size_t shared_bytes() const noexcept;
    /// Returns the number of leading bytes of them that must be zero at first.
    [[nodiscard]] std::size_t control_bytes() const noexcept;
};

/// Waits when a mailbox has no room: the loop of a blocking call.
class mail_waiter {
public:
    virtual ~mail_waiter() = default;
    /// Waits after a step with the result `last` has found no room. Returns false if waiting is not allowed:
    /// then messages of a handler are kept beyond the bound.
    virtual bool wait(progress last) = 0;
    /// Begins the calls of `wait` for one message; never nested.
    virtual void begins() {}
    /// Ends the calls of `wait` for a message.
    virtual void ends() {}
};

/// The parts of an engine.
struct mail_setup {
    topology const* nodes = nullptr; ///< The nodes as seen by this rank; must outlive the engine.
    route how = route::direct;       ///< not automatic
    mail_sizes sizes;                ///< Bytes of buffers and bounds.
    shared_memory memory =
        shared_memory(); ///< `sizes.shared_bytes()` of each core, the control bytes zero; or none
    int tags[3] = {};    ///< to a rank of this node that passes on; between nodes; to the receiver
    int control_tag = 0; ///< The tag of termination and of notices.
    int long_tag = -1;   ///< and the next one: of long messages that travel as they are
    /// The length from which on messages to ranks without shared memory travel in one piece; all others are
    /// split.
    std::size_t long_bytes = ~std::size_t{0};
    mail_waiter* waiter = nullptr; ///< Waits for room in place of the caller; may be null.
    timeline* lane = nullptr;      ///< The timeline that records handlers.
    counters* count = nullptr;     ///< the counters to which it adds its messages at the end of each phase
    int nesting = 32;              ///< The most handlers inside handlers.
    /// Largest number of cursors, a power of two; with more ranks, several share a cursor and evict each
    /// other.
    std::size_t cursors = 4096;
    /// Cursors, a few at first, and buffers, of 512 bytes at first, double on demand: for thousands of
    /// engines in one process. Growing moves cursors, so no channel that stores one may be added.
    bool grows = false;
    termination_kind termination = termination_kind::counted_waves; ///< how a phase ends
    /// The transport of the collectives of other termination kinds, if it is not that of the messages;
    /// nothing else may begin collectives there. Must outlive the engine.
    transport* collectives = nullptr;
};

/// One rank's part in a mailbox. Senders write items at cursors, one for each destination, into buffers that
/// a next rank will read in place: slots of rings in shared memory, or buffers of the wire. A buffer holds
/// runs: a head that names channel, destination and source, and the items. Ranks on the way append whole runs
/// to their own buffers.
///
/// The engine cannot deadlock, for these reasons: a hop waits only for room in hops of a later class (to a
/// forwarding rank of its own node; between nodes; to the receiver on its node); the last class is drained by
/// handlers; and handlers never only wait for room: messages without room spill to the heap, and beyond the
/// bound of the spill the handler handles messages that have arrived while it waits. Each class has buffers
/// of its own. At most two messages, or an even share of half the budget if that is more, are on the wire to
/// one rank; they are sent synchronously, so that no rank is flooded.
class mail_engine final : public engine {
public:
    /// The place of the next item for a destination.
    struct cursor {
        std::byte* next = nullptr; ///< The first free byte.
        std::byte* end = nullptr;
        std::uint64_t key = 0;               ///< The key of the open run; 0: no run is open.
        std::size_t place = ~std::size_t{0}; ///< The destination that has the cursor now.
    };

    /// Makes the engine; collective by its tags and shared memory.
    mail_engine(transport& via, mail_setup setup);

    /// Returns the number of this rank.
    [[nodiscard]] int rank() const noexcept { return rank_; }
    /// Returns the number of ranks.
    [[nodiscard]] int size() const noexcept { return size_; }
    /// Returns the cursors, by destination; valid for the first `own_cursors()` ranks only.
    [[nodiscard]] cursor* cursors() const noexcept { return cursors_; }
    /// Returns the number of ranks, from rank 0 on, with a cursor of their own that never moves: all or 0.
    [[nodiscard]] unsigned own_cursors() const noexcept { return own_cursors_; }
    /// Returns the cursor that a destination has, or gets by `room`.
    [[nodiscard]] cursor& cursor_at(std::size_t destination) const noexcept {
        return cursors_[destination & last_cursor_];
    }
    /// Returns the cursor with `bytes` bytes of room in a run of this key; calls `room` if there is less.
    [[nodiscard]] cursor& cursor_with_room(std::size_t destination, std::uint64_t key, std::size_t bytes) {
        cursor& at = cursor_at(destination);
        if (at.key != key || at.place != destination || at.end - at.next < static_cast<std::ptrdiff_t>(bytes))
            [[unlikely]]
            (void)room(destination, key, bytes);
        return at;
    }

    /// Adds a channel, which must outlive the engine, and returns its number, the same on all ranks if they
    /// add channels in the same order. Throws `usage_error` beyond 4,095 channels.
    int add(mail_channel& channel);
    /// Closes a channel: see `channel::close`. Throws: `usage_error` in a handler of any mailbox.
    void close(int channel);
    /// Returns the key of runs of this rank's own messages on a channel. Not 0.
    [[nodiscard]] std::uint64_t key_of(int channel) const noexcept {
        return std::uint64_t{static_cast<unsigned>(rank_)} << 32 | static_cast<unsigned>(channel + 1);
    }

    /// Makes room for `bytes` bytes at the cursor of a rank, in a run of this key; the caller fills them and
    /// moves `next`. While it waits for room, it handles messages. `bytes` is at most `longest_item()`.
    std::byte* room(std::size_t destination, std::uint64_t key, std::size_t bytes);
    /// Does the same as `room` without waiting; null if there is no room now.
    [[nodiscard]] std::byte* try_room(std::size_t destination, std::uint64_t key, std::size_t bytes);
    /// Returns the bytes of the longest item that a buffer holds.
    [[nodiscard]] std::size_t longest_item() const noexcept;

    /// Sends a message that is longer than a run: in pieces, or in one piece from `long_bytes` on. Waits as
    /// `room` does, and for the receiver if the message exceeds the buffers. `head` is a short prefix.
    void send_long(int destination, int channel, std::span<std::byte const> message,
        std::span<std::byte const> head = {});
    /// Sends a run to every rank, including this one. Waits.
    void broadcast(int channel, std::span<std::byte const> run);
    /// Sends a message that is longer than a run to every rank. Waits.
    void broadcast_long(int channel, std::span<std::byte const> message);

    /// Receives, handles and forwards messages; hands over full buffers only.
    progress receive();
    /// Receives, handles and forwards messages and, if there were none, hands over partly filled buffers.
    /// Takes part in waves of termination while `drains` is set. Done only after `abandon`.
    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// Returns true if a step that follows one does nothing unless a message comes: this rank has voted that
    /// it has no work, and nothing that has come or goes is left to it. False where memory is shared.
    [[nodiscard]] bool rests() const noexcept;
    /// Begins to load into the cache what a step reads, in stages from 0 to 2: each reads what those before
    /// have loaded. For simulated ranks, which take turns on one processor.
    void prefetch(int stage) const noexcept;
    /// Hands over buffers with at least `at_least` bytes whose next rank has taken the previous one. Returns
    /// true if other buffers are left.
    bool hand_over(std::size_t at_least);
    /// Hands over the buffer for a rank, also if that rank has not taken the previous one.
    void flush(std::size_t destination);
    /// Reports a failure outside of handlers, with the effect of a handler that throws. The first error
    /// counts; on other ranks its text begins with `where`.
    void fail(std::exception_ptr thrown, std::string where);
    /// Declares that this rank has no work except messages, so that termination waves may begin.
    void set_drains(bool now) noexcept;
    /// Sets `drains`, and votes at once if no message is open: without sent messages, no step is needed
    /// first.
    void begin_drain();
    /// Returns the number of completed phases.
    [[nodiscard]] std::int64_t phase() const noexcept;
    /// Returns true if all ranks drain and no message is in flight: the phase is complete.
    [[nodiscard]] bool is_quiet() const noexcept;
    /// Begins the next phase after a complete one; throws the error of a handler, on all ranks.
    void begin_next_phase();

    /// Called when its owner is destroyed: the engine only waits for buffers that MPI still uses. After that,
    /// `step` returns done.
    void abandon() noexcept { abandoned_ = true; }
    /// Returns the memory of its rings after its last step. No other function may be called after that.
    [[nodiscard]] shared_memory take_memory() noexcept;
    /// Throws: `usage_error` if this rank has stopped receiving because too many bytes wait for channels that
    /// it has not made yet.
    void check_can_read() const;
    /// Returns true if no message was sent or received since the last phase ended.
    [[nodiscard]] bool unused_since_quiet() const noexcept;
    /// Returns counts of this rank's messages and buffers so far.
    [[nodiscard]] mailbox_counters counters() const noexcept;
    /// Returns true while a handler of this mailbox runs.
    [[nodiscard]] bool in_handler() const noexcept;
    /// Throws: `usage_error` in a handler of any mailbox of this thread, which names the call.
    static void expect_no_handler(char const* call);
    /// Returns the error of a step that failed because memory was exhausted, or null. After such an error
    /// messages are lost, so no phase can end, and steps do nothing.
    [[nodiscard]] std::exception_ptr const& lost() const noexcept { return lost_; }
    /// Returns the largest number of bytes of messages that are kept when no room is left.
    [[nodiscard]] std::int64_t spill_bound() const noexcept;

    /// While this object lives, sends never wait: messages are stored on the heap, also beyond the bound. For
    /// senders that are bounded in another way.
    class no_waiting {
    public:
        /// Begins the time in which messages do not wait.
        explicit no_waiting(mail_engine& mail) noexcept : mail_(mail) { ++mail_.no_waiting_; }
        ~no_waiting() { --mail_.no_waiting_; }
        no_waiting(no_waiting const&) = delete;
        no_waiting& operator=(no_waiting const&) = delete;

    private:
        mail_engine& mail_;
    };

private:
    struct parts; // src/mailbox/mail_parts.hpp
    [[nodiscard]] bool may_spill() const noexcept;
    void append(std::size_t place, std::uint64_t key, std::span<std::byte const> run);
    void append_piece(std::size_t place, std::uint64_t key, std::span<std::byte const> head,
        std::span<std::byte const> bytes);
    void send_as_it_is(
        int destination, int channel, std::span<std::byte const> message, std::span<std::byte const> head);
    [[nodiscard]] progress step_long_messages();
    template <class Put>
    void to_all(Put&& put);
    /// Receives and sends; keeps its error in `lost_`.
    progress advance();
    [[nodiscard]] progress step_or_lose();
    void count_phase();
    [[nodiscard]] bool knows_of_no_work() const noexcept;
    /// Votes if this rank is idle, and advances a wave.
    progress terminate(bool idle);

    int rank_;
    int size_;
    cursor* cursors_ = nullptr;
    std::size_t last_cursor_ = 0; // a mask
    unsigned own_cursors_ = 0;
    int no_waiting_ = 0;
    bool abandoned_ = false;
    std::exception_ptr lost_;
    detail::owned<parts> parts_;
};

} // namespace weft
