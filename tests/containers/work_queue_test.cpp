#include <weft/containers/set.hpp>
#include <weft/containers/work_queue.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace weft_test {
namespace {

std::vector<int> taken(auto const& queue) {
    std::vector<int> order;
    queue.drain([&](int item) { order.push_back(item); });
    return order;
}

TEST(work_queue, items_are_taken_in_the_order_of_the_queue) {
    for_some_ways([](weft::mailbox& mail) {
        weft::work_queue<int> first_in(mail);
        weft::work_queue<int, weft::lifo> last_in(mail);
        weft::work_queue<int, weft::by_priority<std::greater<>>> greatest(mail);
        std::vector<int> items(3000);
        std::iota(items.begin(), items.end(), 0);
        first_in.insert(items);
        last_in.insert(items);
        std::vector<int> shuffled = items;
        std::ranges::shuffle(shuffled, random(static_cast<std::uint64_t>(rank())));
        for (int const each : shuffled) greatest.insert(each);
        EXPECT_EQ(greatest.size(), 3000 * size());
        EXPECT_EQ(taken(first_in), items);
        std::ranges::reverse(items);
        EXPECT_EQ(taken(last_in), items);
        EXPECT_EQ(taken(greatest), items);
        EXPECT_EQ(greatest.size(), 0);
    });
}

/// Walks through a tree whose nodes are dealt out to all ranks: an item adds two.
template <class Order>
void walk_through_tree(weft::mailbox& mail) {
    using node = std::pair<std::int64_t, std::string>; // number and path
    weft::work_queue<node, Order> todo(mail);
    constexpr std::int64_t nodes = (std::int64_t{1} << 11) - 1;
    std::int64_t visited = 0;
    std::int64_t characters = 0;
    if (rank() == size() - 1) todo.insert_at(0, node(1, ""));
    todo.drain([&](node& item) {
        ++visited;
        characters += std::ssize(item.second);
        for (int side = 0; side < 2 && 2 * item.first < nodes; ++side) {
            node const child(2 * item.first + side, item.second + (side == 0 ? "l" : "r"));
            if (child.first % 3 == 0)
                todo.insert(child);
            else
                todo.insert_at(static_cast<int>(child.first % size()), child);
        }
    });
    EXPECT_EQ(weft::sum(world(), visited), nodes);
    std::int64_t expected = 0;
    for (int level = 0; level < 11; ++level) expected += level * (std::int64_t{1} << level);
    EXPECT_EQ(weft::sum(world(), characters), expected);
    EXPECT_EQ(todo.size(), 0);
    todo.drain([](node&) { ADD_FAILURE(); }); // nothing is left
}

TEST(work_queue, items_add_items_on_any_rank) {
    for_some_ways([](weft::mailbox& mail) {
        walk_through_tree<weft::fifo>(mail);
        walk_through_tree<weft::lifo>(mail);
        walk_through_tree<weft::by_priority<std::less<>>>(mail);
    });
}

TEST(work_queue, a_chain_goes_around_all_ranks_to_its_end) {
    for_some_ways([](weft::mailbox& mail) {
        weft::work_queue<int> todo(mail);
        int seen = 0;
        if (rank() == 0) todo.insert(1000);
        todo.drain([&](int left) {
            ++seen;
            if (left > 0) todo.insert_at((rank() + 1) % size(), left - 1);
        });
        EXPECT_EQ(weft::sum(world(), seen), 1001);
    });
}

TEST(work_queue, handlers_and_other_containers_take_part) {
    for_some_ways([](weft::mailbox& mail) {
        weft::work_queue<std::int64_t> todo(mail);
        weft::set<std::int64_t> seen(mail);
        auto const visit = mail.channel<std::int64_t>([&](std::int64_t item) { todo.insert(item); });
        if (rank() == 0) visit.send(size() - 1, 27);
        todo.drain([&](std::int64_t item) { // of Collatz
            seen.insert(item);
            if (item != 1)
                visit.send(static_cast<int>(item % size()), item % 2 == 0 ? item / 2 : 3 * item + 1);
        });
        EXPECT_EQ(seen.size(), 112);
    });
}

TEST(work_queue, items_stay_until_they_are_drained) {
    weft::mailbox mail(world());
    weft::work_queue<std::string> todo(mail);
    todo.insert_at((rank() + 1) % size(), "x");
    mail.drain();
    EXPECT_EQ(todo.local_size(), 1);
    EXPECT_EQ(todo.size(), size());
    weft::work_queue<std::string> other(mail);
    swap(todo, other);
    EXPECT_EQ(todo.local_size(), 0);
    other.clear();
    EXPECT_EQ(other.size(), 0);
    EXPECT_THROW(todo.insert_at(size(), "x"), weft::usage_error);
    EXPECT_THROW(todo.insert_at(-1, "x"), weft::usage_error);
}

TEST(work_queue, an_error_is_agreed_and_the_rest_stays) {
    for_some_ways([](weft::mailbox& mail) {
        weft::work_queue<int> todo(mail);
        for (int i = 0; i < 10; ++i) todo.insert(i);
        int done = 0;
        auto const work = [&](int item) {
            if (rank() == size() - 1 && item == 4) throw std::runtime_error("four");
            ++done;
        };
        std::string text;
        try {
            todo.drain(work);
        } catch (std::exception const& wrong) { text = wrong.what(); }
        EXPECT_NE(text.find("four"), std::string::npos);
        EXPECT_EQ(done, rank() == size() - 1 ? 4 : 10);
        EXPECT_EQ(todo.size(), 5); // the one that has failed is gone
        todo.drain(work);
        EXPECT_EQ(todo.size(), 0);
        EXPECT_EQ(done, rank() == size() - 1 ? 9 : 10);
    });
}

TEST(work_queue, draining_within_draining_is_an_error) {
    weft::mailbox mail(world());
    weft::work_queue<int> todo(mail);
    todo.insert(1);
    EXPECT_THROW(todo.drain([&](int) { todo.drain([](int) {}); }), weft::usage_error);
    auto const wrong = mail.channel<int>([&](int) { todo.drain([](int) {}); });
    wrong.send(0, 1);
    EXPECT_THROW(mail.drain(), weft::error);
}

} // namespace
} // namespace weft_test
