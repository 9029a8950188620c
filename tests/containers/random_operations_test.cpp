// Random sequences of operations on several containers of one mailbox, against serial containers that every
// rank keeps: each draws the operations of all ranks. Within a step operations of several ranks commute.
//
// In one file: a class for each container and one program that draws among them.
#include <weft/containers/array.hpp>
#include <weft/containers/bag.hpp>
#include <weft/containers/counting_set.hpp>
#include <weft/containers/disjoint_set.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/containers/multiset.hpp>
#include <weft/containers/set.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <unistd.h>

namespace weft_test {
namespace {

using number = std::int64_t;

/// The operations of a step: the keys of each rank, which all ranks draw equally.
class step_draws {
public:
    step_draws(std::uint64_t seed, int step) : seed_(seed), step_(step) {
        common_ = engine(0);
        int const most = std::array{0, 3, 40, 400}[common_() % 4];
        keys_ = std::array{1, 10, 300}[common_() % 3]; // few: all ranks use the same ones
        for (int of = 0; of < size(); ++of) {
            auto chance = engine(static_cast<std::uint64_t>(of) + 1);
            auto& drawn = of_rank_.emplace_back();
            for (auto left = most == 0 ? 0 : chance() % static_cast<std::uint64_t>(most); left > 0; --left)
                drawn.push_back(static_cast<number>(chance() % static_cast<std::uint64_t>(keys_)));
        }
    }
    [[nodiscard]] std::uint64_t below(std::uint64_t end) { return common_() % end; }
    [[nodiscard]] std::vector<number> const& mine() const {
        return of_rank_[static_cast<std::size_t>(rank())];
    }
    template <class Body>
    void of_all(Body&& body) const {
        for (auto const& drawn : of_rank_)
            for (number const each : drawn) body(each);
    }

private:
    [[nodiscard]] std::mt19937_64 engine(std::uint64_t stream) const {
        std::seed_seq seeds{seed_, static_cast<std::uint64_t>(step_), stream};
        return std::mt19937_64(seeds);
    }

    std::uint64_t seed_;
    int step_;
    std::mt19937_64 common_;
    int keys_ = 1;
    std::vector<std::vector<number>> of_rank_;
};

std::string text_of(number key) {
    return nasty_text(static_cast<std::uint64_t>(key)) + std::to_string(key);
}

/// The steps of `Tested`, each drawn by its place in a list; all keep the oracle equal to the container.
template <class Tested>
class random_container {
public:
    explicit random_container(weft::mailbox& mail, std::string file)
        : mail_(mail), all_(mail), file_(std::move(file)) {}

    /// Operations that every container has.
    void move_about(std::uint64_t how) {
        if (how == 0) {
            Tested copy = all_;
            all_.clear();
            EXPECT_EQ(all_.size(), 0);
            swap(copy, all_);
        } else if (how == 1) {
            Tested moved = std::move(all_);
            all_ = std::move(moved);
        } else {
            all_.save(file_);
            all_.clear();
            all_.load(file_);
        }
    }

protected:
    weft::mailbox& mail_;
    Tested all_;
    std::string file_;
};

class random_map : random_container<weft::map<std::string, number>> {
public:
    random_map(weft::mailbox& mail, std::string const& file) : random_container(mail, file + ".map") {
        remake();
    }
    void step(step_draws& drawn, int now) {
        std::uint64_t const what = drawn.below(7);
        switch (what) {
        case 0:
            for (number const key : drawn.mine()) all_.insert(text_of(key), key + 1000);
            drawn.of_all([&](number key) { expected_.emplace(text_of(key), key + 1000); });
            break;
        case 1:
            for (number const key : drawn.mine()) all_.insert_or_assign(text_of(key), key + now);
            drawn.of_all([&](number key) { expected_[text_of(key)] = key + now; });
            break;
        case 2:
            for (number const key : drawn.mine()) all_.erase(text_of(key));
            drawn.of_all([&](number key) { expected_.erase(text_of(key)); });
            break;
        case 3:
            for (number const key : drawn.mine()) (*visit_)(text_of(key), key);
            drawn.of_all([&](number key) { expected_[text_of(key)] += key; });
            break;
        case 4:
            for (number const key : drawn.mine()) (*visit_present_)(text_of(key), key);
            drawn.of_all([&](number key) {
                if (auto const found = expected_.find(text_of(key)); found != expected_.end())
                    found->second ^= key;
            });
            break;
        case 5:
            for (number const key : drawn.mine()) (*greatest_)(text_of(key), key * now % 97);
            drawn.of_all([&](number key) {
                auto const [found, made] = expected_.emplace(text_of(key), key * now % 97);
                if (!made) found->second = std::max(found->second, key * now % 97);
            });
            break;
        default:
            move_about(drawn.below(3));
            remake(); // visitors are of a container, and copies have their own
        }
    }
    void check(step_draws& drawn) const {
        EXPECT_EQ(
            all_.gather(), (std::vector<std::pair<std::string, number>>(expected_.begin(), expected_.end())));
        std::vector<std::string> keys;
        for (number const key : drawn.mine()) keys.push_back(text_of(key));
        auto const found = all_.collect(keys);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            auto const wanted = expected_.find(keys[i]);
            EXPECT_EQ(found[i], wanted == expected_.end() ? std::nullopt : std::optional(wanted->second));
        }
        number local = 0;
        for (auto [key, value] : all_.local()) local += value;
        number total = 0;
        for (auto const& [key, value] : expected_) total += value;
        EXPECT_EQ(weft::sum(world(), local), total);
    }

private:
    void remake() {
        visit_ = all_.visitor<number>([](number& value, number by) { value += by; });
        visit_present_ = all_.visitor_if_contains<number>([](number& value, number by) { value ^= by; });
        greatest_ = all_.reducer(greater());
    }
    struct greater {
        number operator()(number a, number b) const { return std::max(a, b); }
    };

