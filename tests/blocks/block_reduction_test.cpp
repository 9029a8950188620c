/// Blocks merged and swapped: the same bits wherever the blocks are.
#include <weft/blocks/block_reduction.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

using weft::block_id;
using weft::block_set;
using weft::index_of;
using weft::merge_schedule;
using weft::swap_schedule;
using weft_test::cut_into;
using weft_test::setting;
using weft_test::world;

namespace {

/// Premultiplied colour and opacity.
struct shade {
    float color = 0;
    float opacity = 0;
    friend bool operator==(shade const&, shade const&) = default;
};

shade over(shade const& front, shade const& back) noexcept {
    float const rest = 1 - front.opacity;
    return {front.color + rest * back.color, front.opacity + rest * back.opacity};
}

struct painted_block {
    std::vector<shade> image;
    std::string text;
    bool keeps = false;
};

std::vector<shade> image_of_block(std::int64_t id, std::size_t length) {
    auto random = weft_test::random(static_cast<std::uint64_t>(id) + 1);
    std::uniform_real_distribution<float> chance;
    std::vector<shade> made(length);
    for (shade& each : made) each = {chance(random) / 2, chance(random) / 2};
    return made;
}

std::string letters_of_block(std::int64_t id) {
    return std::to_string(id) + ",";
}

constexpr std::size_t length = 70;

block_set<painted_block> painted(setting const& with) {
    return block_set<painted_block>(world(), cut_into::chain(with.blocks), with.where(),
        [](block_id id) {
            return painted_block{image_of_block(index_of(id), length), letters_of_block(index_of(id))};
        },
        {.threads = with.threads});
}

/// What is left of a reduction of values, by block, written down in the plainest way.
template <class T, class Combine>
std::map<std::int64_t, T> plainly(
    weft::schedule const& rounds, std::map<std::int64_t, T> values, Combine const& combine) {
    for (int round = 0; round < rounds.rounds(); ++round) {
        auto next = values;
        for (auto const& [id, value] : values) {
            weft::round_group const group = rounds.group_of(round, id);
            if (group.keeper >= 0 && group.members[static_cast<std::size_t>(group.keeper)] != id) {
                next.erase(id);
                continue;
            }
            std::vector<T> parts;
            for (std::int64_t const member : group.members) parts.push_back(values.at(member));
            while (parts.size() > 1) {
                std::vector<T> pairs;
                for (std::size_t p = 0; p < parts.size(); p += 2)
                    pairs.push_back(p + 1 < parts.size() ? combine(parts[p], parts[p + 1]) : parts[p]);
                parts = std::move(pairs);
            }
            next[id] = parts.front();
        }
        values = std::move(next);
    }
    return values;
}

std::map<std::int64_t, std::vector<shade>> images(std::int64_t blocks) {
    std::map<std::int64_t, std::vector<shade>> made;
    for (std::int64_t id = 0; id < blocks; ++id) made[id] = image_of_block(id, length);
    return made;
}

std::vector<shade> images_over(std::vector<shade> front, std::vector<shade> const& back) {
    for (std::size_t i = 0; i < front.size(); ++i) front[i] = over(front[i], back[i]);
    return front;
}

/// Calls `body(setting, k)` for the numbers of blocks that others got wrong, and some more.
template <class Body>
void for_reductions(Body&& body) {
    int dealing = 0;
    for (std::int64_t const blocks : {1, 2, 3, 10, 33, 44, 56, 64, 189})
        for (int const k : {2, 4, 8}) {
            setting const with{blocks, 1 + dealing % 2, dealing % 3};
            ++dealing;
            SCOPED_TRACE(with.name() + ", k " + std::to_string(k));
            body(with, k);
        }
}

} // namespace

TEST(block_reduction, merges_values_of_any_size_in_the_order_of_blocks) {
    for_reductions([](setting const& with, int k) {
        auto blocks = painted(with);
        auto const text = [](painted_block const& self, block_id) { return self.text; };
        auto const bracket = [](std::string const& a, std::string const& b) { return "(" + a + b + ")"; };
        std::map<std::int64_t, std::string> texts;
        for (std::int64_t id = 0; id < with.blocks; ++id) texts[id] = letters_of_block(id);
        auto const whole = merge_schedule(with.blocks, k, {.root = with.blocks / 2});
        auto const part = merge_schedule(with.blocks, std::vector{k}); // one round
        for (auto const* rounds : {&whole, &part}) {
            auto const expected = plainly(*rounds, texts, bracket);
            weft::merge_reduce<std::string>(
                blocks, *rounds, text, bracket, [&](painted_block&, block_id id, std::string const& merged) {
                    EXPECT_EQ(merged, expected.at(index_of(id)));
                });
            weft::merge_reduce<std::string>(blocks, *rounds, text, bracket,
                [](painted_block& self, block_id, std::string const&) { self.keeps = true; });
            blocks.for_each([&](painted_block& self, block_id id) {
                EXPECT_EQ(self.keeps, expected.contains(index_of(id)));
                self.keeps = false;
            });
        }
    });
}

