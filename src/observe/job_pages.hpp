/// The pages of the ranks of this node, as read by any process of the same user. Private.
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

/// Returns the readable pages of all running programs of Weft, by job and rank. A program whose environment
/// has ended, or whose page has another layout, is left out.
[[nodiscard]] std::vector<shared_page> pages_on_this_node();
/// Does the same repeatedly at less cost: a process without a page is rarely searched again.
class page_finder {
public:
    [[nodiscard]] std::vector<shared_page> look();

private:
    struct page_in_file {
        shared_page page;
        std::string path;
        std::uint64_t file = 0; ///< number of the file; process ids are reused
        unsigned looks = 0;     ///< searches since it was first seen without a page
    };

    std::map<int, page_in_file> known_; // by process id, also of processes without a page
};
/// Returns the page of a process; null if it has no readable one.
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
    std::string verb;  ///< the outermost operation; in user code the last one; empty if none began
    std::string inner; ///< the innermost operation, if it is another
    double since = 0;  ///< seconds since it entered the operation, or left the last one
    double waits_since = 0;
    std::string waits_for; ///< empty if the rank has not told
    double age = 0;        ///< of the page
    double communicated = 0;
    double waited = 0;
    std::int64_t wait_began = 0; ///< in ticks; 0: the rank does not wait
    std::uint64_t operations = 0;
    std::uint64_t items_sent = 0;
    std::uint64_t items_handled = 0;
    std::int64_t messages = 0; ///< to other ranks, also through shared memory
    std::int64_t bytes = 0;
};

[[nodiscard]] rank_state read_state(rank_page const& page);

} // namespace weft
