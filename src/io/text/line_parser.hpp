/// From whole lines to edges: one parser a format, none of which knows of files or ranks.
#pragma once

#include "io/formats/graph_header.hpp"
#include "malformed.hpp"
#include "scan.hpp"

#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weft::io {

/// Which weights are read: none, all that are numbers, or lengths, which are finite and at least 0.
enum class weight_use : std::uint8_t { none, numbers, lengths };

/// Parses texts of whole lines as `line_chunks` gives them. Stops at the first bad line.
class line_parser {
public:
    virtual ~line_parser() = default;

    /// Appends the edges, weights and names of the lines. Throws: `malformed`.
    virtual void parse(std::string_view lines, edge_list& into) = 0;
};

/// Thrown by the parser of numeric labels at a label that is no number: the whole file is to be read as text.
struct text_label {};

/// Parsers for a file with this header.
[[nodiscard]] std::unique_ptr<line_parser> make_matrix_market_parser(
    graph_header const& header, weight_use weights);
[[nodiscard]] std::unique_ptr<line_parser> make_dimacs_parser(graph_header const& header, weight_use weights);
[[nodiscard]] std::unique_ptr<line_parser> make_number_list_parser(
    graph_header const& header, weight_use weights);
[[nodiscard]] std::unique_ptr<line_parser> make_text_list_parser(
    graph_header const& header, weight_use weights);

[[nodiscard]] std::unique_ptr<line_parser> make_csv_parser(
    graph_header const& header, weight_use weights, vertex_naming naming);

/// Throws: `malformed`, "expected ..., found " and what stands at `at`, in `text`.
[[noreturn]] void complain(std::string_view text, char const* at, std::string const& expected);

/// The weight at `at`, 1 where none are read, and moves behind it. Throws: `malformed`, "expected EXPECTED".
[[nodiscard]] double read_weight(
    std::string_view text, char const*& at, weight_use weights, char const* expected);

/// Throws: `malformed` for what is no length, where lengths are read.
void check_weight(
    std::string_view text, char const* at, double weight, weight_use weights, char const* expected);

/// The index at `at`, 1..`bound` in the file and from 0 here, and moves behind it; -1, with `at` where it
/// was, for anything else.
[[nodiscard]] inline std::int64_t scan_index(char const*& at, std::int64_t bound) noexcept {
    char const* behind = at;
    std::uint64_t number;
    if (!scan_unsigned(behind, number) || number - 1 >= static_cast<std::uint64_t>(bound) ||
        !ends_field(*behind))
        return -1;
    at = behind;
    return static_cast<std::int64_t>(number - 1);
}

/// Calls `read(at)` at the first field of each line that is not blank and at which `skips(at)` is false; it
/// moves `at` behind the line.
template <class Skips, class Read>
void for_lines(std::string_view lines, Skips&& skips, Read&& read) {
    char const* at = lines.data();
    char const* const end = at + lines.size();
    while (at != end) {
        at = skip_blanks(at);
        if (*at == '\n')
            ++at;
        else if (skips(at))
            at = next_line(at, end);
        else
            read(at);
    }
}

/// Moves behind the end of the line, which must be here. Throws: `malformed`.
inline void end_line(std::string_view text, char const*& at) {
    if (*at != '\n') complain(text, at, "the end of the line");
    ++at;
}

/// "WHAT in 1..BOUND", for complaints.
[[nodiscard]] std::string index_range(char const* what, std::int64_t bound);

} // namespace weft::io