TEST(block_reduction, ten_ints_of_n_blocks_are_n_times_as_much) {
    for (std::int64_t const n : {44, 48, 56, 64})
        for (int const k : {2, 4, 8})
            for (auto const groups : {weft::grouping::contiguous, weft::grouping::strided}) {
                block_set<int> blocks(world(), cut_into::chain(n), [](block_id) { return 0; });
                weft::merge_reduce<std::vector<int>>(
                    blocks, merge_schedule(n, k, {.groups = groups}),
                    [](int, block_id) {
                        return std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
                    },
                    [](std::vector<int> a, std::vector<int> const& b) {
                        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
                        return a;
                    },
                    [n](int, block_id id, std::vector<int> const& sums) {
                        EXPECT_EQ(index_of(id), 0);
                        for (int i = 0; i < 10; ++i)
                            EXPECT_EQ(sums.at(static_cast<std::size_t>(i)), static_cast<int>(n) * i);
                    });
            }
}

TEST(block_reduction, swaps_give_shares_with_the_same_bits_wherever_blocks_are) {
    for_reductions([](setting const& with, int k) {
        auto const whole = swap_schedule(with.blocks, k);
        auto const sizes = weft::group_sizes(with.blocks, k);
        auto const part = swap_schedule(with.blocks, std::span(sizes).first(sizes.empty() ? 0 : 1));
        for (auto const* rounds : {&whole, &part}) {
            auto blocks = painted(with);
            auto const expected = plainly(*rounds, images(with.blocks), images_over);
            weft::swap_reduce<shade>(
                blocks, *rounds, [](painted_block& self, block_id) { return std::span(self.image); }, over,
                [&](painted_block&, block_id id, std::span<shade> share, std::size_t first) {
                    auto const& mine = expected.at(index_of(id));
                    auto const kept = weft::kept_elements(*rounds, index_of(id), length);
                    EXPECT_EQ(first, kept.first);
                    ASSERT_EQ(share.size(), kept.size());
                    for (std::size_t i = 0; i < share.size(); ++i) EXPECT_EQ(share[i], mine[first + i]);
                });
        }
    });
}

TEST(block_reduction, a_schedule_of_the_users) {
    // The ends first: 0 and n - 1, 1 and n - 2, ..., then all that kept, on the second of them.
    class from_the_ends final : public weft::schedule {
    public:
        explicit from_the_ends(std::int64_t blocks) : blocks_(blocks) {}
        [[nodiscard]] std::int64_t participants() const noexcept override { return blocks_; }
        [[nodiscard]] int rounds() const noexcept override { return 2; }
        [[nodiscard]] weft::round_group group_of(int round, std::int64_t id) const override {
            std::int64_t const other = blocks_ - 1 - id;
            if (round == 0)
                return {id < other   ? std::vector{id, other}
                        : id > other ? std::vector{other, id}
                                     : std::vector{id},
                    0};
            weft::round_group all{{}, static_cast<int>(std::min<std::int64_t>(1, (blocks_ - 1) / 2))};
            if (id > other) return {};
            for (std::int64_t each = 0; each <= blocks_ - 1 - each; ++each) all.members.push_back(each);
            return all;
        }

    private:
        std::int64_t blocks_;
    };
    for (std::int64_t const n : {1, 2, 5, 12}) {
        setting const with{n, 1 + static_cast<int>(n % 2), static_cast<int>(n % 3)};
        auto blocks = painted(with);
        std::string expected;
        for (std::int64_t id = 0; id <= n - 1 - id; ++id)
            expected += letters_of_block(id) + (id < n - 1 - id ? letters_of_block(n - 1 - id) : "");
        weft::merge_reduce<std::string>(
            blocks, from_the_ends(n), [](painted_block const& self, block_id) { return self.text; },
            std::plus<>(),
            [&](painted_block&, block_id id, std::string const& merged) {
                EXPECT_EQ(index_of(id), std::min<std::int64_t>(1, (n - 1) / 2));
                EXPECT_EQ(merged, expected);
            });
    }
}

