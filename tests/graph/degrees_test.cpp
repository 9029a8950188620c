#include <weft/graph/degrees.hpp>

#include "serial_graph.hpp"

using namespace weft_test;

namespace {

void expect_degrees(
    serial_graph const& serial, sharing how, weft::degree_engine engine, std::string const& name) {
    weft::simple_graph const graph(world(), share_of(serial, how));
    auto const found = weft::find_degrees(graph, engine);

    auto const expected = serial.degrees();
    std::map<std::int64_t, std::int64_t> histogram;
    std::int64_t sum_squares = 0;
    for (std::int64_t const degree : expected) {
        ++histogram[degree];
        sum_squares += degree * degree;
    }
    auto const most = std::ranges::max_element(expected); // the first of the largest

    auto const begin = expected.begin() + graph.first_vertex();
    EXPECT_EQ(found.degree, std::vector<std::int64_t>(begin, begin + graph.local_count())) << name;
    EXPECT_EQ(found.histogram, histogram) << name;
    EXPECT_EQ(found.sum_squares, sum_squares) << name;
    EXPECT_EQ(found.max_degree, expected.empty() ? 0 : *most) << name;
    EXPECT_EQ(found.max_vertex, expected.empty() ? -1 : most - expected.begin()) << name;
}

constexpr auto engines = {weft::degree_engine::exchange, weft::degree_engine::mailbox};

} // namespace

TEST(degrees, nasty_graphs) {
    for (auto const& [name, serial] : nasty_graphs())
        for (sharing const how : {sharing::round_robin, sharing::all_on_last})
            for (auto const engine : engines) expect_degrees(serial, how, engine, name);
}

TEST(degrees, random_graphs) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        auto const serial =
            random_graph(1 + static_cast<std::int64_t>(seed) * 9, static_cast<std::int64_t>(seed) * 40, seed);
        for (auto const engine : engines)
            expect_degrees(serial, sharing::random, engine, "seed " + std::to_string(seed));
    }
}
