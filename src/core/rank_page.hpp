/// The page of a rank: memory without a file, which other processes of this node read while it runs. Private.
///
/// The page is a `memfd`: it has no name in a file system, so nothing of it is left however the process ends.
/// A process of the same user finds it below /proc/PID/fd, by the name of the memfd (observe/job_pages.hpp).
/// The rank alone writes what is said of it, in plain stores of aligned words; readers write `wanted`,
/// `asked` and `called`.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft {

/// One root communicator's operations. Times are in ticks of `timeline::ticks`. A thread of the process
/// samples how time is spent (`sample_lanes`); the thread of the communicator writes the rest and reads no
/// clock but where it waits.
struct activity_lane {
    /// Of `operations`: the outermost operations that have begun, times this, are added to those that are
    /// open.
    static constexpr std::uint64_t one_begun = 1 << 16;

    std::uint32_t taken;         ///< 1: in use
    std::uint64_t operations;    ///< see `is_open` and `begun_of`; one word, since a sum takes 25 ns
    char const* outer_address;   ///< the outermost one, or the last one of user code; null: none yet
    char const* inner_address;   ///< the innermost one, where that is another; else null
    std::int64_t wait_since;     ///< when the wait began; 0: it waits for nothing
    std::uint64_t items_sent;    ///< values that channels of mailboxes sent
    std::uint64_t items_handled; ///< values that channels of mailboxes handled

    std::uint32_t outer;        ///< the name at `outer_address`
    std::uint32_t inner;        ///< the name at `inner_address`; 0: none
    std::int64_t since;         ///< the sample that first saw it in this operation, or out of the last one
    std::int64_t in_operations; ///< ticks, as far as samples tell
    std::int64_t waited;        ///< ticks of these in waits
    std::int64_t sampled_at;    ///< the last sample
    std::uint64_t begun_then;   ///< as it saw it
    std::uint32_t open_then;    ///< as it saw it: 1 in an operation
};

/// True if operations are open, each inside of the one before; false in user code.
[[nodiscard]] constexpr bool is_open(std::uint64_t operations) noexcept {
    return operations % activity_lane::one_begun != 0;
}
/// Outermost operations that have begun.
[[nodiscard]] constexpr std::uint64_t begun_of(std::uint64_t operations) noexcept {
    return operations / activity_lane::one_begun;
}

/// The layout is one version's alone: a reader passes over pages of another one.
struct rank_page {
    static constexpr std::uint32_t right_magic = 0x54464557; // WEFT
    static constexpr std::uint32_t right_version = 2;
    static constexpr std::size_t lane_count = 8;
    static constexpr std::size_t name_count = 256;
    static constexpr std::size_t count_slots = 64; // of communicators; the first sums up those that are gone
    static constexpr std::size_t counts_a_slot = 15; // the fields of `counters`
    static constexpr std::size_t frame_count = 48;
    static constexpr char const* memfd_name = "weft-rank-page";

    struct name {
        char const* address; ///< of the writer: it asks by this
        std::array<char, 56> text;
    };

    std::uint32_t magic;
    std::uint32_t version;
    std::int32_t pid;
    std::int32_t thread; ///< the thread that made the page, and is asked where it is
    std::int32_t rank;
    std::int32_t size;
    std::int64_t ticks_at_start;
    std::int64_t nanoseconds_at_start; ///< of CLOCK_MONOTONIC
    std::array<char, 64> host;
    std::array<char, 64> program;
    std::array<char, 64> job;           ///< the same text on all ranks of a job
    std::uint32_t ended;                ///< 1: the environment is over
    std::uint32_t answers;              ///< the signal upon which it says where it is; 0: it does not
    std::array<name, name_count> known; ///< the first is that of operations for which there is no room
    std::array<activity_lane, lane_count> lanes;
    std::array<std::array<std::int64_t, 16>, count_slots> counts;
    std::array<std::uint32_t, count_slots> counts_taken;

    std::uint32_t wanted;            ///< 1: a reader wants `wait_text`
    std::uint32_t told;              ///< odd while it is written
    std::array<char, 248> wait_text; ///< for what this rank waits
    std::atomic<std::int64_t>
        watched_at;            ///< nanoseconds at which a reader last looked: samples are denser then
    std::int64_t wait_told_at; ///< ticks

    std::atomic<std::uint32_t> asked;             ///< grows when a reader wants the frames
    std::atomic<std::uint32_t> answered;          ///< the last `asked` that was answered
    std::uint32_t frames;                         ///< how many there are
    std::array<std::uint64_t, frame_count> frame; ///< return addresses, the innermost first
    std::array<char, 200> place;      ///< where an interpreter is, a file and its line; empty without one
    std::atomic<std::int64_t> called; ///< nanoseconds at which a rank last called the roll of this node
};

/// The page of this process; null where it has none. The first root on MPI makes it.
[[nodiscard]] rank_page* page_of_process() noexcept;
/// Makes it, once, unless the process shows nothing, and lets it be asked (`answer_roll_calls`). Where the
/// system gives no page there is none.
void open_rank_page(int rank, int size) noexcept;
/// The environment is over.
void close_rank_page() noexcept;
/// Has this process answer those who ask. Defined in src/observe/roll_call.cpp.
void answer_roll_calls(rank_page& page) noexcept;

/// Nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
[[nodiscard]] std::int64_t monotonic_nanoseconds() noexcept;

} // namespace weft
