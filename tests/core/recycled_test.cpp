#include <weft/detail/core/recycled.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace {

struct thing final : weft::detail::recycled {
    explicit thing(int number) { std::memset(bytes, number, sizeof bytes); }
    unsigned char bytes[300];
};

struct owner {
    std::unique_ptr<thing> kept;
    ~owner() { kept.reset(); }
};

} // namespace

TEST(recycled, objects_that_are_alive_together_do_not_share_memory) {
    std::mt19937 random(1);
    std::vector<std::unique_ptr<thing>> things(50);
    for (int round = 0; round < 10'000; ++round) {
        auto const i = random() % things.size();
        if (things[i]) {
            for (unsigned char const each : things[i]->bytes) ASSERT_EQ(each, i);
            things[i].reset();
        } else {
            things[i] = std::make_unique<thing>(static_cast<int>(i));
        }
    }
}

TEST(recycled, containers_of_all_sizes_keep_what_is_in_them) {
    std::vector<std::vector<std::uint32_t, weft::detail::recycling_allocator<std::uint32_t>>> lists(20);
    std::mt19937 random(2);
    for (int round = 0; round < 20'000; ++round) {
        auto& list = lists[random() % lists.size()];
        if (random() % 100 == 0) list = {};
        list.push_back(static_cast<std::uint32_t>(list.size()));
    }
    for (auto const& list : lists)
        for (std::uint32_t i = 0; i < list.size(); ++i) ASSERT_EQ(list[i], i);
}

TEST(recycled, what_one_thread_made_another_may_free_also_after_the_first_has_ended) {
    std::vector<std::unique_ptr<thing>> made;
    std::thread([&] {
        for (int i = 0; i < 10; ++i) made.push_back(std::make_unique<thing>(i));
        made.pop_back();
    }).join();
    for (std::size_t i = 0; i < made.size(); ++i) EXPECT_EQ(made[i]->bytes[299], i);
    std::thread([&] { made.clear(); }).join();
}

TEST(recycled, objects_of_a_thread_may_outlive_what_it_keeps) {
    std::thread([] {
        static thread_local owner first; // destroyed after what is made later, the kept blocks among it
        first.kept = std::make_unique<thing>(1);
        std::make_unique<thing>(2).reset();
    }).join();
}
