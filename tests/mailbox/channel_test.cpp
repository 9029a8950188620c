#include "mailbox_rig.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace weft_test {
namespace {

struct particle {
    double position[3];
    std::int32_t id;
    friend bool operator==(particle const&, particle const&) = default;
};

TEST(channel, handlers_take_items_or_batches_with_and_without_their_source) {
    for_all_ways([](weft::mailbox& mail) {
        std::vector<int> heard(4);
        auto const items = mail.channel<particle>([&](particle const& it) { heard[0] += it.id; });
        auto const batches = mail.channel<std::int64_t>([&](std::span<std::int64_t const> all) {
            for (auto const each : all) heard[1] += static_cast<int>(each);
        });
        auto const sourced = mail.channel<int>([&](int source, int item) {
            EXPECT_EQ(item, source + 1);
            heard[2] += item;
        });
        auto const sourced_batches = mail.channel<int>([&](int source, std::span<int const> all) {
            for (int const each : all) EXPECT_EQ(each, source + 1);
            heard[3] += static_cast<int>(all.size()) * (source + 1);
        });
        int const mine = rank() + 1;
        for (int r = 0; r < size(); ++r)
            for (int i = 0; i < 10; ++i) {
                items.send(r, {{1, 2, 3}, mine});
                batches.send(r, mine);
                sourced.send(r, mine);
                sourced_batches.send(r, mine);
            }
        mail.drain();
        EXPECT_EQ(heard, std::vector<int>(4, 10 * size() * (size() + 1) / 2));
    });
}

TEST(channel, a_closed_one_lets_go_of_what_its_handler_holds) {
    weft::mailbox mail(world());
    auto held = std::make_shared<int>(0);
    std::weak_ptr<int> const seen = held;
    auto const items = mail.channel<int>([held](int item) { *held += item; });
    auto const texts = mail.channel<std::string>([held](std::string const&) { *held += 10; });
    int heard = 0;
    auto const others = mail.channel<int>([&](int) { ++heard; });
    held.reset();
    items.send((rank() + 1) % size(), 1);
    texts.send((rank() + 1) % size(), "ten");
    mail.drain();
    EXPECT_EQ(*seen.lock(), 11);
    items.close();
    texts.close();
    EXPECT_TRUE(seen.expired());
    others.send((rank() + 1) % size(), 1);
    mail.drain();
    EXPECT_EQ(heard, 1);
}

TEST(channel, messages_for_a_closed_one_are_an_error_on_all_ranks) {
    weft::mailbox mail(world());
    int handled = 0;
    auto const items = mail.channel<int>([&](int) { ++handled; });
    auto const texts = mail.channel<std::string>([&](std::string const&) { ++handled; });
    mail.drain(); // nobody sends while some have closed and some have not
    if (rank() == 0) {
        items.close();
        texts.close();
    }
    items.send(0, 1);
    EXPECT_THROW(mail.drain(), weft::usage_error);
    texts.send(0, "text");
    EXPECT_THROW(mail.drain(), weft::usage_error);
    items.send(size() - 1, 1);
    if (size() > 1) { EXPECT_NO_THROW(mail.drain()); }
    EXPECT_EQ(handled, size() > 1 && rank() == size() - 1 ? size() : 0);
}

TEST(channel, a_handler_closes_none) {
    weft::mailbox mail(world());
    weft::channel<int> const* self = nullptr;
    bool refused = false;
    auto const items = mail.channel<int>([&](int) {
        try {
            self->close();
        } catch (weft::usage_error const&) { refused = true; }
    });
    self = &items;
    items.send(rank(), 1);
    mail.drain();
    EXPECT_TRUE(refused);
}

TEST(channel, messages_of_any_wire_type_travel) {
    for_all_ways([](weft::mailbox& mail) {
        using rich = std::map<std::string, std::vector<std::string>>;
        std::vector<rich> got;
        std::vector<std::string> texts;
        std::vector<double> numbers;
        std::vector<bool> flags;
        auto const maps = mail.channel<rich>([&](rich const& value) { got.push_back(value); });
        auto const strings =
            mail.channel<std::string>([&](std::string const& text) { texts.push_back(text); });
        auto const vectors = mail.channel<std::vector<double>>(
            [&](std::span<double const> all) { numbers.insert(numbers.end(), all.begin(), all.end()); });
        auto const truths = mail.channel<bool>([&](bool truth) { flags.push_back(truth); });
        int const right = (rank() + 1) % size();
        int const left = (rank() + size() - 1) % size();
        auto const text_of = [](int r) { return std::string(static_cast<std::size_t>(r) * 7, 'x'); };
        maps.send(right, {{"a", {"1", text_of(rank())}}, {"", {}}});
        strings.send(right, text_of(rank()));
        vectors.send(right, std::vector<double>(static_cast<std::size_t>(rank()), 1.5));
        truths.send(right, true);
        mail.drain();
        EXPECT_EQ(got, (std::vector<rich>{{{"a", {"1", text_of(left)}}, {"", {}}}}));
        EXPECT_EQ(texts, std::vector<std::string>{text_of(left)});
        EXPECT_EQ(numbers, std::vector<double>(static_cast<std::size_t>(left), 1.5));
        EXPECT_EQ(flags, std::vector<bool>{true});
    });
}

TEST(channel, bulk_sends_are_the_same_as_single_ones) {
    for_all_ways([](weft::mailbox& mail) {
        std::int64_t sum = 0;
        std::vector<int> in_order;
        auto const to = mail.channel<std::int64_t>([&](std::int64_t item) { sum += item; });
        auto const row = mail.channel<int>([&](int item) { in_order.push_back(item); });
        std::vector<int> destinations;
        std::vector<std::int64_t> items;
        for (int i = 0; i < 5000; ++i) {
            destinations.push_back((rank() + i) % size());
            items.push_back(i);
        }
        to.send(destinations, items);
        std::vector<int> numbers(30000);
        for (int i = 0; i < 30000; ++i) numbers[static_cast<std::size_t>(i)] = i;
        row.send((rank() + 1) % size(), numbers);
        to.multicast(destinations, 1);
        mail.drain();
        EXPECT_EQ(weft::sum(mail.comm(), sum), size() * (5000 * 4999 / 2 + 5000));
        EXPECT_EQ(in_order, numbers);
    });
}

TEST(channel, bulk_sends_to_random_ranks_keep_their_order_and_those_to_none_send_nothing) {
    for_all_ways([](weft::mailbox& mail) {
        int const count = 40000;
        std::vector<std::vector<int>> heard(static_cast<std::size_t>(size()));
        auto const to = mail.channel<int>(
            [&](int source, int item) { heard[static_cast<std::size_t>(source)].push_back(item); });
        auto const destinations_of = [&](int source) {
            std::mt19937_64 chance = random(static_cast<std::uint64_t>(source));
            std::vector<int> drawn;
            for (int i = 0; i < count; ++i)
                drawn.push_back(static_cast<int>(chance() % static_cast<unsigned>(size())));
            return drawn;
        };
        std::vector<int> items(static_cast<std::size_t>(count));
        std::iota(items.begin(), items.end(), 0);
        std::vector<int> destinations = destinations_of(rank());
        to.send(destinations, items);
        destinations[30000] = rank() % 2 == 0 ? size() : -1;
        EXPECT_THROW(to.send(destinations, items), weft::usage_error);
        EXPECT_THROW(to.multicast(destinations, 1), weft::usage_error);
        mail.drain();
        for (int source = 0; source < size(); ++source) {
            std::vector<int> expected;
            std::vector<int> const drawn = destinations_of(source);
            for (int i = 0; i < count; ++i)
                if (drawn[static_cast<std::size_t>(i)] == rank()) expected.push_back(i);
            EXPECT_EQ(heard[static_cast<std::size_t>(source)], expected);
        }
    });
}

TEST(channel, long_messages_and_broadcasts_of_messages) {
    for_all_ways(
        [](weft::mailbox& mail) {
            std::vector<std::size_t> lengths(static_cast<std::size_t>(size()));
            auto const all = mail.channel<std::string>([&](int source, std::string const& text) {
                lengths[static_cast<std::size_t>(source)] += text.size();
                EXPECT_EQ(text.find_first_not_of(static_cast<char>('a' + source)), std::string::npos);
            });
            std::vector<std::size_t> const sizes{0, 1, 7, 8, 900, 1000, 1024, 5000, 300000};
            std::size_t total = 0;
            for (std::size_t const length : sizes) {
                all.broadcast(std::string(length, static_cast<char>('a' + rank())));
                total += length;
            }
            mail.drain();
            EXPECT_EQ(lengths, std::vector<std::size_t>(static_cast<std::size_t>(size()), total));
        },
        {.buffer_bytes = 65536});
}

TEST(channel, a_rank_that_is_none_is_refused) {
    weft::mailbox mail(world());
    auto const items = mail.channel<int>([](int) {});
    auto const messages = mail.channel<std::string>([](std::string const&) {});
    for (int const none : {-1, size(), size() + 100}) {
        EXPECT_THROW(items.send(none, 1), weft::usage_error);
        EXPECT_THROW(messages.send(none, "x"), weft::usage_error);
    }
    std::vector<int> const two{0, 0};
    EXPECT_THROW(items.send(two, std::vector<int>{1}), weft::usage_error);
    mail.drain();
    EXPECT_EQ(mail.counters().handled, 0);
}

TEST(channel, one_message_above_two_gibibytes) {
    if (std::getenv("WEFT_TEST_LARGE") == nullptr) GTEST_SKIP() << "WEFT_TEST_LARGE is not set";
    weft::mailbox mail(world());
    std::size_t const bytes = (std::size_t{1} << 31) + 17;
    std::size_t heard = 0;
    auto const to = mail.channel<std::string>([&](std::span<char const> text) {
        heard = text.size();
        EXPECT_EQ(text.front(), 'a');
        EXPECT_EQ(text.back(), 'z');
    });
    if (rank() == 0) {
        std::string text(bytes, 'm');
        text.front() = 'a';
        text.back() = 'z';
        to.send(size() - 1, text);
    }
    mail.drain();
    EXPECT_EQ(heard, rank() == size() - 1 ? bytes : 0);
}

} // namespace
} // namespace weft_test
