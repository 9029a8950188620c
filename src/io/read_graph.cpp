#include <weft/io/read_graph.hpp>

#include "io/formats/binary_graph.hpp"
#include "io/formats/binary_head.hpp"
#include "io/formats/body_critic.hpp"
#include "io/formats/entry_count.hpp"
#include "io/formats/graph_formats.hpp"
#include "io/formats/graphml.hpp"
#include "io/formats/metis_vertices.hpp"
#include "io/formats/numpy_edges.hpp"
#include "io/formats/numpy_header.hpp"
#include "io/formats/parse_metis.hpp"
#include "io/formats/row_file.hpp"
#include "io/text/block_source.hpp"
#include "io/text/line_parser.hpp"

#include <weft/collective/gather.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <array>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

namespace weft {

namespace {

using namespace io;

/// How the parsing of a round ended on this rank.
struct round_end {
    std::optional<malformed> bad_line; ///< With its offset in the whole text.
    std::exception_ptr failure;        ///< Anything else that went wrong.
    bool text_label = false;           ///< Stopped at a label that is no number.
};

enum class round_outcome { more, finished, text_label };

/// Reads one file. All ranks go through the same steps; a step that may fail ends in an agreement.
class graph_reader {
public:
    graph_reader(communicator const& comm, std::filesystem::path file, read_options const& options)
        : comm_(comm), file_(std::move(file)), options_(options) {}

    edge_list read() {
        read_header_everywhere();
        if (header_.format == graph_format::numpy)
            return read_numpy_edges(comm_, file_, weights_to_read(), options_.progress);
        if (header_.format == graph_format::binary) {
            gate call(comm_, "read_graph");
            if (auto const rows = open_row_file(comm_, file_, weights_to_read(), options_.progress))
                return rows->named_edges(call);
            return read_binary_graph(comm_, file_, weights_to_read(), options_.progress);
        }
        if (header_.format == graph_format::graphml) return read_graphml_on_rank_0();
        bool const is_list = lists_labels();
        std::optional<edge_list> graph =
            read_body(is_list ? vertex_naming::numbers : vertex_naming::declared);
        if (!graph) graph = read_body(vertex_naming::text);
        if (header_.format == graph_format::edge_list && header_.entries > 0) warn_of_counts(*graph);
        return std::move(*graph);
    }

private:
    /// True if vertices are the labels that occur, and edges are not declared.
    bool lists_labels() const noexcept {
        return header_.format == graph_format::edge_list || header_.format == graph_format::csv;
    }

    void read_header_everywhere() {
        agreed(comm_, [&] {
            if (options_.columns.size() == 1 || options_.columns.size() > 3)
                throw usage_error("read_graph: expected two or three columns, found " +
                                  std::to_string(options_.columns.size()));
            if (options_.columns.size() == 3 && !options_.weight.empty())
                throw usage_error("read_graph: the column of weights is given twice, \"" +
                                  options_.columns[2] + "\" and \"" + options_.weight + '"');
            if (options_.block_bytes < 1)
                throw usage_error("read_graph: expected block_bytes of at least 1, found " +
                                  std::to_string(options_.block_bytes));
            if (options_.decimal != '.' && options_.decimal != ',')
                throw usage_error(std::string("read_graph: expected a dot or a comma as decimal, found '") +
                                  options_.decimal + '\'');
            if (comm_.rank() == 0) open();
        });
        header_ = broadcast(comm_, header_);
    }

    /// NumPy or binary, by the first bytes unless the caller or the name says something else.
    graph_format format_without_lines(file_handle const& file) const {
        std::array<char, 8> start{};
        std::size_t const got = file.read(start.data(), start.size(), 0);
        std::string_view const bytes(start.data(), got);
        graph_format const asked =
            options_.format != graph_format::automatic ? options_.format : format_of_suffix(file_, true);
        if (asked == graph_format::numpy || asked == graph_format::binary) return asked;
        if (options_.format == graph_format::automatic) {
            if (bytes.starts_with(numpy_magic)) return graph_format::numpy;
            if (bytes.starts_with(binary_magic)) return graph_format::binary;
        }
        return graph_format::automatic;
    }

