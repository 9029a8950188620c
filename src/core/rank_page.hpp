/// The page of a rank: memory that other processes of this node read while it runs. Private.
///
/// The page is a `memfd`: it has no name in a file system, so nothing is left when the process ends in any
/// way. A process of the same user finds it below /proc/PID/fd, by the name of the memfd
/// (observe/job_pages.hpp). Only the rank writes its own data, in plain stores of aligned words; readers
/// write `wanted`, `asked` and `called`.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft {

/// The operations of one root communicator. Times are in ticks of `timeline::ticks`. A thread of the process
/// samples how time is spent (`sample_lanes`); the thread of the communicator writes the rest and reads the
/// clock only when it waits.
struct activity_lane {
    /// `operations` is the number of operations that are open, plus this constant times the number of
    /// outermost operations that have begun.
    static constexpr std::uint64_t one_begun = 1 << 16;

    std::uint32_t taken;         ///< 1: in use
    std::uint64_t operations;    ///< see `is_open` and `begun_of`; one word, since an update takes 25 ns
    char const* outer_address;   ///< the outermost operation, or the last one; null before the first
    char const* inner_address;   ///< the innermost operation if it is another one; else null
    std::int64_t wait_since;     ///< time at which the wait began; 0: it does not wait
    std::uint64_t items_sent;    ///< values that channels of mailboxes sent
    std::uint64_t items_handled; ///< values that channels of mailboxes handled

    std::uint32_t outer;        ///< the name at `outer_address`
    std::uint32_t inner;        ///< the name at `inner_address`; 0: none
    std::int64_t since;         ///< first sample in this operation, or after the last one
    std::int64_t in_operations; ///< ticks, estimated from samples
    std::int64_t waited;        ///< ticks of these spent in waits
    std::int64_t sampled_at;    ///< time of the last sample
    std::uint64_t begun_then;   ///< operations begun at that sample
    std::uint32_t open_then;    ///< at that sample: 1 if in an operation
};

/// Returns true if operations are open, each inside of the previous one; false in user code.
[[nodiscard]] constexpr bool is_open(std::uint64_t operations) noexcept {
    return operations % activity_lane::one_begun != 0;
}
/// Returns the number of outermost operations that have begun.
[[nodiscard]] constexpr std::uint64_t begun_of(std::uint64_t operations) noexcept {
    return operations / activity_lane::one_begun;
}

/// The layout of one version: readers ignore pages of other versions.
struct rank_page {
    static constexpr std::uint32_t right_magic = 0x54464557; // WEFT
    static constexpr std::uint32_t right_version = 2;
    static constexpr std::size_t lane_count = 8;
    static constexpr std::size_t name_count = 256;
    static constexpr std::size_t count_slots = 64; // for communicators; the first has the sums of those freed
    static constexpr std::size_t counts_a_slot = 15; // the fields of `counters`
    static constexpr std::size_t frame_count = 48;
    static constexpr char const* memfd_name = "weft-rank-page";

    struct name {
        char const* address; ///< address in the writer, by which it looks up names
        std::array<char, 56> text;
    };

    std::uint32_t magic;
    std::uint32_t version;
    std::int32_t pid;
    std::int32_t thread; ///< the thread that made the page, which is asked for its place
    std::int32_t rank;
    std::int32_t size;
    std::int64_t ticks_at_start;
    std::int64_t nanoseconds_at_start; ///< of CLOCK_MONOTONIC
    std::array<char, 64> host;
    std::array<char, 64> program;
    std::array<char, 64> job;           ///< the same text on all ranks of a job
    std::uint32_t ended;                ///< 1: the environment has ended
    std::uint32_t answers;              ///< the signal that asks for its place; 0: not supported
    std::array<name, name_count> known; ///< the first one stands for operations that had no room
    std::array<activity_lane, lane_count> lanes;
    std::array<std::array<std::int64_t, 16>, count_slots> counts;
    std::array<std::uint32_t, count_slots> counts_taken;

    std::uint32_t wanted;            ///< 1: a reader wants `wait_text`
    std::uint32_t told;              ///< odd while the text is written
    std::array<char, 248> wait_text; ///< the reason for the wait of this rank
    std::atomic<std::int64_t>
        watched_at;            ///< nanoseconds of the last look of a reader: samples are then more frequent
    std::int64_t wait_told_at; ///< ticks

    std::atomic<std::uint32_t> asked;             ///< incremented when a reader asks for the frames
    std::atomic<std::uint32_t> answered;          ///< the last value of `asked` with an answer
    std::uint32_t frames;                         ///< number of frames
    std::array<std::uint64_t, frame_count> frame; ///< return addresses, the innermost first
    std::array<char, 200> place;                  ///< file and line of an interpreter; empty without one
    std::atomic<std::int64_t> called; ///< nanoseconds of the last roll call by a rank of this node
};

/// Returns the page of this process; null if it has none. The first root on MPI makes it.
[[nodiscard]] rank_page* page_of_process() noexcept;
/// Makes the page, once, unless the process shows nothing, and enables questions (`answer_roll_calls`). If
/// the system gives no memory, there is no page.
void open_rank_page(int rank, int size) noexcept;
/// To be called when the environment has ended.
void close_rank_page() noexcept;
/// Lets this process answer questions. Defined in src/observe/roll_call.cpp.
void answer_roll_calls(rank_page& page) noexcept;

/// Nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
[[nodiscard]] std::int64_t monotonic_nanoseconds() noexcept;

} // namespace weft
