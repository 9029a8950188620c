#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/io/generators.hpp>
#include <weft/io/named_generator.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

using weft::generate_graph;
using namespace weft_test;

namespace {

bool is_same(weft::edge_list const& found, weft::edge_list const& expected) {
    return found.edges == expected.edges && found.vertices == expected.vertices &&
           found.format == expected.format;
}

std::string complaint_about(std::string const& text) {
    try {
        (void)generate_graph(world(), text);
    } catch (weft::usage_error const& caught) { return caught.what(); }
    return "nothing was thrown";
}

TEST(named_generator, knows_names) {
    for (char const* const text : {"rmat:3", "er:5", "rgg:7:2", "grid:3x4", "torus:3", "parts:2x5"})
        EXPECT_TRUE(weft::names_generator(text)) << text;
    for (char const* const text : {"", "rmat", "graph.txt", "rmat.mtx", "RMAT:3", "ermat:3", ":3", "C:/rmat"})
        EXPECT_FALSE(weft::names_generator(text)) << text;
}

TEST(named_generator, texts_give_the_graphs_of_their_options) {
    EXPECT_TRUE(is_same(generate_graph(world(), "rmat:6"), generate_rmat(world(), {.scale = 6})));
    EXPECT_TRUE(is_same(generate_graph(world(), "rmat:6:3,a=0.3,b=0.25,c=.25,scramble=no", {.seed = 4}),
        generate_rmat(world(),
            {.scale = 6, .edge_factor = 3, .a = 0.3, .b = 0.25, .c = 0.25, .seed = 4, .scramble = false})));
    EXPECT_TRUE(is_same(generate_graph(world(), "er:300:2.5"),
        generate_erdos_renyi(world(), {.vertices = 300, .average_degree = 2.5})));
    EXPECT_TRUE(is_same(generate_graph(world(), "er:300,probability=0.05", {.seed = 2}),
        generate_erdos_renyi(world(), {.vertices = 300, .probability = 0.05, .seed = 2})));
    EXPECT_TRUE(is_same(generate_graph(world(), "rgg:300:7", {.seed = 9}),
        generate_geometric(world(), {.vertices = 300, .average_degree = 7, .seed = 9})));
    EXPECT_TRUE(is_same(generate_graph(world(), "rgg:300,dimensions=3,radius=0.1"),
        generate_geometric(world(), {.vertices = 300, .dimensions = 3, .radius = 0.1})));
    EXPECT_TRUE(
        is_same(generate_graph(world(), "grid:7x5x3"), generate_lattice(world(), {.extents = {7, 5, 3}})));
    EXPECT_TRUE(is_same(
        generate_graph(world(), "torus:9"), generate_lattice(world(), {.extents = {9}, .periodic = true})));
}

TEST(named_generator, parts_are_random_graphs_with_links_and_a_cycle) {
    // All pairs inside, six links of each part, and a cycle.
    weft::edge_list const whole = generate_graph(world(), "parts:7x20:6,probability=1");
    EXPECT_EQ(whole.vertices, 140);
    EXPECT_EQ(weft::sum(world(), std::ssize(whole.edges)), 7 * (190 + 6 + 20));
    EXPECT_EQ(weft::expected_edges("parts:7x20:6,probability=1"), 7 * (190 + 6 + 20));
    std::int64_t links = 0;
    std::int64_t next = 0;
    for (weft::edge const& each : whole.edges) {
        bool const is_next = each.target == (each.source + 1) % 140;
        next += is_next ? 1 : 0;
        links += each.source / 20 != each.target / 20 && !is_next ? 1 : 0;
    }
    EXPECT_LE(weft::sum(world(), links), 7 * 6);
    EXPECT_GE(weft::sum(world(), links), 7 * 6 - 7);
    EXPECT_GE(weft::sum(world(), next), 140);
    // The same edges at any number of ranks: as one rank makes them.
    weft::communicator const alone = world().split(rank(), 0);
    weft::edge_list const mine = generate_graph(alone, "parts:5x100:3,probability=0.1", {.seed = 3});
    weft::edge_list const shared = generate_graph(world(), "parts:5x100:3,probability=0.1", {.seed = 3});
    EXPECT_EQ(weft::sum(world(), std::ssize(shared.edges)), std::ssize(mine.edges));
    EXPECT_TRUE(
        std::ranges::search(mine.edges, shared.edges).begin() != mine.edges.end() || shared.edges.empty());
    EXPECT_NEAR(static_cast<double>(mine.edges.size()), 5 * (495 + 3 + 100), 100);
    // Without others there are no links, and a cycle needs three vertices.
    EXPECT_EQ(weft::sum(world(), std::ssize(generate_graph(world(), "parts:1x2:9,probability=0").edges)), 1);
    EXPECT_NE(complaint_about("parts:0x5").find("1 to 2^28 parts, found 0"), std::string::npos);
    EXPECT_NE(complaint_about("parts:3x5,probability=2").find("probability in 0..1"), std::string::npos);
    EXPECT_NE(complaint_about("parts:3").find("expected parts:PARTSxVERTICES"), std::string::npos);
}

TEST(named_generator, progress_is_that_of_the_generator) {
    std::vector<std::int64_t> totals;
    (void)generate_graph(world(), "rmat:8:4",
        {.progress = [&](std::int64_t, std::int64_t total) { totals.push_back(total); }});
    std::int64_t const share = 1024 * (rank() + 1) / size() - 1024 * rank() / size();
    EXPECT_EQ(totals, std::vector{share});
}

TEST(named_generator, texts_of_another_form) {
    std::string const rmat = "rmat:SCALE[:EDGE_FACTOR][,a=A][,b=B][,c=C][,scramble=no]";
    for (std::string const text : {"rmat:", "rmat:x", "rmat:3:", "rmat:3:4:5", "rmat:3,", "rmat:3,d=1",
             "rmat:3,a", "rmat:3,a=", "rmat:3,a=1,a=1", "rmat:3,scramble=1", "rmat:3 ", "rmat: 3"})
        EXPECT_EQ(complaint_about(text), "\"" + text + "\": expected " + rmat);
    EXPECT_EQ(complaint_about("rmat:4294967300"),
        "\"rmat:4294967300\": expected a scale in 0..62, found 4294967300");
    EXPECT_EQ(complaint_about("grid:3x"), "\"grid:3x\": expected grid:WIDTHxHEIGHT[xDEPTH]");
    EXPECT_EQ(complaint_about("er:5:2,p=1"),
        "\"er:5:2,p=1\": expected er:VERTICES[:AVERAGE_DEGREE][,probability=P]");
    EXPECT_EQ(complaint_about("ring:5"), "\"ring:5\": expected " + weft::list_of_generators());
}

TEST(named_generator, sizes_are_told_beforehand) {
    EXPECT_EQ(weft::expected_edges("rmat:10:3"), 3072);
    EXPECT_EQ(weft::expected_edges("er:1000:6"), 3000);
    EXPECT_EQ(weft::expected_edges("torus:10x10x10"), 3000);
    EXPECT_EQ(weft::expected_edges("rmat:-1"), 0);
    double const found = static_cast<double>(
        weft::sum(world(), std::ssize(generate_graph(world(), "rgg:2000:20,dimensions=3").edges)));
    EXPECT_LT(weft::expected_edges("rgg:2000:20,dimensions=3"), found);
    EXPECT_NE(complaint_about("grid:1000000x1000000x1000").find("of memory"), std::string::npos);
}

} // namespace