    void open() {
        file_handle opened = file_handle::open_to_read(file_);
        packing const packed = packing_of(opened);
        std::int64_t const bytes = opened.size();
        if (graph_format const found = format_without_lines(opened); found != graph_format::automatic) {
            if (asks_for_csv(options_))
                throw io_error(file_.string() + ": expected a CSV file where columns are asked for, found " +
                               (found == graph_format::numpy ? "NumPy's" : "Weft's binary form"));
            header_.format = found;
            return;
        }
        first_pass_ = std::make_unique<line_chunks>(open_stream(std::move(opened), packed));
        try {
            header_ = read_header(*first_pass_, file_, options_);
            if (header_.may_have_header && options_.warn)
                options_.warn(file_.string() +
                              ": the first line is read as an edge, and its labels are nowhere below; say "
                              "if it is a header");
            if (options_.weights && header_.field == matrix_field::complex)
                throw malformed{0, "expected real values where weights are asked for, found complex ones"};
            if (options_.lengths && header_.symmetry == matrix_symmetry::skew)
                throw malformed{0, "expected weights of at least 0, found a skew-symmetric matrix"};
        } catch (malformed const& bad) {
            throw io_error(complaint_at(file_, packed, bad.offset, bad.complaint));
        }
        header_.packed = packed;
        header_.file_bytes = bytes;
    }

    /// XML can only be read from its beginning.
    edge_list read_graphml_on_rank_0() {
        edge_list graph;
        agreed(comm_, [&] {
            if (comm_.rank() == 0)
                graph = read_graphml(*open_text(file_, header_.packed), file_, weights_to_read());
        });
        constexpr std::uint64_t is_directed = 1, is_weighted = 2;
        census_value told = census_value::identity();
        told.any = (graph.directed ? is_directed : 0) | (graph.weighted ? is_weighted : 0);
        told = combine_all(comm_, told);
        graph.directed = (told.any & is_directed) != 0;
        graph.weighted = (told.any & is_weighted) != 0;
        graph.naming = vertex_naming::text;
        graph.format = "GraphML";
        graph.file_bytes = header_.file_bytes;
        return graph;
    }

    /// Nothing where a label turned out to be no number.
    std::optional<edge_list> read_body(vertex_naming naming) {
        edge_list graph;
        std::unique_ptr<line_parser> parser;
        std::optional<metis_vertices> vertices;
        std::unique_ptr<block_source> source;
        agreed(comm_, [&] {
            graph = describe(header_, naming);
            if (header_.format == graph_format::metis) {
                auto metis = std::make_unique<metis_parser>(header_, weights_to_read());
                vertices.emplace(comm_, *metis);
                parser = std::move(metis);
            } else {
                parser = make_parser(naming);
            }
            source = open_source();
        });
        for (round_outcome outcome = round_outcome::more; outcome == round_outcome::more;) {
            source->begin_round();
            outcome = agree_on(parse_round(*source, *parser, graph), source->more());
            if (outcome == round_outcome::text_label) return std::nullopt;
            if (vertices) vertices->end_round(graph);
        }
        if (vertices)
            vertices->check(file_, header_, graph);
        else if (!lists_labels())
            check_entries(graph);
        return graph;
    }

    weight_use weights_to_read() const noexcept {
        if (!options_.weights) return weight_use::none;
        return options_.lengths ? weight_use::lengths : weight_use::numbers;
    }

    /// For the formats whose lines do not depend on their place.
    std::unique_ptr<line_parser> make_parser(vertex_naming naming) const {
        switch (header_.format) {
        case graph_format::matrix_market:
            return make_matrix_market_parser(header_, weights_to_read());
        case graph_format::dimacs:
            return make_dimacs_parser(header_, weights_to_read());
        case graph_format::csv:
            return make_csv_parser(header_, weights_to_read(), naming);
        default:
            return naming == vertex_naming::text ? make_text_list_parser(header_, weights_to_read())
                                                 : make_number_list_parser(header_, weights_to_read());
        }
    }

    std::unique_ptr<block_source> open_source() {
        if (header_.packed == packing::plain) {
            first_pass_.reset();
            return open_own_range(comm_, file_, header_, options_.block_bytes);
        }
        std::unique_ptr<line_chunks> lines = std::move(first_pass_);
        if (comm_.rank() == 0 && !lines) {
            lines = std::make_unique<line_chunks>(open_text(file_, header_.packed));
            (void)lines->peek(static_cast<std::size_t>(header_.body));
            lines->skip(static_cast<std::size_t>(header_.body));
        }
        return open_dealt(comm_, std::move(lines), header_, options_.block_bytes);
    }

