/// What a callback sees of other blocks.
#include <weft/blocks/block_port.hpp>

#include <harness/mpi_test.hpp>

#include <weft/core/error.hpp>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using weft::block_id;
using weft::block_message;
using weft::block_port;
using weft::detail::block_queues;

namespace {

/// A queues of block 1 among 4, and what comes of what it sends.
struct lone_desk {
    lone_desk() {
        queues.id = block_id{1};
        queues.blocks = 4;
    }
    /// Sends become input, as if the receivers were the senders.
    void loop_back() { queues.in.move_in_all(queues.out); }

    block_queues queues;
};

/// Its own encoding fails for some values, after it has begun.
struct fragile_item {
    std::string text;
    bool breaks = false;
    static void wire(auto& archive, auto& self) {
        archive(self.text);
        if (self.breaks) throw std::runtime_error("a hook has failed");
        archive(self.breaks);
    }
};

template <class T>
std::vector<std::pair<std::int64_t, std::vector<T>>> taken_from(block_queues& queues) {
    std::vector<std::pair<std::int64_t, std::vector<T>>> result;
    block_port<T> port(queues);
    for (auto const& [source, items] : port.messages())
        result.emplace_back(index_of(source), std::vector<T>(items.begin(), items.end()));
    return result;
}

} // namespace

TEST(block_port, items_in_a_row_to_one_block_are_one_message) {
    lone_desk here;
    {
        block_port<std::int64_t> port(here.queues);
        port.send(block_id{2}, 1);
        port.send(block_id{2}, std::vector<std::int64_t>{2, 3});
        port.send(block_id{2}, std::vector<std::int64_t>{});
        port.send(block_id{0}, 4);
        port.send(block_id{2}, 5);
        port.give(block_id{2}, {6});
        port.give(block_id{2}, {});
        port.send(block_id{2}, 7);
    }
    here.loop_back();
    using messages = std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>;
    EXPECT_EQ(taken_from<std::int64_t>(here.queues),
        (messages{{2, {1, 2, 3}}, {0, {4}}, {2, {5}}, {2, {6}}, {2, {7}}}));
    EXPECT_TRUE(here.queues.in.empty());
}

TEST(block_port, what_was_given_away_is_where_it_was) {
    lone_desk here;
    std::vector<double> items(1000);
    std::iota(items.begin(), items.end(), 0.0);
    double const* const where = items.data();
    { block_port<double>(here.queues).give(block_id{3}, std::move(items)); }
    here.loop_back();
    block_port<double> port(here.queues);
    block_message<double> got;
    ASSERT_TRUE(port.take(got));
    EXPECT_EQ(got.items.data(), where);
    EXPECT_EQ(got.items.size(), 1000U);
}

TEST(block_port, takes_its_own_type_and_leaves_the_others_in_their_order) {
    lone_desk here;
    for (int i = 0; i < 3; ++i) {
        block_port<std::int64_t>(here.queues).send(block_id{2}, i);
        block_port<std::string>(here.queues).send(block_id{2}, "text " + std::to_string(i));
        block_port<std::uint64_t>(here.queues).give(block_id{3}, {static_cast<std::uint64_t>(i)});
    }
    here.loop_back();
    EXPECT_EQ(taken_from<std::string>(here.queues).size(), 3U);
    EXPECT_EQ(taken_from<std::string>(here.queues).size(), 0U);
    EXPECT_EQ(taken_from<double>(here.queues).size(), 0U);
    EXPECT_EQ(here.queues.in.size(), 6U);
    EXPECT_EQ(taken_from<std::uint64_t>(here.queues).at(2).second.at(0), 2U);
    EXPECT_EQ(taken_from<std::int64_t>(here.queues).at(1).second.at(0), 1);
}