    std::map<std::string, number> expected_;
    std::optional<weft::visitor<std::string, number, number>> visit_;
    std::optional<weft::visitor<std::string, number, number>> visit_present_;
    std::optional<weft::reducer<std::string, number, greater>> greatest_;
};

class random_multimap : random_container<weft::multimap<number, std::string>> {
public:
    random_multimap(weft::mailbox& mail, std::string const& file)
        : random_container(mail, file + ".multimap") {}
    void step(step_draws& drawn, int now) {
        switch (drawn.below(4)) {
        case 0:
        case 1:
            for (number const key : drawn.mine()) all_.insert(key % 50, text_of(key * now));
            drawn.of_all([&](number key) { expected_.emplace(key % 50, text_of(key * now)); });
            break;
        case 2:
            for (number const key : drawn.mine()) all_.erase(key);
            drawn.of_all([&](number key) { expected_.erase(key); });
            break;
        default:
            move_about(drawn.below(3));
        }
    }
    void check(step_draws& drawn) const {
        EXPECT_EQ(all_.size(), std::ssize(expected_));
        auto found = all_.gather();
        std::ranges::sort(found);
        std::vector<std::pair<number, std::string>> wanted(expected_.begin(), expected_.end());
        std::ranges::sort(wanted);
        EXPECT_EQ(found, wanted);
        auto const groups = all_.collect(drawn.mine());
        for (std::size_t i = 0; i < groups.size(); ++i)
            EXPECT_EQ(groups[i].size(), expected_.count(drawn.mine()[i]));
    }

private:
    std::multimap<number, std::string> expected_;
};

class random_set : random_container<weft::set<std::string>> {
public:
    random_set(weft::mailbox& mail, std::string const& file) : random_container(mail, file + ".set") {}
    void step(step_draws& drawn, int) {
        switch (drawn.below(4)) {
        case 0:
        case 1:
            for (number const key : drawn.mine()) all_.insert(text_of(key));
            drawn.of_all([&](number key) { expected_.insert(text_of(key)); });
            break;
        case 2:
            for (number const key : drawn.mine()) all_.erase(text_of(key));
            drawn.of_all([&](number key) { expected_.erase(text_of(key)); });
            break;
        default:
            move_about(drawn.below(3));
        }
    }
    void check(step_draws& drawn) const {
        EXPECT_EQ(all_.gather(), std::vector<std::string>(expected_.begin(), expected_.end()));
        auto const most = static_cast<number>(drawn.below(5));
        std::vector<std::string> const first(
            expected_.rbegin(), std::next(expected_.rbegin(), std::min(most, std::ssize(expected_))));
        EXPECT_EQ(all_.gather_top_k(most), first);
    }

private:
    std::set<std::string> expected_;
};

class random_counts : random_container<weft::counting_set<std::string>> {
public:
    random_counts(weft::mailbox& mail, std::string const& file) : random_container(mail, file + ".counts") {}
    void step(step_draws& drawn, int now) {
        switch (drawn.below(4)) {
        case 0:
        case 1:
            for (number const key : drawn.mine()) all_.insert(text_of(key), now % 5 - 1);
            drawn.of_all([&](number key) { expected_[text_of(key)] += now % 5 - 1; });
            break;
        case 2:
            for (number const key : drawn.mine()) all_.erase(text_of(key));
            drawn.of_all([&](number key) { expected_.erase(text_of(key)); });
            break;
        default:
            move_about(drawn.below(3));
        }
    }
    void check(step_draws&) const {
        EXPECT_EQ(
            all_.gather(), (std::vector<std::pair<std::string, number>>(expected_.begin(), expected_.end())));
    }

private:
    std::map<std::string, number> expected_;
};

class random_multiset : random_container<weft::multiset<number>> {
public:
    random_multiset(weft::mailbox& mail, std::string const& file)
        : random_container(mail, file + ".multiset") {}
    void step(step_draws& drawn, int) {
        switch (drawn.below(4)) {
        case 0:
        case 1:
            all_.insert(drawn.mine());
            drawn.of_all([&](number key) { expected_.insert(key); });
            break;
        case 2:
            all_.erase(drawn.mine());
            drawn.of_all([&](number key) { expected_.erase(key); });
            break;
        default:
            move_about(drawn.below(3));
        }
    }
    void check(step_draws&) const {
        EXPECT_EQ(all_.gather(), std::vector<number>(expected_.begin(), expected_.end()));
    }

private:
    std::multiset<number> expected_;
};

class random_bag : random_container<weft::bag<std::string>> {
public:
    random_bag(weft::mailbox& mail, std::string const& file) : random_container(mail, file + ".bag") {}
    void step(step_draws& drawn, int) {
        switch (drawn.below(5)) {
        case 0:
            for (number const key : drawn.mine()) all_.insert(text_of(key));
            drawn.of_all([&](number key) { expected_.insert(text_of(key)); });
            break;
        case 1:
            for (number const key : drawn.mine())
                all_.insert_at(static_cast<int>(key) % size(), text_of(key));
            drawn.of_all([&](number key) { expected_.insert(text_of(key)); });
            break;
        case 2:
            all_.rebalance();
            break;
        case 3:
            all_.sort();
            EXPECT_EQ(all_.gather(), std::vector<std::string>(expected_.begin(), expected_.end()));
            break;
        default:
            move_about(drawn.below(3));
        }
    }
    void check(step_draws&) const {
        auto found = all_.gather();
        std::ranges::sort(found);
        EXPECT_EQ(found, std::vector<std::string>(expected_.begin(), expected_.end()));
    }

private:
    std::multiset<std::string> expected_;
};

class random_array {
public:
    random_array(weft::mailbox& mail, std::string const& file) : all_(mail, 0), file_(file + ".array") {
        remake();
    }
    void step(step_draws& drawn, int now) {
        auto const index = [&](number key) { return key * 31 % std::ssize(expected_); };
        std::uint64_t const what = drawn.below(6);
        if (expected_.empty() || what == 0) {
            expected_.resize(drawn.below(200), now);
            all_.resize(std::ssize(expected_), now);
        } else if (what == 1) {
            for (number const key : drawn.mine()) (*add_)(index(key), key);
            drawn.of_all([&](number key) { expected_[static_cast<std::size_t>(index(key))] += key; });
        } else if (what == 2) {
            for (number const key : drawn.mine()) all_.assign(index(key), index(key) + now);
            drawn.of_all(
                [&](number key) { expected_[static_cast<std::size_t>(index(key))] = index(key) + now; });
        } else if (what == 3) {
            all_.sort(std::greater<>());
            std::ranges::sort(expected_, std::greater<>());
        } else if (what == 4) {
            all_.save(file_);
            all_.resize(now);
            all_.load(file_);
        } else {
            weft::array<number> copy = all_;
            all_.resize(0);
            swap(copy, all_);
            remake();
        }
    }
    void check(step_draws& drawn) const {
        EXPECT_EQ(all_.gather(), expected_);
        if (expected_.empty()) return;
        std::vector<number> indices;
        std::vector<number> wanted;
        for (number const key : drawn.mine()) {
            indices.push_back(key % std::ssize(expected_));
            wanted.push_back(expected_[static_cast<std::size_t>(indices.back())]);
        }
        EXPECT_EQ(all_.collect(indices), wanted);
    }

private:
    void remake() { add_ = all_.reducer(std::plus<number>()); }

