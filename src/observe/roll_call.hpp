/// The roll call: one sentence about where all ranks of this node are. Private.
///
/// Every process with a page handles two signals, unless its program does. The first, a real-time signal,
/// asks for its place: the handler writes the return addresses of its thread into the page. The second is
/// SIGUSR1, by which a user makes the process print the roll call to standard error. A helper thread,
/// otherwise asleep, does what allocates memory or takes locks.
#pragma once

#include "job_pages.hpp"

#include <string>
#include <vector>

namespace weft {

/// A rank as described in the sentence.
struct called_rank {
    rank_state state;
    std::string place; ///< file and line; empty if it is not known
};

/// Asks the ranks of these pages for their places, waits for at most 0.7 s, and reads them.
[[nodiscard]] std::vector<called_rank> call_ranks(std::vector<shared_page> const& pages);

/// Returns the sentence: "3 of 4 ranks wait in mailbox drain at FILE:41 (for 12 s); rank 1 is in user code at
/// FILE:38, last Weft call exchange (12 s ago)". The ranks must be of one job on one node.
[[nodiscard]] std::string sentence_of(std::vector<called_rank> const& ranks);

/// Returns the sentence about the ranks of this job on this node. Empty if this process has no page, or if
/// another rank of the node has made a roll call in the last `seconds` / 2 (at least half a second).
[[nodiscard]] std::string call_roll(double seconds);

/// Returns the place of an interpreter in its program, as a file and a line. Called on the helper thread;
/// null if there is no interpreter.
using place_in_interpreter = std::string (*)();
/// Sets the function for this process.
void ask_interpreter(place_in_interpreter place) noexcept;

} // namespace weft
