/// The roll call: one sentence about where all ranks of this node are. Private.
///
/// Every process with a page answers two signals, unless its program has given them a meaning. The first, a
/// real-time signal, asks where it is: the handler writes the return addresses of its thread into the page.
/// The second is SIGUSR1, by which a person has the process call the roll on standard error. Whatever may
/// take memory or a lock is done by a thread that sleeps otherwise.
#pragma once

#include "job_pages.hpp"

#include <string>
#include <vector>

namespace weft {

/// A rank as the sentence has it.
struct called_rank {
    rank_state state;
    std::string place; ///< file and line; empty if it is not known
};

/// Asks the ranks of pages where they are, waits for at most 0.7 s, and reads them.
[[nodiscard]] std::vector<called_rank> call_ranks(std::vector<shared_page> const& pages);

/// The sentence: "3 of 4 ranks wait in mailbox drain at FILE:41 (for 12 s); rank 1 is in user code at
/// FILE:38, last Weft call exchange (12 s ago)". Ranks are those of one job on one node.
[[nodiscard]] std::string sentence_of(std::vector<called_rank> const& ranks);

/// The sentence about the ranks of this job on this node, unless this process has no page, or another rank of
/// the node has called the roll in the last `seconds` / 2 (at least half a second).
[[nodiscard]] std::string call_roll(double seconds);

/// Where an interpreter is in its program, as a file and its line; called on a thread of its own. Null for
/// none.
using place_in_interpreter = std::string (*)();
/// Sets it for this process.
void ask_interpreter(place_in_interpreter place) noexcept;

} // namespace weft