    weft::array<number> all_;
    std::string file_;
    std::vector<number> expected_;
    std::optional<weft::array_visitor<number, number>> add_;
};

class random_unions : random_container<weft::disjoint_set<number>> {
public:
    random_unions(weft::mailbox& mail, std::string const& file) : random_container(mail, file + ".unions") {
        remake();
    }
    void step(step_draws& drawn, int now) {
        auto const other = [&](number key) { return (key * 7 + now) % 200; };
        std::uint64_t const what = drawn.below(5);
        if (what < 3) {
            number const before = std::ssize(expected_);
            number made = 0;
            drawn.of_all([&](number key) {
                made += expected_.emplace(key, key).second ? 1 : 0;
                made += expected_.emplace(other(key), other(key)).second ? 1 : 0;
            });
            EXPECT_EQ(std::ssize(expected_), before + made);
            number const sets = num_sets();
            for (number const key : drawn.mine())
                what == 0 ? all_.union_sets(key, other(key)) : (*unite_)(key, other(key));
            drawn.of_all([&](number key) { unite(key, other(key)); });
            mail_.drain();
            if (what != 0) {
                expected_joined_ += sets - num_sets();
                EXPECT_EQ(weft::sum(world(), joined_), expected_joined_);
            }
        } else if (what == 3) {
            all_.insert(drawn.mine());
            drawn.of_all([&](number key) { expected_.emplace(key, key); });
        } else {
            move_about(drawn.below(3));
            remake();
        }
    }
    void check(step_draws& drawn) const {
        EXPECT_EQ(all_.num_sets(), num_sets());
        auto const found = all_.all_find(drawn.mine());
        for (std::size_t i = 1; i < found.size(); ++i)
            if (expected_.contains(drawn.mine()[i]) && expected_.contains(drawn.mine()[i - 1])) {
                EXPECT_EQ(found[i] == found[i - 1], root(drawn.mine()[i]) == root(drawn.mine()[i - 1]));
            }
    }

private:
    void remake() {
        unite_ = all_.union_and_execute([this](number, number) { ++joined_; });
    }
    [[nodiscard]] number root(number item) const {
        while (expected_.at(item) != item) item = expected_.at(item);
        return item;
    }
    void unite(number a, number b) { expected_[root(a)] = root(b); }
    [[nodiscard]] number num_sets() const {
        return std::ranges::count_if(expected_, [](auto const& each) { return each.first == each.second; });
    }

