#include <weft/containers/tagged_bag.hpp>

#include "containers_rig.hpp"

#include <io/shared_folder.hpp>

#include <set>

namespace weft_test {
namespace {

TEST(tagged_bag, ids_find_their_items) {
    for_some_ways([](weft::mailbox& mail) {
        weft::tagged_bag<std::string> all(mail);
        std::vector<std::string> mine;
        for (int i = 0; i < 200 + rank(); ++i)
            mine.push_back(std::to_string(rank()) + ":" + std::to_string(i));
        std::vector<std::int64_t> const ids = all.insert(mine);
        std::vector<std::int64_t> const everywhere = of_all_ranks(ids);
        EXPECT_EQ(std::set<std::int64_t>(everywhere.begin(), everywhere.end()).size(), everywhere.size());
        EXPECT_EQ(all.size(), std::ssize(everywhere));
        EXPECT_EQ(weft::sum(world(), all.local_size()), all.size());
        auto const items = of_all_ranks(mine);
        auto const found = all.collect(everywhere);
        for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(found[i], items[i]);
        auto const append =
            all.visitor<std::string>([](std::string& item, std::string_view more) { item += more; });
        append(everywhere.front(), "!");
        append(everywhere.back() + 100'000, "?"); // is not there
        EXPECT_EQ(
            all.find(everywhere.front()), items.front() + std::string(static_cast<std::size_t>(size()), '!'));
        if (rank() == 0) all.erase(everywhere.back());
        EXPECT_EQ(all.size(), std::ssize(everywhere) - 1);
        EXPECT_EQ(all.find(everywhere.back()), std::nullopt);
        std::int64_t walked = 0;
        all.for_all([&](std::int64_t, std::string&) { ++walked; });
        for (auto [id, item] : all.local()) {
            EXPECT_GE(id, 0);
            --walked;
        }
        EXPECT_EQ(walked, 0);
        EXPECT_EQ(std::ssize(all.gather()), std::ssize(everywhere) - 1);
        all.clear();
        EXPECT_EQ(all.size(), 0);
    });
}

class tagged_bag_file : public with_folder {};

TEST_F(tagged_bag_file, ids_go_on_where_a_file_ends) {
    std::string const file = path("bag").string();
    weft::mailbox mail(world());
    weft::tagged_bag<int> all(mail);
    for (int i = 0; i < 100; ++i) (void)all.insert(i);
    all.save(file);
    auto const saved = all.gather();
    weft::tagged_bag<int> other(mail);
    (void)other.insert(-1);
    other.load(file);
    EXPECT_EQ(other.gather(), saved);
    std::vector<std::int64_t> const ids = of_all_ranks(std::vector<std::int64_t>{other.insert(7)});
    for (std::int64_t const id : ids) EXPECT_GT(id, saved.back().first);
    EXPECT_EQ(other.size(), 101 * size());
}

} // namespace
} // namespace weft_test
