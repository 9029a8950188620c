#include "mutate.hpp"

using namespace weft;
using namespace weft::testing;

TEST(WireFuzz, EveryPrefixIsRefused) {
    expect_prefixes_refused(std::int64_t(1));
    expect_prefixes_refused(std::string("some text"));
    expect_prefixes_refused(std::string(300, 'x'));
    expect_prefixes_refused(std::vector<point>(3));
    expect_prefixes_refused(std::vector<bool>(20, true));
    expect_prefixes_refused(std::map<std::string, std::vector<int>>{{"a", {1, 2}}, {"b", {}}});
    expect_prefixes_refused(std::optional<std::string>("x"));
    expect_prefixes_refused(std::vector<shape>{5, string("text"), vector<point>(2)});
    expect_prefixes_refused(vector<silent>(4));
    expect_prefixes_refused(sample_parcel());
    expect_prefixes_refused(sample_tree());
    expect_prefixes_refused(sample());
}

TEST(WireFuzz, CorruptScalarsAndTags) {
    expect_corruption_handled(
        std::tuple(true, std::optional<bool>(false), std::variant<bool, char>(true)), 1, 5000);
    expect_corruption_handled(std::array<std::optional<std::pair<bool, colour>>, 3>(), 10'000, 5000);
}

TEST(WireFuzz, CorruptLists) {
    expect_corruption_handled(string("some text of more than one small string"), 20'000, 5000);
    expect_corruption_handled(vector<std::int64_t>(20), 30'000, 5000);
    expect_corruption_handled(std::vector<bool>(77, true), 40'000, 5000);
    expect_corruption_handled(vector<vector<string>>{{"a", "b"}, {}, {"c"}}, 50'000, 5000);
    expect_corruption_handled(vector<silent>(9), 60'000, 5000);
    expect_corruption_handled(vector<vector<silent>>{vector<silent>(2), vector<silent>(3)}, 70'000, 5000);
}

TEST(WireFuzz, CorruptMaps) {
    expect_corruption_handled(map<string, vector<int>>{{"a", {1, 2}}, {"b", {}}}, 80'000, 5000);
    expect_corruption_handled(unordered_map<int, string>{{1, "x"}, {2, "y"}, {3, "z"}}, 90'000, 5000);
    expect_corruption_handled(std::set<std::string>{"k", "l", "m"}, 100'000, 5000);
    expect_corruption_handled(
        std::multimap<std::string, tree>{{"a", sample_tree()}, {"a", tree()}}, 110'000, 5000);
}

TEST(WireFuzz, CorruptHooks) {
    expect_corruption_handled(sample_parcel(), 120'000, 5000);
    expect_corruption_handled(sample_tree(), 130'000, 5000);
    expect_corruption_handled(sample(), 140'000, 5000);
}

TEST(WireFuzz, NoiseIsNoValue) {
    for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
        std::mt19937_64 random(seed);
        std::vector<std::byte> noise(random() % 200);
        for (std::byte& each : noise) each = static_cast<std::byte>(random());
        allocation_count::restart();
        std::size_t const before = allocation_count::live;
        EXPECT_THROW((void)decode<everything>(std::span(std::as_const(noise))), wire_error)
            << "seed " << seed;
        ASSERT_LE(allocation_count::peak - before, 4096 * (noise.size() + 1)) << "seed " << seed;
    }
}
