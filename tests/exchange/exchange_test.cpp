#include <weft/exchange/exchange.hpp>

#include <weft/machine/machine_model.hpp>

#include "exchange_rig.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <type_traits>

using weft::exchange;
using weft::inbox;
using weft::outbox;
using weft_test::all_of;
using weft_test::mail_from;
using weft_test::world;

namespace {

int right() {
    return (world().rank() + 1) % world().size();
}
int left() {
    return (world().rank() + world().size() - 1) % world().size();
}

/// Sends one item to the right; what came from the left must be `expected`.
template <class T>
void expect_travels(T const& item, T const& expected) {
    outbox<T> out(world());
    out[right()].push_back(item);
    EXPECT_EQ(exchange(std::move(out)).concatenate(), std::vector<T>{expected});
}

} // namespace

TEST(exchange, items_of_a_message_keep_their_order_and_messages_are_ordered_by_source) {
    outbox<int> out(world());
    for (int i = 0; i < 100; ++i)
        for (int to = world().size() - 1; to >= 0; --to) out[to].push_back(1000 * world().rank() + i);
    int source = 0;
    auto const box = exchange(std::move(out));
    EXPECT_EQ(box.size(), static_cast<std::size_t>(world().size()));
    for (auto const& [from, items] : box) {
        EXPECT_EQ(from, source++);
        EXPECT_EQ(items.size(), 100u);
        for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i], 1000 * from + static_cast<int>(i));
    }
}

TEST(exchange, the_flat_form_sends_item_i_to_destination_i) {
    int const size = world().size();
    std::vector<int> to;
    std::vector<std::int64_t> items;
    for (int i = 0; i < 50; ++i) {
        to.push_back((world().rank() + i) % size);
        items.push_back(100 * world().rank() + i);
    }
    mail_from<std::int64_t> expected;
    for (int from = 0; from < size; ++from) {
        std::vector<std::int64_t> theirs;
        for (int i = 0; i < 50; ++i)
            if ((from + i) % size == world().rank()) theirs.push_back(100 * from + i);
        if (!theirs.empty()) expected.emplace_back(from, theirs);
    }
    for (weft::protocol const how : weft::all_protocols())
        EXPECT_EQ(all_of(exchange(world(), to, items, {.protocol = how})), expected);
}

TEST(exchange, the_flat_form_takes_encoded_items_and_nothing_at_all) {
    std::vector<int> const to{right(), right()};
    std::vector<std::string> const items{"one", "two"};
    EXPECT_EQ(exchange(world(), to, items).concatenate(), items);
    EXPECT_TRUE(exchange(world(), std::span<int const>(), std::span<std::string const>()).empty());
    EXPECT_TRUE(exchange(world(), std::vector<int>(), std::vector<int>()).empty());
}

TEST(exchange, the_flat_form_takes_any_contiguous_ranges) {
    std::array<int, 2> to{right(), left()};
    double const items[] = {1.5, 2.5};
    auto const sorted = [](inbox<double> const& box) {
        std::vector<double> all = box.concatenate();
        std::ranges::sort(all);
        return all;
    };
    std::vector<double> const expected{1.5, 2.5};
    EXPECT_EQ(sorted(exchange(world(), to, items)), expected);
    EXPECT_EQ(sorted(exchange(world(), std::span(to), std::span(items))), expected);
    EXPECT_EQ(sorted(exchange(world(), std::span<int const>(to), std::span<double const>(items))), expected);
    EXPECT_EQ(sorted(exchange<double>(world(), to, items)), expected);
}

TEST(exchange, plain_structures_travel_in_place) {
    struct particle {
        double position[3];
        std::int32_t id;
        bool operator==(particle const&) const = default;
    };
    particle const sent{{1.5, 2.5, world().rank() * 1.0}, world().rank()};
    outbox<particle> out(world());
    out[right()].push_back(sent);
    auto const box = exchange(std::move(out));
    ASSERT_EQ(box.item_count(), 1u);
    EXPECT_EQ(box[0].items[0].id, left());
    EXPECT_EQ(box[0].items[0].position[2], left() * 1.0);
}