    /// Parses the blocks of a round. Local; throws nothing.
    round_end parse_round(block_source& source, line_parser& parser, edge_list& graph) const {
        text_block block;
        try {
            while (true) {
                block = source.next();
                if (block.text.empty()) return {};
                bool const first = graph.edges.empty();
                parser.parse(block.text, graph);
                if (first && header_.packed == packing::plain) reserve(graph, source);
                if (options_.progress) options_.progress(source.bytes_done(), source.bytes_total());
            }
        } catch (text_label const&) {
            return {.bad_line = {}, .failure = {}, .text_label = true};
        } catch (malformed const& bad) {
            return {.bad_line = malformed{block.offset + bad.offset, bad.complaint}, .failure = {}};
        } catch (...) { return {.bad_line = {}, .failure = std::current_exception()}; }
    }

    /// Makes room for all edges when the first block has told how many there are to a byte: growing step by
    /// step would move gigabytes.
    void reserve(edge_list& graph, block_source const& source) const {
        double const share =
            static_cast<double>(source.bytes_done()) / static_cast<double>(source.bytes_total());
        if (share > 0.5) return;
        auto const expected =
            static_cast<std::size_t>(1.05 * static_cast<double>(graph.edges.size()) / share);
        weft::detail::reserve_in_huge_pages(graph.edges, expected);
        if (options_.weights) weft::detail::reserve_in_huge_pages(graph.weights, expected);
    }

    /// True if there is another round. Throws, on all ranks, the error of the lowest bad line, or another
    /// where there is no bad line. Where a label is text, bad lines are left to the second pass.
    round_outcome agree_on(round_end const& mine, bool more) const {
        constexpr std::uint64_t any_more = 1, any_text = 2, any_failure = 4;
        std::int64_t order = std::numeric_limits<std::int64_t>::max();
        if (mine.bad_line) order = mine.bad_line->offset;
        census_value told = census_value::identity();
        told.max[0] = -order;
        told.any =
            (more ? any_more : 0) | (mine.text_label ? any_text : 0) | (mine.failure ? any_failure : 0);
        census_value const all = combine_all(comm_, told);
        bool const failed = (all.any & any_failure) != 0;
        bool const bad_line = -all.max[0] != std::numeric_limits<std::int64_t>::max();
        if ((all.any & any_text) != 0 && !failed) return round_outcome::text_label;
        if (bad_line || failed)
            agreed(comm_, [&] {
                if (bad_line && order == -all.max[0]) throw_bad_line(*mine.bad_line);
                if (!bad_line && mine.failure) std::rethrow_exception(mine.failure);
            });
        return (all.any & any_more) != 0 ? round_outcome::more : round_outcome::finished;
    }

    [[noreturn]] void throw_bad_line(malformed const& bad) const {
        std::string text = complaint_at(file_, header_.packed, bad.offset, bad.complaint);
        if (header_.guessed)
            text += " (the suffix does not tell the format, so this was read as an edge list; set it)";
        throw io_error(text);
    }

    /// "3 2" above two edges is taken for an edge, and is a line of counts in most files that begin like
    /// this.
    void warn_of_counts(edge_list const& graph) const {
        bool const declares = sum(comm_, std::ssize(graph.edges)) - 1 == header_.entries;
        agreed(comm_, [&] {
            if (declares && comm_.rank() == 0 && options_.warn)
                options_.warn(file_.string() + ": the first line is read as an edge, but its second number "
                                               "is that of the edges below; if "
                                               "it is a line of counts, write # before it");
        });
    }

    void check_entries(edge_list const& graph) const {
        std::int64_t const seen = sum(comm_, std::ssize(graph.edges));
        agreed(comm_, [&] {
            if (comm_.rank() == 0) check_entry_count(file_, header_, seen);
        });
    }

    communicator const& comm_;
    std::filesystem::path file_;
    read_options const& options_;
    graph_header header_;
    std::unique_ptr<line_chunks> first_pass_; // on rank 0, behind the header
};

} // namespace

edge_list read_graph(communicator const& comm, std::string const& file, read_options const& options) try {
    gate call(comm, "read_graph");
    std::string columns;
    for (std::string const& each : options.columns) columns += '"' + each + "\" ";
    call.same("the file", file).same("format", options.format).same("weights", options.weights);
    call.same("columns", columns).same("header", options.header).same("delimiter", options.delimiter);
    call.same("decimal", options.decimal)
        .same("lengths", options.lengths)
        .same("weight", options.weight)
        .agree();
    return graph_reader(comm, file, options).read();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("read_graph");
    throw;
}

} // namespace weft
