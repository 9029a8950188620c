#include <weft/detail/containers/local_table.hpp>

#include <harness/mpi_test.hpp>

#include <memory>
#include <string>
#include <unordered_map>

namespace weft_test {
namespace {

using table = weft::detail::local_table<std::string, std::shared_ptr<int>>;

std::uint64_t hash_of(std::string const& key) {
    return weft::detail::hash_of_key<std::string>(key);
}

TEST(local_table, random_calls_agree_with_the_standard_map) {
    table tried;
    std::unordered_map<std::string, int> expected;
    auto chance = random();
    for (int i = 0; i < 200'000; ++i) {
        auto const number = chance();
        // Long runs of insertions, and of erasures that close gaps.
        std::string const key = std::to_string(number % 5000);
        if (number / 5000 % 100 < (i / 20'000 % 2 == 0 ? 70U : 20U)) {
            auto const [entry, made] =
                tried.find_or_make(hash_of(key), key, [&] { return std::make_shared<int>(i); });
            EXPECT_EQ(made, expected.emplace(key, i).second);
            EXPECT_EQ(*entry->value, expected[key]);
        } else {
            EXPECT_EQ(tried.erase(hash_of(key), key), expected.erase(key) == 1);
        }
        EXPECT_EQ(tried.size(), expected.size());
    }
    std::size_t seen = 0;
    tried.for_each([&](auto& each) {
        ++seen;
        EXPECT_EQ(*each.value, expected.at(each.key));
    });
    EXPECT_EQ(seen, expected.size());
}

TEST(local_table, entries_stay_while_they_are_held_and_go_after) {
    table tried;
    for (int i = 0; i < 100; ++i) {
        std::string const key = std::to_string(i);
        tried.find_or_make(hash_of(key), key, [&] { return std::make_shared<int>(i); });
    }
    std::weak_ptr<int> seen;
    int walked = 0;
    {
        table::hold const stays(tried);
        auto* const entry = tried.find(hash_of("7"), "7");
        seen = entry->value;
        EXPECT_TRUE(tried.erase(hash_of("7"), "7"));
        EXPECT_FALSE(tried.erase(hash_of("7"), "7"));
        tried.find_or_make(hash_of("7"), "7", [] { return std::make_shared<int>(-7); });
        for (int i = 100; i < 3000; ++i) {
            std::string const key = std::to_string(i);
            tried.find_or_make(hash_of(key), key, [&] { return std::make_shared<int>(i); });
        }
        for (int i = 2000; i < 3000; ++i)
            EXPECT_TRUE(tried.erase(hash_of(std::to_string(i)), std::to_string(i)));
        EXPECT_EQ(entry->key, "7");
        EXPECT_EQ(*entry->value, 7);
        tried.for_each([&](auto&) { ++walked; });
    }
    EXPECT_EQ(walked, 2000);
    EXPECT_EQ(tried.size(), 2000U);
    EXPECT_TRUE(seen.expired());
    for (int i = 0; i < 2000; ++i)
        EXPECT_EQ(*tried.find(hash_of(std::to_string(i)), std::to_string(i))->value, i == 7 ? -7 : i);
    tried.clear();
    EXPECT_EQ(tried.find(hash_of("1"), "1"), nullptr);
    EXPECT_EQ(tried.size(), 0U);
}

} // namespace
} // namespace weft_test
