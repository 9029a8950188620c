/// The rounds of long questions about graphs, told while they run.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <functional>

namespace weft {

/// A function that takes the number of rounds that are over, and that of all rounds, or 0 if it is not known
/// yet. It must not throw, and makes no collective calls on the communicator of the graph.
using round_listener = std::function<void(std::int64_t done, std::int64_t all)>;

/// Tells a listener of this rank the rounds of questions about graphs on a communicator, while the object
/// lives: iterations of `find_pagerank` and `find_communities`, batches of `find_betweenness` (whose number
/// is known), levels of `find_distances`, buckets of `find_shortest_paths`, exchanges of `find_core_numbers`,
/// rounds of `find_strong_components` and `find_spanning_forest`. Other questions have no rounds. Local:
/// ranks may have listeners or not. Cost: a look at one pointer in each round of a rank without a listener.
class round_watch {
public:
    /// Begins to tell. Of two objects on one communicator the later one is told. Local.
    round_watch(communicator const& comm, round_listener listener);
    /// Ends to tell; the listener before is told again. Objects end in the reverse order of their begins.
    /// Local.
    ~round_watch();
    round_watch(round_watch const&) = delete;
    round_watch& operator=(round_watch const&) = delete;

private:
    communicator comm_;
    round_listener listener_;
    round_listener const* before_;
};

} // namespace weft
