#include "call.hpp"

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
#include <utility>

namespace faults {

namespace {

void graph_in_file(trial& now, char const* name, char const* head, char const* comment) {
    std::string text = head;
    for (int i = 1; i < 800; ++i) text += std::to_string(i) + comment + std::to_string(i + 1) + "\n";
    std::string const file = now.file_of(name, text);
    weft::edge_list got;
    if (now.under_test([&] { got = weft::read_graph(now.comm(), file); }))
        now.expect(weft::sum(now.comm(), std::ssize(got.edges)) == 799);
}

/// Vertices in a row, each with its neighbours.
void row_in_file(trial& now) {
    std::string text = "3000 2999\n2\n";
    for (int i = 2; i < 3000; ++i) text += std::to_string(i - 1) + " " + std::to_string(i + 1) + "\n";
    std::string const file = now.file_of("a.graph", text + "2999\n");
    weft::edge_list got;
    if (now.under_test([&] { got = weft::read_graph(now.comm(), file); }))
        now.expect(weft::sum(now.comm(), std::ssize(got.edges)) == 5998);
}

void written_graph(trial& now) {
    weft::edge_list list;
    for (std::int64_t v = now.rank(); v < 900; v += now.size()) list.edges.push_back({v, (v + 1) % 900});
    list.vertices = list.rows = list.columns = 900;
    std::string const file = now.path("out.mtx");
    (void)now.under_test([&] { weft::write_graph(now.comm(), list, file); });
}

/// Of labels, so that the vertices are numbered for it.
void written_and_read_binary_graph(trial& now) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::text;
    for (std::int64_t v = now.rank(); v < 900; v += now.size()) {
        list.names.push_back("from " + std::to_string(v));
        list.names.push_back("to " + std::to_string(v));
        list.edges.push_back({std::ssize(list.names) - 2, std::ssize(list.names) - 1});
        list.weights.push_back(0.1 * static_cast<double>(v));
    }
    list.weighted = true;
    std::string const file = now.path("out.wgraph");
    weft::edge_list got;
    if (now.under_test([&] {
            weft::write_graph(now.comm(), list, file);
            got = weft::read_graph(now.comm(), file, {.weights = true});
        }))
        now.expect(weft::sum(now.comm(), std::ssize(got.edges)) == 900);
}

/// Labels with gaps, loops and equal edges, in both directions.
void written_and_loaded_graph(trial& now) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::numbers;
    list.directed = list.weighted = true;
    for (std::int64_t v = now.rank(); v < 900; v += now.size()) {
        list.edges.insert(list.edges.end(), {{3 * v, 3 * ((v + 1) % 900)}, {3 * v, 3 * v}, {3 * v, 0}});
        list.weights.insert(list.weights.end(), {0.1 * static_cast<double>(v), 1, 2});
    }
    std::string const file = now.path("out.wgraph");
    std::int64_t arcs = 0;
    if (now.under_test([&] {
            weft::write_built_graph(now.comm(), std::move(list), file);
            weft::graph loaded = weft::load_graph(now.comm(), file, {.weights = true});
            (void)loaded.simple();
            arcs = loaded.arcs(weft::arc_direction::both, weft::arc_weights::sum).arc_count() +
                   weft::sum(now.comm(), std::ssize(weft::read_graph(now.comm(), file).edges));
        }))
        now.expect(arcs == 2 * (900 + 898 - 1) + 3 * 900);
}

void vector_in_file(trial& now) {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += std::to_string(i) + ".5\n";
    std::string const file = now.file_of("vector.txt", text);
    std::vector<double> got;
    if (now.under_test([&] { got = weft::read_vector(now.comm(), file, 3000); })) now.expect(!got.empty());
}

void text_in_files(trial& now) {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += std::to_string(i) + "\n";
    std::string const file = now.file_of("text.txt", text);
    std::int64_t lines = 0;
    if (now.under_test([&] {
            (void)weft::read_text(now.comm(), {file}, [&](weft::text_part const& part) {
                weft::for_each_line(part.text, [&](std::string_view) { ++lines; });
            });
        }))
        now.expect(weft::sum(now.comm(), lines) == 3000);
}