TEST(block_reduction, arrays_of_all_blocks_combined_on_all) {
    for_reductions([](setting const& with, int) {
        auto blocks = painted(with);
        weft::all_reduce_arrays<shade>(
            blocks, [](painted_block& self, block_id) { return std::span(self.image); }, over);
        auto const expected = plainly(swap_schedule(with.blocks, 4), images(with.blocks), images_over);
        blocks.for_each([&](painted_block& self, block_id) { EXPECT_EQ(self.image, expected.at(0)); });
    });
}

TEST(block_reduction, a_value_of_one_block_goes_to_all) {
    auto blocks = painted({10, 1, 1});
    weft::broadcast<std::string>(
        blocks, block_id{7}, [](painted_block const& self, block_id) { return self.text; },
        [](painted_block& self, block_id, std::string const& text) { self.text = text; });
    blocks.for_each([](painted_block& self, block_id) { EXPECT_EQ(self.text, "7,"); });
    auto const text = [](painted_block const& self, block_id) { return self.text; };
    EXPECT_THROW(weft::broadcast<std::string>(
                     blocks, block_id{10}, text, [](painted_block&, block_id, std::string const&) {}),
        weft::usage_error);
}

TEST(block_reduction, an_array_of_one_block_goes_to_all_in_place) {
    for (int const dealing : {0, 1, 2})
        for (std::int64_t const count : {1, 2, 7, 44}) {
            auto blocks = painted({count, 1, dealing});
            block_id const root{count * 2 / 3};
            weft::broadcast_arrays<shade>(
                blocks, root, [](painted_block& self, block_id) { return std::span(self.image); });
            blocks.for_each([&](painted_block& self, block_id) {
                EXPECT_EQ(self.image, image_of_block(index_of(root), length));
            });
        }
    auto blocks = painted({3, 1, 0});
    auto const uneven = [](painted_block& self, block_id id) {
        return std::span(self.image).first(id == block_id{2} ? 3 : 4);
    };
    EXPECT_THROW(weft::broadcast_arrays<shade>(blocks, block_id{0}, uneven), weft::usage_error);
    EXPECT_THROW(weft::broadcast_arrays<shade>(blocks, block_id{3}, uneven), weft::usage_error);
}

TEST(block_reduction, threads_combine_at_the_same_time_and_give_the_same) {
    std::int64_t const count = 8 * weft_test::size();
    auto blocks = painted({count, 1, 0});
    auto const text = [](painted_block const& self, block_id) { return self.text; };
    auto const rounds = merge_schedule(count, 8);
    // Every rank has a group of eight, with four pairs that are ready at once: one waits for another.
    std::atomic<int> running = 0;
    std::atomic<bool> together = false;
    auto const bracket = [&](std::string const& a, std::string const& b) {
        auto const until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        if (++running >= 2) together = true;
        while (!together && std::chrono::steady_clock::now() < until) std::this_thread::yield();
        --running;
        return "(" + a + b + ")";
    };
    std::map<std::int64_t, std::string> texts;
    for (std::int64_t id = 0; id < count; ++id) texts[id] = letters_of_block(id);
    auto const expected =
        plainly(rounds, texts, [](std::string const& a, std::string const& b) { return "(" + a + b + ")"; });
    weft::merge_reduce<std::string>(blocks, rounds, text, bracket,
        [&](painted_block&, block_id id, std::string const& merged) {
            EXPECT_EQ(merged, expected.at(index_of(id)));
        },
        {.threads = 3});
    EXPECT_TRUE(together);

    auto const image = [](painted_block& self, block_id) { return std::span(self.image); };
    auto const swaps = swap_schedule(count, 4);
    auto const shares = plainly(swaps, images(count), images_over);
    weft::swap_reduce<shade>(blocks, swaps, image, over,
        [&](painted_block&, block_id id, std::span<shade> share, std::size_t first) {
            for (std::size_t i = 0; i < share.size(); ++i)
                EXPECT_EQ(share[i], shares.at(index_of(id))[first + i]);
        },
        {.threads = 3});
    blocks.for_each(
        [](painted_block& self, block_id id) { self.image = image_of_block(index_of(id), length); });
    weft::all_reduce_arrays<shade>(blocks, image, over, {.threads = 2});
    blocks.for_each([&](painted_block& self, block_id) { EXPECT_EQ(self.image, shares.at(0)); });
}

