/// The activities of a rank, recorded as they happen, for a picture of all ranks (weft/io/timeline_file.hpp).
#pragma once

#include <weft/core/communicator.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The kinds of activity of a rank.
enum class span_kind : std::uint8_t {
    compute,     ///< user code: callbacks, handlers, and all code outside operations
    communicate, ///< an operation that makes progress
    wait,        ///< an operation that waits
    termination, ///< detection that all ranks have done their work
};
inline constexpr std::size_t span_kinds = 4; ///< The number of values of `span_kind`.

/// The state of a rank for some time: its activity. `name` has static lifetime.
struct timeline_state {
    span_kind kind = span_kind::compute; ///< The kind of activity.
    /// The number of further activities that were merged into this activity because they were too short.
    std::uint32_t more = 0;
    char const* name = "user code"; ///< The operation or callback that runs.
    std::int64_t number = -1;       ///< the number of a block, a round, ...; negative: no number

    friend bool operator==(timeline_state const&, timeline_state const&) = default;
};

/// A state and the time when it began, in ticks; it lasts until the next state begins.
struct timeline_segment {
    std::int64_t begin;
    timeline_state state; ///< The state that began.
};
/// An operation of the library that is not inside another operation.
struct timeline_operation {
    std::int64_t begin;
    std::int64_t end;
    char const* name;     ///< The name of the operation, of static lifetime.
    std::int64_t ordinal; ///< The number of the operation among those of this name on this rank.
};
/// A callback that ran on another thread than the one that communicates.
struct timeline_work {
    std::int64_t begin;
    std::int64_t end;
    char const* name;    ///< The name of the callback, of static lifetime.
    std::int64_t number; ///< A number that tells callbacks of one name apart, such as the id of a block.
    int thread;          ///< The number of the thread that ran the callback.
};
/// A message through MPI, recorded when its sending began or when its receiver found it.
struct timeline_message {
    std::int64_t time;  ///< The time of sending or finding, in ticks.
    std::int64_t bytes; ///< Size of the message.
    int peer;           ///< The other rank.
    int tag;            ///< Tag of the message.
    bool sent;          ///< True on the sender, false on the receiver.
};

/// Merges short segments: within each interval of `at_most` ticks, all segments of one kind become one, and
/// the total time of each kind stays the same. `end` is the time at which the last segment ends. Returns the
/// number of remaining segments, which are then at the front of `segments`.
std::size_t coarsen(std::span<timeline_segment> segments, std::int64_t end, std::int64_t at_most);

/// The recorder of a rank's activities. A rank is in one state at any time. Cost: a test of a bool while the
/// timeline is off; while it is on, a reading of the processor's clock for each change of state. The memory
/// of a timeline is bounded: when it is full, short segments are merged (`coarsen`), every second operation
/// is dropped, and further messages and work of threads are not recorded. A picture of the timeline shows the
/// whole run, even if the memory was full. Files of timelines list merged and dropped records under `limits`.
///
/// Only the thread that communicates records activities; other threads pass their work to that thread.
class timeline {
public:
    timeline() = default;
    timeline(timeline const&) = delete;
    timeline& operator=(timeline const&) = delete;

    [[nodiscard]] bool on() const noexcept { return on_; } ///< Returns true while the timeline records.
    /// Removes all records and begins again. Allocates memory for `most` segments, and the same amount of
    /// memory for records of all other kinds.
    void start(std::size_t most);
    void stop() noexcept; ///< Ends recording.

    /// Returns the time in ticks of the processor's clock that is fastest to read.
    [[nodiscard]] static std::int64_t ticks() noexcept {
#if defined(__x86_64__)
        return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
        std::int64_t now;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
        return now;
#else
        return steady_ticks();
#endif
    }
    /// Takes the time from another clock, in seconds, such as that of a simulated rank. The clock must live
    /// as long as the timeline records; a null pointer means the clock of `ticks`.
    void follow(double const* clock) noexcept {
        clock_ = clock;
    }
    /// Returns the time on the clock in use: ticks, or nanoseconds of another clock.
    [[nodiscard]] std::int64_t now() const noexcept {
        return clock_ != nullptr ? static_cast<std::int64_t>(*clock_ * 1e9) : ticks();
    }
    /// Converts ticks to seconds of the steady clock of this machine. Call `seconds_of` after `start`; the
    /// result is most exact after `stop`.
    [[nodiscard]] double seconds_of(std::int64_t ticks) const noexcept;

    /// Changes the state of this rank, and records it if the timeline is on; returns the state
    /// before.
    timeline_state switch_to(timeline_state next) noexcept {
        timeline_state const before = now_;
        change(next, now());
        return before;
    }
    /// Changes the state from time `at` on, or from the last change if that is later.
    void switch_to(timeline_state next, std::int64_t at) noexcept {
        change(next, at < since_ ? since_ : at);
    }
    /// Records the beginning of a callback, if the timeline is on. Callbacks that take less than a few
    /// microseconds are recorded in bundles, together with the time between them, so that recording stays
    /// cheap.
    void begin_callback(char const* name, std::int64_t number) noexcept {
        if (callbacks_++ > 0) return; // inside of another
        if (in_bundle_) {
            ++now_.more;
            return;
        }
        in_bundle_ = true;
        left_ = bundle_;
        around_ = switch_to({span_kind::compute, 0, name, number});
        bundle_began_ = since_;
    }
    /// Ends the callback that began last.
    void end_callback() noexcept {
        if (--callbacks_ == 0 && --left_ == 0) end_bundle();
    }
    /// Ends a bundle of short callbacks, if the timeline is on and no callback is running.
    void end_callbacks() noexcept {
        if (in_bundle_ && callbacks_ == 0) end_bundle();
    }

