#include "entry_count.hpp"

#include "body_critic.hpp"
#include "io/text/line_parser.hpp"

namespace weft::io {

void check_entry_count(std::filesystem::path const& file, graph_header const& header, std::int64_t seen) {
    if (seen == header.entries) return;
    bool const matrix = header.format == graph_format::matrix_market;
    body_critic const critic(file, header);
    if (seen < header.entries)
        critic.complain_at_end(std::string(matrix ? "entry " : "edge ") + std::to_string(seen + 1) + " of " +
                               std::to_string(header.entries));
    auto const parser = matrix ? make_matrix_market_parser(header, weight_use::none)
                               : make_dimacs_parser(header, weight_use::none);
    edge_list read;
    std::int64_t count = 0;
    std::string const declared =
        matrix ? std::to_string(header.entries) + (header.entries == 1 ? " entry" : " entries")
               : number_of(header.entries, "edge");
    critic.complain_at_line(
        "expected the end of the file after " + declared + ", found another", [&](std::string_view line) {
            parser->parse(line, read);
            count += std::ssize(read.edges);
            read.edges.clear();
            return count > header.entries;
        });
}

} // namespace weft::io