TEST(block_reduction, errors_of_threads_are_those_of_all_ranks) {
    auto blocks = painted({9, 1, 0});
    auto const text = [](painted_block const& self, block_id) { return self.text; };
    auto const nothing = [](painted_block&, block_id, std::string const&) {};
    auto const add = [](std::string a, std::string const& b) {
        if (b.starts_with("7")) throw weft::usage_error("not this one");
        return a + b;
    };
    auto const rounds = merge_schedule(9, 4);
    for (int round = 0; round < 20; ++round)
        EXPECT_THROW(weft::merge_reduce<std::string>(blocks, rounds, text, add, nothing, {.threads = 2}),
            weft::usage_error);
    EXPECT_THROW(weft::merge_reduce<std::string>(blocks, rounds, text, add, nothing, {.threads = 0}),
        weft::usage_error);
}

TEST(block_reduction, errors_are_those_of_all_ranks) {
    auto blocks = painted({9, 1, 0});
    auto const text = [](painted_block const& self, block_id) { return self.text; };
    auto const nothing = [](painted_block&, block_id, std::string const&) {};
    auto const add = [](std::string a, std::string const& b) { return a + b; };
    EXPECT_THROW(
        weft::merge_reduce<std::string>(blocks, merge_schedule(8, 2), text, add, nothing), weft::usage_error);
    EXPECT_THROW(
        weft::merge_reduce<std::string>(blocks, swap_schedule(9, 3), text, add, nothing), weft::usage_error);
    EXPECT_THROW(weft::merge_reduce<std::string>(
                     blocks, merge_schedule(9, 2), text,
                     [](std::string const& a, std::string const& b) {
                         if (b.starts_with("7")) throw weft::usage_error("not this one");
                         return a + b;
                     },
                     nothing),
        weft::usage_error);
    // Arrays of different lengths.
    auto const uneven = [](painted_block& self, block_id id) {
        return std::span(self.image).first(id == block_id{8} ? 3 : 4);
    };
    EXPECT_THROW(weft::all_reduce_arrays<shade>(blocks, uneven, over), weft::usage_error);
    int merged = 0;
    weft::merge_reduce<std::string>(
        blocks, merge_schedule(9, 2), text, add, [&](painted_block&, block_id, std::string const& all) {
            EXPECT_EQ(all, "0,1,2,3,4,5,6,7,8,");
            ++merged;
        });
    EXPECT_EQ(merged, blocks.where().rank_of(block_id{0}) == weft_test::rank() ? 1 : 0);
}

TEST(block_reduction, threads_that_one_rank_cannot_have_are_an_error_of_all_ranks) {
    block_set<painted_block> blocks(world(), cut_into::chain(9), [](block_id) { return painted_block{}; });
    int const threads = weft_test::rank() == weft_test::size() - 1 ? 0 : 1;
    auto const one = [](painted_block const&, block_id) { return 1; };
    auto const add = [](int a, int b) { return a + b; };
    EXPECT_THROW(weft::merge_reduce<int>(blocks, merge_schedule(9, 2), one, add,
                     [](painted_block&, block_id, int) {}, {.threads = threads}),
        weft::usage_error);
    int found = 0;
    weft::merge_reduce<int>(
        blocks, merge_schedule(9, 2), one, add, [&](painted_block&, block_id, int all) { found = all; });
    EXPECT_EQ(found, blocks.where().rank_of(block_id{0}) == weft_test::rank() ? 9 : 0);
}

TEST(block_reduction, a_schedule_without_a_keeper_is_refused_on_all_ranks) {
    block_set<painted_block> blocks(world(), cut_into::chain(9), [](block_id) { return painted_block{}; });
    EXPECT_THROW(weft::merge_reduce<int>(
                     blocks, swap_schedule(9, 4), [](painted_block const&, block_id) { return 1; },
                     [](int a, int b) { return a + b; }, [](painted_block&, block_id, int) {}),
        weft::usage_error);
    EXPECT_EQ(weft::sum(world(), 1), weft_test::size());
}

TEST(block_reduction, callbacks_stay_on_the_calling_thread) {
    block_set<painted_block> blocks(
        world(), cut_into::chain(9), [](block_id) { return painted_block{}; }, {.threads = 3});
    auto const here = std::this_thread::get_id();
    std::atomic<int> elsewhere = 0;
    auto const look = [&] {
        if (std::this_thread::get_id() != here) ++elsewhere;
    };
    weft::merge_reduce<int>(
        blocks, merge_schedule(9, std::vector<int>{}),
        [&](painted_block const&, block_id) {
            look();
            return 1;
        },
        [](int a, int b) { return a + b; }, [&](painted_block&, block_id, int) { look(); });
    EXPECT_EQ(elsewhere, 0);
}
