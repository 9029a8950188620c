/// Built graphs in Weft's binary form, of which each rank reads the rows of its vertices. Private.
#pragma once

#include "rows_head.hpp"

#include "io/text/line_parser.hpp"

#include <graph/stored_rows.hpp>
#include <weft/detail/core/even_shares.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft::io {

using read_progress = std::function<void(std::int64_t done, std::int64_t total)>;

/// An open file, which may be replaced meanwhile.
class row_file final : public weft::detail::stored_rows {
public:
    /// Reads the head. Collective: yes. Throws: as `read_rows_head`, agreed.
    row_file(communicator const& comm, std::filesystem::path const& file, weight_use weights,
        read_progress progress);

    [[nodiscard]] weft::detail::vertex_rows rows(
        gate& call, weft::detail::row_side side, bool weights) const override;
    [[nodiscard]] edge_list edges(gate& call, bool weights) const override;

    /// The vertices with their names. Collective: yes, within a gate. Throws: as `rows`.
    [[nodiscard]] vertex_set vertices(gate& call) const;
    /// The edges as the input named them, and what else is known of the graph, without edges. Collective,
    /// Throws: as `rows`. Cost: O(edges / P), and of labels that are text, or numbers with gaps, O(labels).
    [[nodiscard]] edge_list named_edges(gate& call) const;
    [[nodiscard]] edge_list description() const;

private:
    class share;
    void agree_on_sum(gate& call, share const& read) const;

    communicator comm_;
    file_handle file_;
    rows_head head_;
    weight_use weights_;
    read_progress progress_;
};

/// Nothing where the file is another one. Collective: yes. Throws: `io_error`, agreed.
[[nodiscard]] std::shared_ptr<row_file const> open_row_file(
    communicator const& comm, std::filesystem::path const& file, weight_use weights, read_progress progress);

/// Writes a graph as rows. Collective: yes, within a gate, whose checks are agreed. Throws: `usage_error` for
/// 2^32 - 1 vertices or more; `io_error`; agreed.
void write_rows(gate& call, edge_list graph, bool weights, std::filesystem::path const& file);

} // namespace weft::io