void table_in_file(trial& now) {
    std::string text = "id,name\n";
    for (int i = 0; i < 2000; ++i) text += std::to_string(i) + ",\"a\nb\"\n";
    std::string const file = now.file_of("table.csv", text);
    std::int64_t rows = 0;
    std::size_t columns = 0;
    if (now.under_test([&] {
            columns = weft::read_csv_head(now.comm(), {file}).names.size() +
                      weft::find_csv_kinds(now.comm(), {file}).size();
            (void)weft::read_csv(now.comm(), {file}, [&](weft::csv_row const&) { ++rows; });
        }))
        now.expect(weft::sum(now.comm(), rows) == 2000 && columns == 4);
}

void json_in_file(trial& now) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "{\"id\": " + std::to_string(i) + ", \"t\": [\"a\\n\"]}\n";
    std::string const file = now.file_of("lines.ndjson", text);
    std::int64_t found = 0;
    if (now.under_test([&] {
            (void)weft::read_ndjson(now.comm(), {file},
                [&](weft::json_row const& row) { found += row.one(0).whole() >= 0 ? std::ssize(row[1]) : 0; },
                {.paths = {"id", "t[]"}});
        }))
        now.expect(weft::sum(now.comm(), found) == 2000);
}

void files_of_keys(trial& now) {
    std::string const folder = now.path("folder");
    if (now.rank() == 0) std::filesystem::remove_all(folder); // of the run before
    (void)weft::sum(now.comm(), 0);
    std::string const text(least_of_users, 'x');
    weft::multi_file_totals totals;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::multi_file out(mail, folder, {.buffer_bytes = 5 * std::ssize(text)});
            for (int i = 0; i < 20; ++i) out.write("key " + std::to_string(i % 10), text);
            totals = out.close();
        }))
        now.expect(totals.files == 10 && totals.bytes == 20 * std::ssize(text) * now.size());
}

void written_text(trial& now) {
    std::string const mine(6000, static_cast<char>('a' + now.rank()));
    std::string const file = now.path("text.txt");
    (void)now.under_test([&] { weft::write_text(now.comm(), file, mine); });
}

void written_timeline(trial& now) {
    std::string const file = now.path("timeline.json");
    (void)now.under_test([&] {
        weft::timeline_file lines(now.comm(), file);
        lines.write();
    });
}

void grid_in_file(trial& now) {
    std::string text = "NRRD0004\ntype: int32\ndimension: 3\nsizes: 12 12 12\nencoding: ascii\n\n";
    for (int i = 0; i < 12 * 12 * 12; ++i) text += std::to_string(i) + " ";
    std::string const file = now.file_of("grid.nrrd", text + "\n");
    weft::box<std::int64_t> const mine{3, {0, 0, 0}, {12, 12, 6}};
    std::vector<float> got;
    if (now.under_test([&] {
            weft::grid_file grid(now.comm(), file);
            got = grid.read<float>(mine);
        }))
        now.expect(got[77] == 77.0F);
}

} // namespace

std::vector<call> file_calls() {
    return {
        {"read_graph, edge list", [](trial& now) { graph_in_file(now, "a.txt", "# a graph\n", " "); }},
        {"read_graph, csv", [](trial& now) { graph_in_file(now, "a.csv", "source,target\n", ","); }},
        {"read_graph, matrix market",
            [](trial& now) {
                graph_in_file(
                    now, "a.mtx", "%%MatrixMarket matrix coordinate pattern general\n800 800 799\n", " ");
            }},
        {"read_graph, metis", row_in_file},
        {"write_graph", written_graph},
        {"write_graph, binary", written_and_read_binary_graph},
        {"write_built_graph, load_graph", written_and_loaded_graph},
        {"read_vector", vector_in_file},
        {"read_text", text_in_files},
        {"read_csv", table_in_file},
        {"read_ndjson", json_in_file},
        {"multi_file", files_of_keys, told::all, memory::large},
        {"write_text", written_text},
        {"timeline_file", written_timeline},
        {"grid_file", grid_in_file},
    };
}

} // namespace faults
