#include <weft/exchange/inbox.hpp>

#include <weft/core/error.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

using weft::inbox;
using weft::message;
using weft::message_list;

namespace {

template <class T>
message message_of(int source, std::vector<T> const& items) {
    message made{source, {}};
    made.data.append(items.data(), items.size() * sizeof(T));
    return made;
}

inbox<int> sample() {
    message_list received;
    received.push_back(message_of<int>(1, {10, 11, 12}));
    received.push_back(message_of<int>(4, {}));
    received.push_back(message_of<int>(7, {70}));
    return inbox<int>(std::move(received));
}

} // namespace

TEST(inbox, an_empty_one_has_nothing) {
    inbox<int> const empty;
    EXPECT_TRUE(empty.empty());
    EXPECT_EQ(empty.size(), 0u);
    EXPECT_EQ(empty.item_count(), 0u);
    EXPECT_TRUE(empty.concatenate().empty());
    EXPECT_TRUE(empty.begin() == empty.end());
}

TEST(inbox, iterates_over_sources_and_their_items) {
    inbox<int> const box = sample();
    std::vector<int> sources;
    std::vector<std::size_t> counts;
    for (auto const& [source, items] : box) {
        sources.push_back(source);
        counts.push_back(items.size());
    }
    EXPECT_EQ(sources, (std::vector<int>{1, 4, 7}));
    EXPECT_EQ(counts, (std::vector<std::size_t>{3, 0, 1}));
}

TEST(inbox, counts_messages_and_items) {
    inbox<int> const box = sample();
    EXPECT_EQ(box.size(), 3u);
    EXPECT_FALSE(box.empty());
    EXPECT_EQ(box.item_count(), 4u);
    EXPECT_EQ(box[0].items[2], 12);
    EXPECT_EQ(box[2].source, 7);
}

TEST(inbox, concatenates_in_the_order_of_sources) {
    EXPECT_EQ(sample().concatenate(), (std::vector<int>{10, 11, 12, 70}));
}

TEST(inbox, iterators_count_forward) {
    static_assert(std::input_iterator<inbox<int>::iterator>);
    inbox<int> const box = sample();
    auto place = box.begin();
    EXPECT_EQ((*place++).source, 1);
    EXPECT_EQ((*place).source, 4);
    EXPECT_EQ((*++place).source, 7);
    EXPECT_TRUE(++place == box.end());
    EXPECT_EQ(std::distance(box.begin(), box.end()), 3);
}

TEST(inbox, spans_stay_valid_when_it_is_moved) {
    inbox<int> from = sample();
    auto const items = from[0].items;
    inbox<int> const to = std::move(from);
    EXPECT_EQ(to[0].items.data(), items.data());
    EXPECT_EQ(items[1], 11);
}

TEST(inbox, items_are_aligned_for_their_type) {
    struct alignas(64) wide {
        std::int64_t values[8];
    };
    message_list received;
    received.push_back(message_of<wide>(0, std::vector<wide>(3)));
    inbox<wide> const box(std::move(received));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(box[0].items.data()) % 64, 0u);
    EXPECT_EQ(box.item_count(), 3u);
}

TEST(inbox, encoded_messages_that_are_cut_short_are_a_wire_error) {
    for (std::size_t const bytes : {std::size_t{0}, std::size_t{3}, std::size_t{9}}) {
        message_list received;
        received.push_back(message{0, weft::buffer(bytes)});
        for (std::byte& each : received.back().data.bytes()) each = std::byte{0x01};
        EXPECT_THROW(inbox<std::string>(std::move(received)), weft::wire_error) << bytes << " bytes";
    }
}
