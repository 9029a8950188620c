/// The pages of the ranks of this node, as any process of the same user may read them. Private.
#pragma once

#include <core/rank_page.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The page of a running process, mapped here.
using shared_page = std::shared_ptr<rank_page>;

/// The pages of all running programs of Weft that this process may look into, by job and rank. A program
/// whose environment is over, or whose page has another layout, is left out.
[[nodiscard]] std::vector<shared_page> pages_on_this_node();
/// The same again and again, for less: a process that has no page is asked seldom.
class page_finder {
public:
    [[nodiscard]] std::vector<shared_page> look();

private:
    struct page_in_file {
        shared_page page;
        std::string path;
        std::uint64_t file = 0; ///< its number: another process may have the same number of a process
        unsigned looks = 0;     ///< since it was first seen without a page
    };

    std::map<int, page_in_file> known_; // by process; without a page, those that have none
};
/// The page of a process; null if it has none that is readable.
[[nodiscard]] shared_page page_of(int pid);

enum class rank_doing { computes, communicates, waits };

/// The content of a page at one moment. Times are seconds.
struct rank_state {
    int pid = 0;
    int rank = 0;
    int size = 1;
    std::string job;
    std::string host;
    std::string program;
    bool stopped = false; ///< by a signal or a debugger
    rank_doing doing = rank_doing::computes;
    std::string verb;  ///< the outermost operation, or the last one of a rank in user code; empty: none yet
    std::string inner; ///< the innermost one, where that is another
    double since = 0;  ///< for how long it has been in the operation, or out of it
    double waits_since = 0;
    std::string waits_for; ///< empty if it has not said
    double age = 0;        ///< of the page
    double communicated = 0;
    double waited = 0;
    std::int64_t wait_began = 0; ///< in ticks; 0: it waits for nothing
    std::uint64_t operations = 0;
    std::uint64_t items_sent = 0;
    std::uint64_t items_handled = 0;
    std::int64_t messages = 0; ///< to other ranks, in buffers of shared memory too
    std::int64_t bytes = 0;
};

[[nodiscard]] rank_state read_state(rank_page const& page);

} // namespace weft
