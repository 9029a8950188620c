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
    /// Sizes that suit a machine: `bytes` bounds the buffers of a rank, to a quarter each those of shared
    /// memory, those on the wire, and those that wait because a handler must not. Messages that are being
    /// received take 1/16 for each class of hops beside that, and four buffers of the wire at least.
    ///
    /// Where that would leave no two buffers of 8 KiB on the wire for each next rank, what goes there waits
    /// in a pool that all share: 9/16 of `bytes`, beside 7/32 for messages on the wire, 7/32 for those being
    /// received, 1/16 for rings and 1/32 for what waits because a handler must not; where memory is shared,
    /// 7/16 and 3/16 for the rings.
    mail_sizes(topology const& nodes, route how, std::int64_t bytes, bool shared);

    std::size_t ring_slot;      ///< bytes of a buffer in shared memory
    int ring_slots;             ///< of a pair of ranks; 3 at least: 2 may lie under handlers that wait
    int ring_classes;           ///< rings of a pair of ranks: also one for messages that pass through
    int ring_ranks;             ///< rings that a rank receives from, for a class
    std::size_t wire_slot;      ///< bytes of a buffer on the wire, at most where there is a pool
    std::size_t pool_bytes = 0; ///< what next ranks share; 0: each has buffers of its own
    std::int64_t wire_bound;    ///< bytes of all buffers on the wire
    int most_received;          ///< buffers of the wire that hold what a class of hops has received, at most
    std::int64_t spill_bound;   ///< Bytes of messages that are kept when no room is left, at most.
    /// Bytes of shared memory that each rank needs.
    [[nodiscard]] std::size_t shared_bytes() const noexcept;
    /// Of these the first ones, which must be zero at first.
    [[nodiscard]] std::size_t control_bytes() const noexcept;
};

/// Waits when a mailbox has no room: the loop of a blocking call.
class mail_waiter {
public:
    virtual ~mail_waiter() = default;
    /// Nothing could be put away after a look around that came to `last`. False if nobody may wait here: then
    /// a handler's messages are kept beyond the bound.
    virtual bool wait(progress last) = 0;
    /// Around the calls of `wait` for the room of one message; not inside of each other.
    virtual void begins() {}
    /// Ends what `begins` began.
    virtual void ends() {}
};

/// The parts of an engine.
struct mail_setup {
    topology const* nodes = nullptr; ///< must live as long, as seen by this rank
    route how = route::direct;       ///< not automatic
    mail_sizes sizes;                ///< Bytes of buffers and bounds.
    shared_memory memory =
        shared_memory(); ///< `sizes.shared_bytes()` of each core, the control bytes zero; or none
    int tags[3] = {};    ///< to a rank of this node that passes on; between nodes; to the receiver
    int control_tag = 0; ///< The tag of termination and of notices.
    int long_tag = -1;   ///< and the next one: of long messages that travel as they are
    /// From which length on messages to ranks without shared memory do; all others travel in pieces.
    std::size_t long_bytes = ~std::size_t{0};
    mail_waiter* waiter = nullptr; ///< Waits for room in place of the caller; may be null.
    timeline* lane = nullptr;      ///< where handlers are recorded
    counters* count = nullptr;     ///< the counters to which it adds its messages at the end of each phase
    int nesting = 32;              ///< handlers inside handlers, at most
    /// Cursors at most, a power of two; beyond so many ranks several share one and take it from each other.
    std::size_t cursors = 4096;
    /// Cursors, a few at first, and buffers, of 512 bytes, double as they are used: for thousands of engines
    /// in one process. Cursors move then, so no channel that keeps one may be added.
    bool grows = false;
    termination_kind termination = termination_kind::counted_waves; ///< how a phase ends
    /// Where collectives of the other kinds are begun, if not by the transport of the messages; nothing else
    /// may begin any there. Must live as long.
    transport* collectives = nullptr;
};

/// One rank's part in a mailbox. Senders write items at cursors, one for each destination, into buffers that
/// a next rank will read in place: slots of rings in shared memory, or buffers of the wire. A buffer holds
/// runs: a head that names channel, destination and source, and the items. Ranks on the way append whole runs
/// to their own buffers.
///
/// Why it cannot deadlock: a hop waits only for room in hops of a later class (to a rank of the own node that
/// passes on; between nodes; to the receiver on its node); the last is drained by handlers; and these never
/// wait for room alone: what they send beyond it spills to the heap, and beyond the bound of the spill they
/// handle what has arrived meanwhile. Each class has buffers that the others cannot take. The messages on the
/// wire to one rank take an even share of half the budget for those, and are two at least; they are sent
/// synchronously, so that no rank is flooded.
class mail_engine final : public engine {
public:
    /// The place of the next item for a destination.
    struct cursor {
        std::byte* next = nullptr; ///< The first free byte.
        std::byte* end = nullptr;
        std::uint64_t key = 0;               ///< whose run is open; 0: none is
        std::size_t place = ~std::size_t{0}; ///< the destination that has it now
    };

    /// Makes the engine; collective by its tags and shared memory.
    mail_engine(transport& via, mail_setup setup);