TEST(block_port, what_is_taken_lies_still_until_the_callback_is_over) {
    lone_desk here;
    for (int i = 0; i < 100; ++i) {
        block_port<std::int64_t> port(here.queues);
        port.send(block_id{i % 2}, i);
        if (i % 10 == 0) port.give(block_id{3}, {i, i});
    }
    here.loop_back();
    block_port<std::int64_t> port(here.queues);
    std::vector<block_message<std::int64_t>> all;
    for (block_message<std::int64_t> one; port.take(one); all.push_back(one))
        port.send(block_id{0}, 1000); // into another list
    ASSERT_EQ(all.size(), 110U);
    std::int64_t sum = 0;
    for (auto const& [source, items] : all)
        for (std::int64_t const item : items) sum += item;
    EXPECT_EQ(sum, 99 * 100 / 2 + 2 * (90 * 10 / 2));
}

TEST(block_port, who_stops_in_the_middle_finds_the_rest) {
    lone_desk here;
    for (int i = 0; i < 6; ++i) block_port<std::int64_t>(here.queues).send(block_id{i % 3}, i);
    here.loop_back();
    std::vector<std::int64_t> got;
    for (int callbacks = 0; callbacks < 3; ++callbacks) {
        block_port<std::int64_t> port(here.queues);
        for (std::int64_t const item : port.received()) {
            got.push_back(item);
            if (got.size() % 2 == 0) break;
        }
    }
    EXPECT_EQ(got, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(block_port, received_passes_over_messages_without_items) {
    lone_desk here;
    auto const kind = weft::detail::kind_of<std::int64_t>();
    std::int64_t const item = 7;
    here.queues.in.add(block_id{0}, kind, std::span<std::byte const>());
    here.queues.in.add(block_id{0}, kind, std::as_bytes(std::span(&item, 1)));
    here.queues.in.add(block_id{0}, kind, std::span<std::byte const>());
    here.queues.in.add(block_id{0}, kind, weft::detail::blob());
    std::vector<std::int64_t> got;
    block_port<std::int64_t> port(here.queues);
    for (std::int64_t const each : port.received()) got.push_back(each);
    EXPECT_EQ(got, std::vector<std::int64_t>{7});
}

TEST(block_port, an_item_that_cannot_be_encoded_leaves_the_others_whole) {
    lone_desk here;
    {
        block_port<fragile_item> port(here.queues);
        EXPECT_THROW(port.send(block_id{0}, fragile_item{"lost at once", true}), std::runtime_error);
        port.send(block_id{0}, fragile_item{"first"});
        EXPECT_THROW(port.send(block_id{0}, fragile_item{"lost", true}), std::runtime_error);
        port.send(block_id{0}, fragile_item{"second"});
        EXPECT_THROW(port.send(block_id{2}, fragile_item{"lost too", true}), std::runtime_error);
        port.send(block_id{3}, fragile_item{"third"});
    }
    here.loop_back();
    std::vector<std::string> texts;
    block_port<fragile_item> port(here.queues);
    for (fragile_item const& item : port.received()) texts.push_back(item.text);
    EXPECT_EQ(texts, (std::vector<std::string>{"first", "second", "third"}));
}

TEST(block_port, bytes_that_are_no_items_are_an_error) {
    lone_desk here;
    here.queues.in.add(block_id{0}, weft::detail::kind_of<std::string>(),
        std::as_bytes(std::span("\x05"
                                "abc",
            4)));
    block_port<std::string> port(here.queues);
    block_message<std::string> got;
    EXPECT_THROW((void)port.take(got), weft::wire_error);
}

TEST(block_port, blocks_that_do_not_exist_are_refused_before_anything_is_sent) {
    lone_desk here;
    block_port<std::int64_t> port(here.queues);
    block_port<std::string> texts(here.queues);
    for (std::int64_t const to : {std::int64_t{-1}, std::int64_t{4}, INT64_MAX, INT64_MIN}) {
        EXPECT_THROW(port.send(block_id{to}, 1), weft::usage_error);
        EXPECT_THROW(port.send(block_id{to}, std::vector<std::int64_t>{1}), weft::usage_error);
        EXPECT_THROW(port.give(block_id{to}, {1}), weft::usage_error);
        EXPECT_THROW(texts.send(block_id{to}, "text"), weft::usage_error);
    }
    EXPECT_TRUE(here.queues.out.empty());
    EXPECT_EQ(here.queues.sent, 0);
    port.flush(); // to nobody
}
