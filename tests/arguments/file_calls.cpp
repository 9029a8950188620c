#include "trial.hpp"

#include <weft/grids/grid_file.hpp>
#include <weft/io/load_graph.hpp>
#include <weft/io/multi_file.hpp>
#include <weft/io/read_csv.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/io/read_ndjson.hpp>
#include <weft/io/read_text.hpp>
#include <weft/io/read_vector.hpp>
#include <weft/io/timeline_file.hpp>
#include <weft/io/write_graph.hpp>
#include <weft/io/write_text.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <filesystem>

namespace arguments {

namespace {

void graph_in_file(trial& now) {
    auto const file = now.equal("file", now.file_of("a.csv", "source,target\n1,2\n2,3\n3,4\n"));
    weft::read_options how;
    how.format = now.equal("format", how.format);
    how.weights = now.equal("weights", false);
    how.columns = now.equal("columns", how.columns, {{"a"}, {"source", "target"}, {"target", "source"}});
    how.header = now.equal("header", weft::csv_header::yes);
    how.delimiter = now.equal("delimiter", '\0', {'\n', ';', ' '});
    how.decimal = now.equal("decimal", '.', {',', '\0'});
    how.lengths = now.equal("lengths", false);
    how.block_bytes = now.own("block_bytes", std::int64_t{1} << 20);
    now.under_test([&] { (void)weft::read_graph(now.comm(), file, how); });
}

void written_graph(trial& now, char const* name) {
    weft::edge_list list;
    for (std::int64_t v = now.rank(); v < 9; v += now.size()) list.edges.push_back({v, (v + 1) % 9});
    list.vertices = list.rows = list.columns = now.equal("vertices", std::int64_t{9}, {10, 0, -1});
    list.edges.front().source = now.own("source of an edge", list.edges.front().source);
    list.directed = now.equal("directed", false);
    list.weighted = now.hint("weighted", false);
    auto const file = now.equal("file", now.path(name));
    now.under_test([&] { weft::write_graph(now.comm(), list, file); });
}

void written_and_loaded_graph(trial& now) {
    weft::edge_list list;
    for (std::int64_t v = now.rank(); v < 9; v += now.size()) list.edges.push_back({v, (v + 1) % 9});
    list.vertices = list.rows = list.columns = now.equal("vertices", std::int64_t{9}, {10, 0, -1});
    list.edges.front().source = now.own("source of an edge", list.edges.front().source);
    list.directed = now.equal("directed", false);
    list.both_directions = now.equal("both_directions", false);
    auto const file = now.equal("file", now.path("out.wgraph"));
    weft::read_options how;
    how.weights = now.equal("weights", false);
    how.lengths = now.equal("lengths", false);
    now.under_test([&] {
        weft::write_built_graph(now.comm(), list, file);
        (void)weft::load_graph(now.comm(), file, how);
    });
}

void vector_in_file(trial& now) {
    auto const file = now.equal("file", now.file_of("vector.txt", "1.5\n2.5\n3.5\n"));
    auto const count = now.equal("count", std::int64_t{3});
    now.under_test([&] { (void)weft::read_vector(now.comm(), file, count); });
}

void text_in_files(trial& now) {
    auto const file = now.equal("file", now.file_of("text.txt", "a\n\"b\nc\"\n"));
    weft::text_options how;
    how.quoted = now.equal("quoted", true);
    how.fastq = now.equal("fastq", false);
    how.block_bytes = now.own("block_bytes", std::int64_t{1} << 20);
    now.under_test([&] {
        (void)weft::read_text(
            now.comm(), {file}, [](weft::text_part const&) {}, how);
    });
}

weft::csv_options csv_options(trial& now) {
    weft::csv_options how;
    how.columns = now.equal("columns", std::vector<std::string>{"id"}, {{"name"}, {"nowhere"}, {}});
    how.header = now.equal("header", true);
    how.delimiter = now.equal("delimiter", ',', {'\n', ';', '"'});
    return how;
}

void table_in_file(trial& now) {
    auto const file = now.equal("file", now.file_of("table.csv", "id,name\n1,a\n2,b\n"));
    weft::csv_options how = csv_options(now);
    how.block_bytes = now.own("block_bytes", std::int64_t{1} << 20);
    now.under_test([&] {
        (void)weft::read_csv(
            now.comm(), {file}, [](weft::csv_row const&) {}, how);
    });
}
void head_of_table(trial& now) {
    auto const file = now.equal("file", now.file_of("table.csv", "id,name\n1,a\n2,b\n"));
    weft::csv_options const how = csv_options(now);
    now.under_test([&] { (void)weft::read_csv_head(now.comm(), {file}, how); });
}
void kinds_of_table(trial& now) {
    auto const file = now.equal("file", now.file_of("table.csv", "id,name\n1,a\n2,b\n"));
    weft::csv_options const how = csv_options(now);
    now.under_test([&] { (void)weft::find_csv_kinds(now.comm(), {file}, how); });
}

void json_in_file(trial& now) {
    auto const file = now.equal("file", now.file_of("lines.ndjson", "{\"id\": 1}\n{\"id\": 2}\n"));
    weft::ndjson_options how;
    how.paths = now.equal("paths", std::vector<std::string>{"id"}, {{"a[]"}, {"a..b"}, {}});
    how.block_bytes = now.own("block_bytes", std::int64_t{1} << 20);
    now.under_test([&] {
        (void)weft::read_ndjson(
            now.comm(), {file}, [](weft::json_row const&) {}, how);
    });
}

void files_of_keys(trial& now) {
    auto const folder = now.equal("folder", now.path("texts"));
    if (now.comm().rank() == 0) std::filesystem::remove_all(now.path("texts")); // of the run before
    (void)weft::sum(now.comm(), 0);
    weft::multi_file_options how;
    how.ending = now.equal("ending", std::string(".txt"), {"/x", ""});
    how.buffer_bytes = now.own("buffer_bytes", std::int64_t{1} << 20, {-1, 0});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::multi_file out(mail, folder, how);
        out.write("a", "text");
        (void)out.close();
    });
}