    /// Records the beginning of an operation, if the timeline is on; returns the state to pass to `leave` at
    /// its end.
    timeline_state enter(char const* operation) noexcept;
    void leave(timeline_state const& before) noexcept; ///< Ends the operation of `enter`.

    /// Records a message through MPI from or to a rank of the root communicator, if the timeline is on.
    void message(bool sent, int peer, int tag, std::size_t bytes) noexcept;
    /// Records a callback that ran on another thread, if the timeline is on.
    void work(timeline_work const& done) noexcept;

    /// Returns the states of this rank, by time.
    [[nodiscard]] std::span<timeline_segment const> segments() const noexcept {
        return segments_;
    }
    /// Returns the operations of this rank, by time.
    [[nodiscard]] std::span<timeline_operation const> operations() const noexcept {
        return operations_;
    }
    /// Returns the callbacks that ran on other threads.
    [[nodiscard]] std::span<timeline_work const> works() const noexcept {
        return works_;
    }
    /// Returns the messages through MPI, by time.
    [[nodiscard]] std::span<timeline_message const> messages() const noexcept {
        return messages_;
    }
    /// Returns the time when recording began, in ticks.
    [[nodiscard]] std::int64_t began() const noexcept {
        return began_;
    }
    /// Returns the time when recording ended, in ticks.
    [[nodiscard]] std::int64_t ended() const noexcept {
        return ended_;
    }
    /// Returns the ticks spent in each kind of state; merging of segments does not change them.
    [[nodiscard]] std::array<std::int64_t, span_kinds> const& totals() const noexcept {
        return totals_;
    }
    /// Returns the length in ticks below which segments were merged; 0 if no segments were merged.
    [[nodiscard]] std::int64_t resolution() const noexcept {
        return resolution_;
    }
    /// Returns n if only every n-th operation was kept; 1 if all operations were kept.
    [[nodiscard]] std::int64_t stride() const noexcept {
        return stride_;
    }
    /// Returns the number of messages and callbacks of other threads that were not recorded because there was
    /// no room.
    [[nodiscard]] std::int64_t lost() const noexcept {
        return lost_;
    }

private:
    struct count_of_name {
        char const* name;
        std::int64_t count;
    };

    [[nodiscard]] static std::int64_t steady_ticks() noexcept;
    void change(timeline_state const& next, std::int64_t now) noexcept {
        totals_[static_cast<std::size_t>(now_.kind)] += now - since_;
        if (now > since_) {
            if (segments_.size() == most_) make_room();
            segments_.push_back({since_, now_});
        }
        now_ = next;
        since_ = now;
    }
    void make_room() noexcept;
    void end_bundle() noexcept;

    bool on_ = false;
    double const* clock_ = nullptr;
    timeline_state now_;
    std::int64_t since_ = 0;
    std::size_t most_ = 0;
    std::vector<timeline_segment> segments_; // has all its memory from the start: recording cannot fail
    std::array<std::int64_t, span_kinds> totals_ = {};

    int callbacks_ = 0; // that are running, one inside of the other
    bool in_bundle_ = false;
    int left_ = 0;   // callbacks until the bundle is complete
    int bundle_ = 1; // callbacks of the next one
    std::int64_t bundle_began_ = 0;
    timeline_state around_;

    int operations_open_ = 0;
    std::int64_t operation_began_ = 0;
    char const* operation_ = nullptr;
    std::int64_t operations_begun_ = 0;
    std::int64_t stride_ = 1;
    std::vector<count_of_name> names_;
    std::vector<timeline_operation> operations_;
    std::vector<timeline_work> works_;
    std::vector<timeline_message> messages_;

    std::int64_t resolution_ = 0;
    std::int64_t lost_ = 0;
    std::int64_t began_ = 0;
    std::int64_t ended_ = 0;
    double steady_began_ = 0;
    double steady_ended_ = 0;
    double ticks_a_second_ = 1e9;
};

/// Returns the timeline of this rank; a communicator and all communicators that were split from it have the
/// same timeline. Local.
[[nodiscard]] timeline& timeline_of(communicator const& comm);

/// Names the work of user code within a scope; operations of the library inside the scope keep their own
/// names. `name` has static lifetime. While nothing is recorded, the cost is a test of a bool.
/// \code
/// weft::timeline_span const here{comm, weft::span_kind::compute, "assemble the matrix"};
/// \endcode
class timeline_span {
public:
    /// Begins a span with a name of static lifetime. `number`, such as the id of a block, distinguishes spans
    /// of one name; -1 means no number. Local.
    timeline_span(communicator const& comm, span_kind kind, char const* name, std::int64_t number = -1)
        : lane_(timeline_of(comm)), recorded_(lane_.on()) {
        if (recorded_) before_ = lane_.switch_to({kind, 0, name, number});
    }
    ~timeline_span() {
        if (recorded_ && lane_.on()) lane_.switch_to(before_);
    }
    timeline_span(timeline_span const&) = delete;
    timeline_span& operator=(timeline_span const&) = delete;

private:
    timeline& lane_;
    bool recorded_;
    timeline_state before_;
};

/// Records a callback of user code for the duration of a scope, in the thread that communicates.
class timeline_callback {
public:
    /// Records the beginning of a callback, unless `lane` is a null pointer.
    timeline_callback(timeline* lane, char const* name, std::int64_t number) noexcept
        : lane_(lane != nullptr && lane->on() ? lane : nullptr) {
        if (lane_ != nullptr) lane_->begin_callback(name, number);
    }
    ~timeline_callback() {
        if (lane_ != nullptr) lane_->end_callback();
    }
    timeline_callback(timeline_callback const&) = delete;
    timeline_callback& operator=(timeline_callback const&) = delete;

private:
    timeline* lane_;
};

} // namespace weft