    /// Returns the number of this rank.
    [[nodiscard]] int rank() const noexcept { return rank_; }
    /// Returns the number of ranks.
    [[nodiscard]] int size() const noexcept { return size_; }
    /// The cursors, by destination; only the first `own_cursors()` ranks may be looked up there.
    [[nodiscard]] cursor* cursors() const noexcept { return cursors_; }
    /// The number of ranks, from rank 0 on, with a cursor of their own that stays where it is: all or 0.
    [[nodiscard]] unsigned own_cursors() const noexcept { return own_cursors_; }
    /// The cursor that a destination has, or gets by `room`.
    [[nodiscard]] cursor& cursor_at(std::size_t destination) const noexcept {
        return cursors_[destination & last_cursor_];
    }
    /// The same with `bytes` bytes of room in a run of this key, made by `room` where there is less.
    [[nodiscard]] cursor& cursor_with_room(std::size_t destination, std::uint64_t key, std::size_t bytes) {
        cursor& at = cursor_at(destination);
        if (at.key != key || at.place != destination || at.end - at.next < static_cast<std::ptrdiff_t>(bytes))
            [[unlikely]]
            (void)room(destination, key, bytes);
        return at;
    }

    /// Adds a channel, which must live as long as the engine; its number, the same on all ranks if they add
    /// theirs in the same order. Throws `usage_error` beyond 4,095 of them.
    int add(mail_channel& channel);
    /// Closes a channel: see `channel::close`. Throws: `usage_error` in a handler of any mailbox.
    void close(int channel);
    /// The key of runs of this rank's own messages on a channel. Not 0.
    [[nodiscard]] std::uint64_t key_of(int channel) const noexcept {
        return std::uint64_t{static_cast<unsigned>(rank_)} << 32 | static_cast<unsigned>(channel + 1);
    }

    /// Makes room for `bytes` bytes at the cursor of a rank, in a run of this key; the caller fills them and
    /// moves `next`. Waits where it must, and handles messages then. At most `longest_item()`.
    std::byte* room(std::size_t destination, std::uint64_t key, std::size_t bytes);
    /// Does the same as `room` without waiting; null if there is no room now.
    [[nodiscard]] std::byte* try_room(std::size_t destination, std::uint64_t key, std::size_t bytes);
    /// Returns the bytes of the longest item that a buffer holds.
    [[nodiscard]] std::size_t longest_item() const noexcept;

    /// Sends a message that is longer than a run: in pieces, or from `long_bytes` on as it is. Waits as
    /// `room` does, and for its receiver if the buffers could not take it. `head` comes before it, and is
    /// short.
    void send_long(int destination, int channel, std::span<std::byte const> message,
        std::span<std::byte const> head = {});
    /// Sends a run to every rank, this one among them. Waits.
    void broadcast(int channel, std::span<std::byte const> run);
    /// Sends a message that is longer than a run to every rank. Waits.
    void broadcast_long(int channel, std::span<std::byte const> message);

    /// Receives, handles and passes on, and hands over nothing that is not full.
    progress receive();
    /// Receives, handles, passes on and, if there was nothing to do, hands over buffers that are not full.
    /// Takes part in waves of termination while `drains` is set. Done only when it was abandoned.
    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// Hands over buffers that hold `at_least` bytes and whose next rank has taken what it was sent before;
    /// whether some that hold less, or wait for that, are left.
    bool hand_over(std::size_t at_least);
    /// Hands over what is in the buffer for a rank, also if that has not taken what it was sent before.
    void flush(std::size_t destination);
    /// This rank has failed outside of handlers: what a handler that throws means for the end of the phase.
    /// The first error counts; `where` stands before its text on the other ranks.
    void fail(std::exception_ptr thrown, std::string where);
    /// This rank has nothing to do but what messages bring: now waves may begin.
    void set_drains(bool now) noexcept;
    /// That, and votes at once if nothing is open: where nothing was sent, no look around is needed.
    void begin_drain();
    /// The number of phases that have ended.
    [[nodiscard]] std::int64_t phase() const noexcept;
    /// True if all ranks drained and nothing is in flight: the phase is over.
    [[nodiscard]] bool is_quiet() const noexcept;
    /// After that: throws what a handler threw, on all ranks; the mailbox can be used again.
    void begin_next_phase();

    /// Its owner is gone: waits only for what MPI still reads and writes. `step` is done when that has ended.
    void abandon() noexcept { abandoned_ = true; }
    /// The memory that its rings were in, when its last step is done. Nothing else may be called after.
    [[nodiscard]] shared_memory take_memory() noexcept;
    /// Throws: `usage_error` if so much came for channels that this rank has yet to make that it reads no
    /// more.
    void check_can_read() const;
    /// True if nothing was sent or received since all was quiet.
    [[nodiscard]] bool unused_since_quiet() const noexcept;
    /// Returns counts of this rank's messages and buffers so far.
    [[nodiscard]] mailbox_counters counters() const noexcept;
    /// Returns true while a handler of this mailbox runs.
    [[nodiscard]] bool in_handler() const noexcept;
    /// Throws: `usage_error` in a handler of any mailbox of this thread, which names the call.
    static void expect_no_handler(char const* call);
    /// The error by which a step has failed, for want of memory; null if none has. Then messages are lost, so
    /// no phase can end, and no step does anything.
    [[nodiscard]] std::exception_ptr const& lost() const noexcept { return lost_; }
    /// Returns the bytes of messages that are kept when no room is left, at most.
    [[nodiscard]] std::int64_t spill_bound() const noexcept;

    /// Messages sent while one of these lives wait nowhere: they spill, also beyond the bound. For what is
    /// bounded in another way.
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
    /// Votes if nothing is left to do here, and gets a wave on.
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