void written_text(trial& now) {
    auto const file = now.equal("file", now.path("text.txt"));
    now.under_test([&] { weft::write_text(now.comm(), file, "a line\n"); });
}

void written_timeline(trial& now) {
    auto const file = now.equal("file", now.path("timeline.json"));
    weft::timeline_options how;
    how.most_segments = now.own("most_segments", std::int64_t{100});
    how.most_in_file = now.equal("most_in_file", std::int64_t{100});
    now.under_test([&] {
        weft::timeline_file lines(now.comm(), file, how);
        lines.write();
    });
}

void grid_in_file(trial& now) {
    auto const file = now.equal("file", now.file_of("grid.raw", std::string(4 * 3 * 2, 'a')));
    weft::grid_file_options how;
    how.dims = now.equal("dims", std::array<std::int64_t, 3>{4, 3, 2});
    how.type = now.equal("type", std::optional(weft::value_type::uint8));
    how.header_bytes = now.equal("header_bytes", std::int64_t{0});
    how.components = now.equal("components", 1);
    how.vectors = now.equal("vectors", false);
    how.variable = now.equal("variable", std::string());
    how.step = now.equal("step", std::int64_t{-1});
    how.channel = now.equal("channel", std::string());
    now.under_test([&] { weft::grid_file const grid(now.comm(), file, how); });
}

void boxes_of_grid(trial& now) {
    weft::grid_file grid(now.comm(), now.file_of("grid.raw", std::string(4 * 3 * 2, 'a')),
        {.dims = {4, 3, 2}, .type = weft::value_type::uint8});
    weft::box<std::int64_t> mine{3, {0, 0, 0}, {4, 3, 1}};
    mine.dimensions = now.own("dimensions", mine.dimensions, {0, 1, 2, -1, 4});
    mine.lo[0] = now.own("lo", mine.lo[0]);
    mine.hi[2] = now.own("hi", mine.hi[2]);
    now.under_test([&] { (void)grid.read<float>(mine); });
}

} // namespace

std::vector<call> file_calls() {
    return {
        {"read_graph", graph_in_file},
        {"write_graph", [](trial& now) { written_graph(now, "out.mtx"); }},
        {"write_graph, binary", [](trial& now) { written_graph(now, "out.wgraph"); }},
        {"write_built_graph, load_graph", written_and_loaded_graph},
        {"read_vector", vector_in_file},
        {"read_text", text_in_files},
        {"read_csv", table_in_file},
        {"read_csv_head", head_of_table},
        {"find_csv_kinds", kinds_of_table},
        {"read_ndjson", json_in_file},
        {"multi_file", files_of_keys},
        {"write_text", written_text},
        {"timeline_file", written_timeline},
        {"grid_file", grid_in_file},
        {"grid_file::read", boxes_of_grid},
    };
}

} // namespace arguments