TEST(exchange, strings_vectors_maps_and_optionals_travel) {
    std::string const mine = "from " + std::to_string(world().rank()) + std::string(5000, '.');
    std::string const theirs = "from " + std::to_string(left()) + std::string(5000, '.');
    expect_travels(mine, theirs);
    expect_travels(std::string(), std::string());
    expect_travels(std::vector<std::string>{mine, ""}, std::vector<std::string>{theirs, ""});
    expect_travels(std::vector<double>(1000, world().rank()), std::vector<double>(1000, left()));
    expect_travels(std::pair(mine, 7), std::pair(theirs, 7));
    expect_travels(std::map<int, std::string>{{1, mine}}, std::map<int, std::string>{{1, theirs}});
    expect_travels(std::optional<std::string>(mine), std::optional<std::string>(theirs));
    expect_travels(std::optional<std::string>(), std::optional<std::string>());
}

TEST(exchange, empty_messages_of_encoded_items_arrive) {
    outbox<std::string> out(world());
    (void)out[right()];
    auto const box = exchange(std::move(out));
    ASSERT_EQ(box.size(), 1u);
    EXPECT_EQ(box[0].source, left());
    EXPECT_TRUE(box[0].items.empty());
}

TEST(exchange, many_encoded_items_keep_their_order) {
    outbox<std::string> out(world());
    std::vector<std::string> expected;
    for (int i = 0; i < 2000; ++i) {
        out[right()].push_back(std::to_string(i));
        expected.push_back(std::to_string(i));
    }
    EXPECT_EQ(exchange(std::move(out)).concatenate(), expected);
}

TEST(exchange, an_outbox_can_be_filled_again_after_its_exchange) {
    outbox<int> out(world());
    for (int round = 0; round < 3; ++round) {
        out[right()].push_back(round);
        EXPECT_EQ(exchange(std::move(out)).concatenate(), std::vector<int>{round}); // NOLINT: refilled
    }
}

TEST(exchange, messages_to_this_rank_are_handed_over_without_a_copy) {
    outbox<int> out(world());
    out[world().rank()].append(std::vector<int>(1000, 5));
    std::byte const* const where = weft::detail::store_of(out).messages()[0].data.data();
    auto const box = exchange(std::move(out));
    EXPECT_EQ(static_cast<void const*>(box[0].items.data()), static_cast<void const*>(where));
}

TEST(exchange, handles_and_boxes_move_and_do_not_copy) {
    EXPECT_FALSE(std::is_copy_constructible_v<weft::pending_exchange<int>>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<weft::pending_exchange<int>>);
    EXPECT_TRUE(std::is_move_assignable_v<weft::pending_exchange<int>>);
    EXPECT_TRUE(std::is_move_constructible_v<inbox<int>>);
}

// Needs 9 GB of memory; run with WEFT_TEST_LARGE=1.
TEST(exchange, a_message_beyond_2_gib_arrives_whole) {
    char const* const wanted = std::getenv("WEFT_TEST_LARGE");
    if (wanted == nullptr || std::string(wanted) != "1" || world().size() != 2)
        GTEST_SKIP() << "set WEFT_TEST_LARGE=1 and run on 2 ranks";
    constexpr std::size_t size = (std::size_t{1} << 31) + 17;
    auto const value = [](std::size_t i) { return static_cast<unsigned char>(i * 7 + (i >> 20)); };
    for (weft::protocol const how : weft::all_protocols()) {
        outbox<unsigned char> out(world());
        if (world().rank() == 0) {
            out[1].reserve(size);
            for (std::size_t i = 0; i < size; ++i) out[1].push_back(value(i));
        }
        auto const box = exchange(std::move(out), {.protocol = how});
        EXPECT_EQ(box.item_count(), world().rank() == 1 ? size : 0u);
        std::size_t wrong = 0;
        for (auto const& [source, items] : box)
            for (std::size_t i = 0; i < items.size(); ++i) wrong += items[i] != value(i);
        EXPECT_EQ(wrong, 0u);
    }
}
