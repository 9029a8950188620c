#include <weft/io/timeline_file.hpp>

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/collectives.hpp>

#include <io/timeline/timeline_picture.hpp>

#include "shared_folder.hpp"

#include <harness/mpi_test.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

using weft::span_kind;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

class timeline_file : public weft_test::with_folder {};

std::string text_in(std::filesystem::path const& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t count_of(std::string const& what, std::string const& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

void exchange_once() {
    weft::outbox<int> out{world()};
    for (int to = 0; to < size(); ++to) out[to].push_back(rank());
    (void)weft::exchange(std::move(out), {.protocol = weft::protocol::nbx});
}

weft::picture_span span_of(std::int64_t begin, std::int64_t length, span_kind kind) {
    return {begin, length, -1, 0, 0, static_cast<std::int32_t>(kind), -1};
}

} // namespace

TEST_F(timeline_file, a_page_and_events_of_what_all_ranks_did) {
    for (std::string const name : {"run.html", "run.json"}) {
        auto const file = path(name);
        weft::timeline_file picture{world(), file.string(), {.title = "a </script> \"title\""}};
        {
            weft::timeline_span const here{world(), span_kind::compute, "my solver", 3};
            exchange_once();
        }
        exchange_once();
        picture.write();
        std::string const text = text_in(file);
        EXPECT_EQ(count_of("</script>", text), name == "run.html" ? 1U : 0U)
            << "a title cannot end the script";
        EXPECT_NE(text.find("\\u003c/script> \\\"title\\\""), std::string::npos);
        EXPECT_NE(text.find("my solver"), std::string::npos);
        EXPECT_NE(text.find("\"exchange\""), std::string::npos);
        if (name == "run.html") {
            EXPECT_EQ(count_of("{\"begin\":", text), static_cast<std::size_t>(size()));
            EXPECT_EQ(text.find("http"), std::string::npos) << "it needs nothing from elsewhere";
        } else {
            EXPECT_EQ(count_of("\"process_name\"", text), static_cast<std::size_t>(size()));
            EXPECT_EQ(count_of("\"name\":\"exchange\",\"cat\":\"operation\"", text),
                2U * static_cast<std::size_t>(size()));
            EXPECT_EQ(count_of("\"ph\":\"s\"", text), count_of("\"ph\":\"f\"", text));
            EXPECT_GE(count_of("\"ph\":\"f\"", text), 2U * static_cast<std::size_t>(size() * (size() - 1)));
        }
    }
}

TEST_F(timeline_file, rounds_of_blocks_and_iexchange_show) {
    struct speaker {
        bool has_spoken = false;
    };
    weft::regular_grid const grid{weft::unit_box(1), 8, {.wrap = true}};
    for (int const threads : {1, 2}) {
        weft::block_set<speaker> blocks{
            world(), grid, [](weft::block_id) { return speaker{}; }, {.threads = threads}};
        auto const file = path("blocks.json");
        weft::timeline_file picture{world(), file.string()};
        auto const speak_once = [](speaker& self, weft::block_port<int>& port) {
            if (!std::exchange(self.has_spoken, true)) port.send(port.link()[0], 1);
            std::this_thread::sleep_for(std::chrono::microseconds(50)); // shorter ones are bundled
        };
        (void)blocks.exchange<int>(speak_once);
        blocks.iexchange<int>(speak_once);
        picture.write();
        std::string const text = text_in(file);
        EXPECT_EQ(
            count_of("\"name\":\"iexchange\",\"cat\":\"operation\"", text), static_cast<std::size_t>(size()));
        EXPECT_GE(count_of("\"cat\":\"termination\"", text), 1U);
        EXPECT_GE(count_of("\"name\":\"block ", text), static_cast<std::size_t>(size()));
        EXPECT_EQ(text.find("\"callbacks ") != std::string::npos, threads > 1); // which thread, is open
    }
}

TEST_F(timeline_file, more_than_fits_is_drawn_together_and_said) {
    auto const file = path("many.html");
    weft::timeline_file picture{world(), file.string(), {.most_in_file = 100}};
    for (int i = 0; i < 2000; ++i) {
        weft::timeline_span const here{world(), static_cast<span_kind>(i % 3), "x", i};
    }
    picture.write();
    std::string const text = text_in(file);
    EXPECT_EQ(text.find("\"resolution\":0,"), std::string::npos);
    EXPECT_LT(text.size(), 40'000U + 4'000U * static_cast<std::size_t>(size()));
}

TEST_F(timeline_file, misuse_is_agreed_before_anything_is_recorded) {
    EXPECT_THROW((weft::timeline_file{world(), "picture.png"}), weft::usage_error);
    EXPECT_THROW((weft::timeline_file{world(), rank() == 0 ? "odd" : "a.html"}), weft::usage_error);
    weft::timeline_file first{world(), (path("first.html")).string()};
    EXPECT_THROW((weft::timeline_file{world(), "second.html"}), weft::usage_error);
    first.write();
    EXPECT_THROW(first.write(), weft::usage_error);
    EXPECT_FALSE(weft::timeline_of(world()).on());
}

TEST_F(timeline_file, what_cannot_be_written_is_an_error_on_all_ranks) {
    weft::timeline_file picture{world(), "/nowhere/at/all.html"};
    EXPECT_THROW(picture.write(), weft::io_error);
    EXPECT_EQ(weft::sum(world(), 1), size());
}

TEST_F(timeline_file, without_write_nothing_is_written_and_nothing_recorded_any_more) {
    auto const file = path("none.html");
    { weft::timeline_file const picture{world(), file.string()}; }
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_FALSE(weft::timeline_of(world()).on());
}

TEST(timeline_picture, what_comes_after_the_last_work_of_any_rank_is_termination) {
    using enum span_kind;
    weft::timeline_picture both;
    weft::picture_lane lane;
    lane.names = {"iexchange"};
    lane.operations = {{10, 100, 0, 0}};
    lane.end = 120;
    lane.spans = {
        span_of(0, 10, compute), span_of(10, 20, compute), span_of(30, 70, wait), span_of(100, 20, compute)};
    lane.totals = {50, 0, 70, 0};
    both.lanes.push_back(lane);
    lane.spans = {span_of(0, 10, compute), span_of(10, 50, communicate), span_of(60, 10, compute),
        span_of(70, 15, communicate), span_of(85, 15, wait), span_of(100, 20, compute)};
    lane.totals = {40, 65, 15, 0};
    both.lanes.push_back(lane);
    both.mark_termination();
    EXPECT_EQ(both.lanes[0].totals, (std::array<std::int64_t, 4>{50, 0, 40, 30})) << "waited from 30 to 70";
    EXPECT_EQ(both.lanes[1].totals, (std::array<std::int64_t, 4>{40, 50, 0, 30}));
    ASSERT_EQ(both.lanes[0].spans.size(), 5U);
    EXPECT_EQ(both.lanes[0].spans[3].begin, 70);
    EXPECT_EQ(both.lanes[0].spans[3].kind, static_cast<std::int32_t>(termination));
    std::int64_t at = 0;
    for (auto const& each : both.lanes[1].spans) {
        EXPECT_EQ(each.begin, at);
        at += each.length;
    }
    EXPECT_EQ(at, 120);
}

TEST(timeline_picture, operations_that_not_all_ranks_had_are_left_alone) {
    weft::timeline_picture both;
    weft::picture_lane lane;
    lane.names = {"mailbox drain"};
    lane.operations = {{0, 50, 0, 0}};
    lane.spans = {span_of(0, 50, span_kind::wait)};
    lane.totals = {0, 0, 50, 0};
    both.lanes = {lane, lane};
    both.lanes[1].operations.clear();
    both.mark_termination();
    EXPECT_EQ(both.lanes[0].totals[2], 50);
    both.lanes[1].operations = {{70, 90, 0, 0}}; // not at the same time: of another communicator
    both.mark_termination();
    EXPECT_EQ(both.lanes[0].totals[2], 50);
}

TEST(timeline_picture, messages_are_matched_in_order_by_pair_and_tag) {
    weft::timeline_picture both;
    both.lanes.resize(2);
    both.lanes[0].messages = {{10, 1, 1, 5, 1}, {20, 2, 1, 6, 1}, {30, 3, 1, 5, 1}, {35, 9, 1, 7, 1}};
    both.lanes[1].messages = {{25, 2, 0, 6, 0}, {40, 1, 0, 5, 0}, {41, 3, 0, 5, 0}, {50, 4, 0, 8, 0}};
    auto const arrows = both.arrows();
    ASSERT_EQ(arrows.size(), 3U);
    EXPECT_EQ(arrows[0].left, 10);
    EXPECT_EQ(arrows[0].found, 40);
    EXPECT_EQ(arrows[1].found, 25);
    EXPECT_EQ(arrows[2].left, 30);
    EXPECT_EQ(arrows[2].found, 41);
    EXPECT_EQ(arrows[2].bytes, 3);
}