    std::map<number, number> expected_; // parents
    number joined_ = 0; // never reset: calls of a rank that is ahead come before this one knows of the step
    number expected_joined_ = 0;
    std::optional<decltype(std::declval<weft::disjoint_set<number>&>().union_and_execute(
        std::function<void(number, number)>()))>
        unite_;
};

TEST(random_operations, agree_with_serial_containers) {
    int const mark = weft::max(world(), rank() == 0 ? ::getpid() : 0);
    auto const file = std::filesystem::temp_directory_path() / ("weft_containers." + std::to_string(mark));
    auto seeds = random();
    for_some_ways([&](weft::mailbox& mail) {
        std::uint64_t const seed = seeds();
        random_map map(mail, file);
        random_multimap multimap(mail, file);
        random_set set(mail, file);
        random_counts counts(mail, file);
        random_multiset multiset(mail, file);
        random_bag bag(mail, file);
        random_array array(mail, file);
        random_unions unions(mail, file);
        for (int now = 1; now <= 25 && !testing::Test::HasFailure(); ++now) {
            step_draws drawn(seed, now);
            std::uint64_t const which = drawn.below(8);
            bool const checked = drawn.below(3) == 0;
            SCOPED_TRACE("step " + std::to_string(now) + ", container " + std::to_string(which));
            auto const go = [&](auto& container) {
                container.step(drawn, now);
                if (!checked) return mail.drain();
                container.check(drawn);
            };
            switch (which) {
            case 0:
                go(map);
                break;
            case 1:
                go(multimap);
                break;
            case 2:
                go(set);
                break;
            case 3:
                go(counts);
                break;
            case 4:
                go(multiset);
                break;
            case 5:
                go(bag);
                break;
            case 6:
                go(array);
                break;
            default:
                go(unions);
            }
        }
    });
    if (rank() == 0)
        for (char const* const each :
            {"map", "multimap", "set", "counts", "multiset", "bag", "array", "unions"})
            std::filesystem::remove(file.string() + "." + each);
}

} // namespace
} // namespace weft_test
