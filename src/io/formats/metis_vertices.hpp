/// Which vertex a line of a METIS file belongs to, and whether the file is a graph at all.
#pragma once

#include "parse_metis.hpp"

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <filesystem>

namespace weft::io {

/// Counts the lines of all ranks, round by round.
class metis_vertices {
public:
    metis_vertices(communicator const& comm, metis_parser& parser) noexcept : comm_(comm), parser_(parser) {}

    /// Ends a round: the sources of the edges that are new in `graph`, which count from this rank's first
    /// line of the round, become vertices. In the order of ranks, the lines of a round follow each other, and
    /// those of the round before. Collective. Cost: one all-to-all of words, one pass over the new edges.
    void end_round(edge_list& graph);

    /// True if the body is what the header declares. Collective. Throws: `io_error`, agreed.
    void check(std::filesystem::path const& file, graph_header const& header, edge_list const& graph) const;

private:
    communicator const& comm_;
    metis_parser& parser_;
    std::size_t numbered_edges_ = 0;
    std::int64_t lines_ = 0;           // of all ranks
    std::int64_t lines_with_text_ = 0; // of this rank
    std::int64_t last_with_text_ = 0;  // the highest number of a line of this rank
    std::int64_t loops_ = 0;           // of this rank
    std::uint64_t imbalance_ = 0;      // of this rank; see end_round
};

} // namespace weft::io
