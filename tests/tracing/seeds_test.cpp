/// Where particles begin.
#include <tracing/seeds.hpp>

#include "formula_flow.hpp"

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/agreement.hpp>

#include <harness/mpi_test.hpp>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

using weft::seed;
using weft::vector3;
using weft_test::even_points;
using weft_test::formula_flow;

namespace {

formula_flow sheared(int nz = 4) {
    return {even_points(0, 4, 5), even_points(0, 3, 4),
        nz == 1 ? std::vector<double>{2} : even_points(0, 3, nz), [](vector3 const& at, double) -> vector3 {
            return {at[0], 0, 0};
        }};
}

/// Of all ranks, on all ranks.
std::vector<seed> made(weft::flow const& flow, std::string const& text) {
    std::vector<seed> const mine = weft::make_seeds(weft_test::world(), flow, text, 5);
    weft::outbox<seed> out(weft_test::world());
    for (int to = 0; to < weft_test::size(); ++to) out[to].append(std::span(mine));
    auto all = weft::exchange(std::move(out)).concatenate();
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].id, static_cast<std::int64_t>(i)) << text;
    return all;
}

} // namespace

TEST(seeds, every_nth_of_the_fast_points) {
    for (int const nz : {1, 4}) {
        formula_flow const flow = sheared(nz);
        std::vector<vector3> expected;
        int number = 0;
        for (double const z : flow.domain()->axes[2].points())
            for (double const y : flow.domain()->axes[1].points())
                for (double const x : flow.domain()->axes[0].points())
                    if (x >= 0.5 * 4 && number++ % 3 == 0) expected.push_back({x, y, z});
        auto const found = made(flow, "every:3,min=0.5");
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].place, expected[i]);
    }
    EXPECT_EQ(made(sheared(), "every:auto").size(), 4U * 4 * 4); // fewer than 500: all that are fast enough
}

TEST(seeds, boxes_and_planes_are_cut_evenly) {
    formula_flow const flow = sheared();
    auto const box = made(flow, "box:2,1,2,0,4,1,2,0,1");
    ASSERT_EQ(box.size(), 4U);
    EXPECT_EQ(box[0].place, (vector3{1, 1.5, 0.25}));
    EXPECT_EQ(box[3].place, (vector3{3, 1.5, 0.75}));
    auto const plane = made(flow, "plane:y=3,4,3");
    ASSERT_EQ(plane.size(), 12U);
    EXPECT_EQ(plane[5].place, (vector3{1.5, 3, 1.5}));
    EXPECT_TRUE(made(flow, "box:0,5,5").empty());
}

TEST(seeds, random_ones_are_inside) {
    formula_flow const flow = sheared();
    auto const found = made(flow, "random:100");
    ASSERT_EQ(found.size(), 100U);
    for (seed const& each : found) EXPECT_TRUE(flow.domain()->holds(each.place));
    EXPECT_NE(found[0].place, found[1].place);
    EXPECT_TRUE(made(flow, "random:0").empty());
}

TEST(seeds, files_have_a_head_or_none) {
    formula_flow const flow = sheared();
    std::string const name = "seeds_test." + std::to_string(weft_test::size()) + ".csv";
    auto const write = [&](char const* text) {
        if (weft_test::rank() == 0) std::ofstream(name) << text;
        weft::agree(weft_test::world(), {});
    };
    write("x,y,z,name\n1,2,3,a\n\n 4 , 5e-1 ,6\r\n");
    auto const found = made(flow, "file:" + name);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[1].place, (vector3{4, 0.5, 6}));
    write("1,2,3\n1,two,3\n");
    try {
        (void)weft::make_seeds(weft_test::world(), flow, "file:" + name, 1);
        ADD_FAILURE() << "read a word as a number";
    } catch (weft::io_error const& caught) {
        EXPECT_NE(std::string(caught.what()).find(name + ":2:"), std::string::npos) << caught.what();
    }
    weft::agree(weft_test::world(), {});
    if (weft_test::rank() == 0) std::filesystem::remove(name);
    EXPECT_THROW((void)weft::make_seeds(weft_test::world(), flow, "file:no/such.csv", 1), weft::io_error);
}

TEST(seeds, texts_that_are_no_rule_are_refused) {
    formula_flow const flow = sheared();
    for (char const* const text : {"", "every", "every:0", "every:x", "every:2,max=1", "every:2,min=1,2",
             "box:1,2", "box:1,2,x", "box:-1,1,1", "plane:w=1,2,2", "plane:x=,2,2", "plane:x=1,2",
             "random:", "random:-1", "random:1.5", "points:3"})
        EXPECT_THROW((void)weft::make_seeds(weft_test::world(), flow, text, 1), weft::usage_error) << text;
}

TEST(seeds, more_than_there_is_memory_for_are_refused_with_their_number) {
    for (char const* const text : {"box:100000,100000,100000", "random:1000000000000000"}) {
        try {
            (void)weft::make_seeds(weft_test::world(), sheared(), text, 5);
            FAIL() << text;
        } catch (weft::usage_error const& caught) {
            EXPECT_NE(
                std::string(caught.what()).find("are 1000000000000000 seeds; this machine has memory for "),
                std::string::npos)
                << caught.what();
        }
    }
}

TEST(seeds, a_folder_or_a_file_without_seeds_is_an_error) {
    auto const folder = std::filesystem::temp_directory_path();
    EXPECT_THROW(
        (void)weft::make_seeds(weft_test::world(), sheared(), "file:" + folder.string(), 5), weft::io_error);
    auto const file = folder / "weft_no_seeds.csv";
    for (char const* const text : {"", "x,y,z\n", "1,2,three\n"}) {
        if (weft_test::rank() == 0) std::ofstream(file) << text;
        EXPECT_THROW(
            (void)weft::make_seeds(weft_test::world(), sheared(), "file:" + file.string(), 5), weft::io_error)
            << text;
    }
    if (weft_test::rank() == 0) std::filesystem::remove(file);
}
