/// The progress of long algorithms on graphs, round by round.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <functional>

namespace weft {

/// A function that takes the number of completed rounds and the number of all rounds, or 0 if the number of
/// all rounds is not known yet. The function must not throw, and must make no collective calls on the
/// communicator of the graph.
using round_listener = std::function<void(std::int64_t done, std::int64_t all)>;

/// Calls a listener of this rank after each round of a graph algorithm on a communicator, while the object
/// lives. Rounds are iterations of `find_pagerank` and `find_communities`, batches of `find_betweenness` (the
/// number of batches is known), levels of `find_distances`, buckets of `find_shortest_paths`, exchanges of
/// `find_core_numbers`, rounds of `find_strong_components` and `find_spanning_forest`. Other algorithms do
/// not report rounds. Local: any ranks may have listeners. Cost: if there is no listener, a test of one
/// pointer per round.
class round_watch {
public:
    /// Sets the listener. Of two `round_watch` objects on one communicator, only the later object calls its
    /// listener. Local.
    round_watch(communicator const& comm, round_listener listener);
    /// Removes the listener; the listener that was set before it is called again. Destroy `round_watch`
    /// objects in the reverse order of their construction. Local.
    ~round_watch();
    round_watch(round_watch const&) = delete;
    round_watch& operator=(round_watch const&) = delete;

private:
    communicator comm_;
    round_listener listener_;
    round_listener const* before_;
};

} // namespace weft
