/// Texts, graphs and particles that are written to a file and read again.
#include "../scratch_file.hpp"
#include "../traffic.hpp"
#include "../verb.hpp"

#include <weft/io/read_graph.hpp>
#include <weft/io/write_graph.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/collectives.hpp>
#include <weft/snapshots/snapshot.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace random_programs {

namespace {

bool draw_files(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    std::string const what = line.fails_by("index_twice")    ? "particles"
                             : line.fails_by("no_such_file") ? random.one_of({"graph", "particles"})
                                                             : random.one_of({"text", "graph", "particles"});
    line.set("what", what);
    line.set("items", random.one_of({0, 1, 9, 9, 300}));
    if (what == "graph") line.set("suffix", random.one_of({".txt", ".mtx", ".csv", ".txt.gz"}));
    if (what == "particles") line.set("suffix", random.one_of({".csv", ".gadget", ".checkpoint"}));
    line.set("weights", random.below(2));
    return true;
}

/// Numbers of the items of each rank, about as many as the line says.
int items_of(operation const& line, live_group const& group, int rank) {
    number const most = 2 * static_cast<number>(line.value("items"));
    return static_cast<int>(mixed({line.seed(), group.name, static_cast<number>(rank)}) % (most + 1));
}

/// Whether this rank has the items of a row that come behind those of the ranks before it, and all have all.
template <class T>
bool is_next_run(weft::communicator const& comm, std::vector<T> const& run, std::vector<T> const& row) {
    weft::prefix const place = weft::exclusive_sum(comm, std::ssize(run));
    return place.total == std::ssize(row) && place.before + std::ssize(run) <= place.total &&
           std::equal(run.begin(), run.end(), row.begin() + place.before);
}

void write_and_read_text(
    session const& of, operation const& line, live_group const& group, std::string const& file) {
    auto const text_of_rank = [&](int rank) {
        std::string made;
        for (int i = 0; i < items_of(line, group, rank); ++i)
            made +=
                item_of<std::string>(mixed({line.seed(), static_cast<number>(rank), static_cast<number>(i)}));
        return made;
    };
    weft::write_text(group.comm, file, text_of_rank(group.comm.rank()));
    std::string expected;
    for (int rank = 0; rank < group.comm.size(); ++rank) expected += text_of_rank(rank);
    std::ostringstream got;
    std::ifstream(file, std::ios::binary) >> got.rdbuf();
    of.check(got.str() == expected, line, "the file has another text");
}

/// The edges of a rank, with their weights, which a double holds to the last bit.
weft::edge_list graph_of(operation const& line, live_group const& group, int rank) {
    constexpr number vertices = 50;
    weft::edge_list made;
    bool const is_matrix = line.text("suffix") == ".mtx";
    made.naming = is_matrix ? weft::vertex_naming::declared : weft::vertex_naming::numbers;
    if (is_matrix) made.vertices = made.rows = made.columns = static_cast<std::int64_t>(vertices);
    if (is_matrix) made.first_id = 1;
    made.directed = true;
    made.weighted = line.value("weights") != 0;
    for (int i = 0; i < items_of(line, group, rank); ++i) {
        number const drawn = mixed({line.seed(), 5, static_cast<number>(rank), static_cast<number>(i)});
        made.edges.push_back({static_cast<std::int64_t>(drawn % vertices),
            static_cast<std::int64_t>(drawn / vertices % vertices)});
        if (made.weighted) made.weights.push_back(static_cast<double>(drawn >> 40) / 1024);
    }
    return made;
}

void write_and_read_graph(
    session const& of, operation const& line, live_group const& group, std::string const& file) {
    weft::edge_list all;
    for (int rank = 0; rank < group.comm.size(); ++rank) {
        weft::edge_list const part = graph_of(line, group, rank);
        all.edges.insert(all.edges.end(), part.edges.begin(), part.edges.end());
        all.weights.insert(all.weights.end(), part.weights.begin(), part.weights.end());
    }
    bool const packed = file.ends_with(".gz");
    if (!line.fails_by("no_such_file"))
        weft::write_graph(group.comm, graph_of(line, group, group.comm.rank()), file);
    weft::edge_list got =
        weft::read_graph(group.comm, file, {.weights = line.value("weights") != 0, .block_bytes = 512});
    if (packed) { // dealt out in whole lines: where they come to is not said
        of.check(weft::sum(group.comm, std::ssize(got.edges)) == std::ssize(all.edges), line,
            "the graph has another number of edges");
        number mine = 0;
        for (weft::edge const& each : got.edges)
            mine += mixed({static_cast<number>(each.source), static_cast<number>(each.target)}) >> 24;
        number expected = 0;
        for (weft::edge const& each : all.edges)
            expected += mixed({static_cast<number>(each.source), static_cast<number>(each.target)}) >> 24;
        of.check(
            weft::sum(group.comm, static_cast<std::int64_t>(mine)) == static_cast<std::int64_t>(expected),
            line, "the graph has other edges");
        return;
    }
    of.check(is_next_run(group.comm, got.edges, all.edges), line, "the graph has other edges");
    of.check(is_next_run(group.comm, got.weights, all.weights), line, "the graph has other weights");
}

weft::particle particle_of(operation const& line, std::int64_t index) {
    draws random(mixed({line.seed(), static_cast<number>(index)}));
    auto const real = [&] { return static_cast<double>(random.next() >> 12) / 1e9 - 1e6; };
    weft::particle made;
    for (double& each : made.position) each = real();
    for (double& each : made.velocity) each = real();
    made.mass = 1 + static_cast<double>(random.below(1000)) / 8;
    made.index = index;
    made.id = 7 * index + 1;
    return made;
}

void write_and_read_particles(
    session const& of, operation const& line, live_group const& group, std::string const& file) {
    weft::communicator const& comm = group.comm;
    std::int64_t const count = line.value("items") + 1;
    std::vector<weft::particle> mine;
    for (std::int64_t index = count - 1; index >= 0; --index) // on any rank, in no order
        if (mixed({line.seed(), 8, static_cast<number>(index)}) % static_cast<number>(comm.size()) ==
            static_cast<number>(comm.rank()))
            mine.push_back(particle_of(line, index));
    if (line.fails_by("index_twice") && session::fails_here(line, comm)) mine.push_back(particle_of(line, 0));
    if (line.text("suffix") == ".checkpoint")
        weft::write_checkpoint(comm, file, mine, 1.5, {.step = 3, .initial_energy = -2});
    else if (!line.fails_by("no_such_file"))
        weft::write_particles(comm, file, mine, 1.5);
    if (line.fails_by("no_such_file")) std::remove(file.c_str());
    weft::snapshot const got = weft::read_particles(comm, file);
    weft::prefix const place = weft::exclusive_sum(comm, std::ssize(got.particles));
    of.check(place.total == count, line, "the number of particles is wrong");
    for (std::size_t i = 0; i < got.particles.size(); ++i) {
        weft::particle const expected = particle_of(line, place.before + static_cast<std::int64_t>(i));
        weft::particle const& here = got.particles[i];
        of.check(here.position == expected.position && here.velocity == expected.velocity &&
                     here.mass == expected.mass && here.id == expected.id,
            line, "particle " + std::to_string(expected.index) + " is wrong");
    }
}

void run_files(session& of, operation const& line) {
    live_group const& group = of.group(line);
    std::string file = scratch_file(line, group) + line.text("suffix");
    if (line.fails_by("no_such_folder"))
        file = "/no/such/folder/" + std::to_string(line.number) + line.text("suffix");
    ending const how{!line.has("fault")             ? failure_kind::none
                     : line.fails_by("index_twice") ? failure_kind::usage
                                                    : failure_kind::file};
    std::string const what = line.text("what");
    of.expect(line, group.comm, how, [&] {
        if (what == "text") write_and_read_text(of, line, group, file);
        if (what == "graph") write_and_read_graph(of, line, group, file);
        if (what == "particles") write_and_read_particles(of, line, group, file);
        (void)weft::sum(group.comm, 1); // all have read it
        if (group.comm.rank() == 0) std::remove(file.c_str());
    });
}

} // namespace

extern verb const files_verb;
verb const files_verb{"files", 3, draw_files, nullptr, run_files};

} // namespace random_programs
