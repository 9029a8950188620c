/// Where a rank gets its lines from: its byte range of a plain file, or from rank 0, which unpacks.
#pragma once

#include "io/formats/graph_header.hpp"
#include "line_chunks.hpp"

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace weft::io {

/// Whole lines as `line_chunks` gives them, and where they stand in the text.
struct text_block {
    std::string_view text;
    std::int64_t offset = 0;
};

/// The lines of one rank, in rounds of blocks.
class block_source {
public:
    virtual ~block_source() = default;

    /// Collective. Nothing is thrown: what goes wrong on a rank comes from its `next`.
    virtual void begin_round() = 0;

    /// The next block of the round; empty at its end. Valid until the next call. Local. Throws: `io_error`.
    [[nodiscard]] virtual text_block next() = 0;

    /// True if this rank knows of another round; it suffices that one does.
    [[nodiscard]] virtual bool more() const noexcept = 0;

    /// For `read_options::progress`.
    [[nodiscard]] virtual std::int64_t bytes_done() const noexcept = 0;
    [[nodiscard]] virtual std::int64_t bytes_total() const noexcept = 0;
};

/// One round: the blocks of this rank's byte range of a plain file. Local. Throws: `io_error`.
[[nodiscard]] std::unique_ptr<block_source> open_own_range(communicator const& comm,
    std::filesystem::path const& file, graph_header const& header, std::int64_t block_bytes);

/// Rounds of one block for every rank, dealt out by rank 0, which gives `lines` at the start of the body.
/// Local.
[[nodiscard]] std::unique_ptr<block_source> open_dealt(communicator const& comm,
    std::unique_ptr<line_chunks> lines, graph_header const& header, std::int64_t block_bytes);

} // namespace weft::io
