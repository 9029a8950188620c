/// METIS: a line's place in the file names the vertex whose neighbours it lists.
#pragma once

#include "io/text/line_parser.hpp"

#include <cstdint>

namespace weft::io {

/// "[size] [weights] neighbour [weight] neighbour [weight] ...", empty for a vertex without neighbours. A
/// parser that starts inside the file does not know its first vertex, so sources count from 0 at its first
/// line until a rank that knows it adds the number of lines before.
class metis_parser final : public line_parser {
public:
    metis_parser(graph_header const& header, weight_use weights);

    void parse(std::string_view lines, edge_list& into) override;

    /// Lines of vertices so far.
    [[nodiscard]] std::int64_t lines() const noexcept { return lines_; }

    /// How many of them are not blank.
    [[nodiscard]] std::int64_t lines_with_text() const noexcept { return lines_with_text_; }

    /// How many there are up to the last one that is not blank.
    [[nodiscard]] std::int64_t last_with_text() const noexcept { return last_with_text_; }

    /// Counts from 0 again.
    void restart() noexcept { lines_ = lines_with_text_ = last_with_text_ = 0; }

private:
    char const* parse_vertex(std::string_view text, char const* at, edge_list& into);

    std::int64_t vertices_;
    std::int32_t numbers_before_neighbours_;
    bool weighted_;
    weight_use weights_;
    std::int64_t lines_ = 0;
    std::int64_t lines_with_text_ = 0;
    std::int64_t last_with_text_ = 0;
};

} // namespace weft::io
