/// Iterative exchange: blocks compute and send until all of them are done and no message is in flight.
#pragma once

#include <mailbox/told_items.hpp>

#include <weft/blocks/block_options.hpp>
#include <weft/core/topology.hpp>
#include <weft/detail/blocks/local_blocks.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/detail/core/prefetch.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>
#include <weft/machine/machine_model.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

namespace weft {

class mail_engine; // weft/extend/mailbox/mail_engine.hpp

/// The outcome of a callback, or a flush within one.
struct block_outcome {
    std::size_t place = 0;
    bool over = false;          ///< the callback has returned; else it has flushed `sent`
    bool done = true;           ///< result of the callback
    detail::run_list sent = {}; ///< of a flush
    std::exception_ptr thrown = {};
    std::int64_t began = 0; ///< in ticks; only of a callback on a thread while the timeline is recorded
    std::int64_t ended = 0;
    int thread = -1;
};

/// Runs the callbacks: at once, or on threads.
class block_executor {
public:
    block_executor() = default;
    block_executor(block_executor const&) = delete;
    block_executor& operator=(block_executor const&) = delete;
    virtual ~block_executor() = default;

    /// Returns true if a callback may begin now; always if none runs and all outcomes are taken.
    [[nodiscard]] virtual bool accepts() const = 0;
    /// Begins the callback of a block. It owns the block's queues, except `pending`, until it is over.
    virtual void begin(std::size_t place) = 0;
    /// Takes the next outcome; returns false if there is none.
    [[nodiscard]] virtual bool next(block_outcome& into) = 0;
};

/// While other blocks have input, buffers with few bytes wait for what the callbacks of these blocks send.
struct short_wait {
    std::size_t bytes = 0; ///< fewer bytes than this wait
    double seconds = 0;    ///< the longest time
};

/// Returns the wait that suits messages between nodes, or between ranks if there is one node: a few times as
/// long as a message takes, and as many bytes as take as long to transfer as their message takes to process.
/// Local.
[[nodiscard]] short_wait short_wait_for(machine_model const& machine, topology const& nodes) noexcept;

/// One rank's part in iexchange. It calls blocks that have input or are not done, those with input first.
/// Messages to blocks of this rank are moved, others are sent by the mailbox engine. A rank without such
/// blocks takes part in termination waves, which arriving messages cancel.
///
/// A message counts as in flight from the return, or the flush, of its callback until it is in the input of
/// its block; and a rank whose block has input does not vote. So at the end every message has been offered to
/// a later callback.
///
/// Cost: O(1) for each callback and each run, at any number of blocks.
/// Source: Morozov and others, LDAV 2021, algorithms 1 to 5, with `termination` in place of algorithm 5.
class iexchange_engine final : public engine {
public:
    /// Adds two channels to `mail`, in the same order on all ranks. `mail` and `local` must outlive it.
    iexchange_engine(
        transport& via, mail_engine& mail, detail::local_blocks& local, short_wait between_callbacks = {});

    /// Begins a phase, on all ranks. Messages in `out` of the blocks are sent first. `failed`: an
    /// earlier exception of this rank, treated as one of a callback. `executor` must live until
    /// done.
    void begin(block_executor& executor, iexchange_options const& options, std::exception_ptr failed);
    /// Done when no rank has work left.
    [[nodiscard]] progress step() override;
    /// Ends the phase: throws the exception of a callback, on all ranks.
    void end();
    /// The phase cannot end: waits for callbacks on threads, and begins none.
    void give_up();

    /// Sends the messages of a callback so far. Called by callbacks of an executor that runs them at once.
    void flush(detail::block_queues& queues);

    [[nodiscard]] iexchange_counters const& counters() const noexcept { return counters_; }
    /// Returns true if the next step does nothing unless a message comes: no block has work or input, and
    /// the last step has found that all that has come was read.
    [[nodiscard]] bool rests() const noexcept;
    /// Begins to load into the cache what a step reads, but for the mailbox.
    void prefetch() const noexcept {
        detail::prefetch(&executor_, sizeof(void*));
        detail::prefetch(&states_, sizeof(std::vector<block_state>) + 2 * sizeof(row)); // to `unfinished_`
        detail::prefetch(&held_since_, sizeof held_since_);
    }

private:
    class run_channel;
    class stop_channel;
    enum class listing : std::uint8_t { none, unfinished, input };
    struct block_state {
        bool done = false;
        bool running = false;
        listing where = listing::none;
        bool among_unfinished = false; // the listing may have changed since
        std::size_t pending_bytes = 0;
    };
    /// A message that was not sent for lack of room.
    struct waiting_message {
        block_id from;
        detail::run_list runs;
        std::size_t next;
    };
    /// A queue of places.
    struct row {
        std::vector<std::size_t> places;
        std::size_t first = 0;
        [[nodiscard]] bool empty() const noexcept { return first == places.size(); }
        [[nodiscard]] bool has_other_than(std::size_t place) const noexcept {
            return !empty() && (places[first] != place || first + 1 != places.size());
        }
        void push(std::size_t place) { places.push_back(place); }
        [[nodiscard]] std::size_t pop();
    };

    void arrives(detail::wire_run const& head, std::span<std::byte const> items);
    /// `add(list, from)` appends the run.
    template <class Add>
    void arrives(detail::wire_run const& head, Add&& add);
    void offer(std::size_t place, std::size_t bytes);
    void list(std::size_t place);
    [[nodiscard]] bool take_ready(std::size_t& place);
    void start(std::size_t place);
    void collect(block_outcome& outcome);
    void deliver(block_id from, detail::run_list& sent);
    [[nodiscard]] bool send(block_id from, detail::run_list& sent, std::size_t& next);
    [[nodiscard]] bool send_away(block_id from, detail::block_run const& run);
    void send_waiting();
    [[nodiscard]] bool may_receive() const noexcept;
    [[nodiscard]] progress receive();
    void hand_over(std::size_t few);
    void fail(std::exception_ptr thrown, std::string const& where);
    void stop_everywhere();
    void stop(); // in this phase, or if none is open, in the next one

    transport& via_;
    mail_engine& mail_;
    detail::local_blocks& local_;
    short_wait between_callbacks_;
    detail::owned<run_channel> runs_;
    detail::owned<stop_channel> stops_;
    int run_number_;
    int stop_number_;
    block_executor* executor_ = nullptr; // of the current phase; null between phases
    iexchange_options options_;
    bool stopped_ = false;
    bool has_read_all_ = false; // the last step, also what a wave of termination has sent
    std::vector<block_state> states_;
    row with_input_;
    row unfinished_;
    std::size_t running_ = 0;
    std::size_t queued_bytes_ = 0;
    std::vector<waiting_message> waiting_;
    // Input of a phase that this rank has not begun. It has no bound: the rank is in another operation, which
    // may need messages to be received.
    detail::run_list early_;
    std::vector<block_id> early_receivers_;
    bool early_stop_ = false;
    double held_since_ = -1; // time since buffers are held back; negative: none are
    double busy_since_ = -1; // time at which callbacks began or buffers were last sent; negative: none run
    double looked_at_ = 0;   // the last time at which messages were looked for while callbacks had input
    double look_took_ = 0;   // seconds of a look that found nothing
    iexchange_counters counters_;
    told_items told_;
};

} // namespace weft
