/// Blocks that talk, on whatever ranks they are.
#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using weft::block_id;
using weft::block_port;
using weft::block_set;
using weft::index_of;
using weft_test::cut_into;
using weft_test::for_settings;
using weft_test::setting;

namespace {

struct plain_block {
    block_id id;
    std::vector<std::int64_t> got = {};
};

plain_block make_plain(block_id id) {
    return {id};
}

} // namespace

// Field-notes section 3, case 1.
TEST(block_set, a_chain_of_blocks_hears_each_neighbour_twice_in_order) {
    for_settings([](setting const& with) {
        block_set<plain_block> blocks(weft_test::world(), cut_into::chain(with.blocks), with.where(),
            make_plain, {.threads = with.threads});
        auto const say = [&](std::int64_t add) {
            blocks.for_each_port<std::int64_t>([&](plain_block& self, block_port<std::int64_t>& port) {
                for (block_id const to : port.link()) port.send(to, 10 * index_of(self.id) + add);
            });
        };
        say(0);
        say(1);
        blocks.exchange();
        blocks.for_each_port<std::int64_t>([&](plain_block& self, block_port<std::int64_t>& port) {
            for (auto const& [source, items] : port.messages()) {
                EXPECT_EQ(source, block_id{items[0] / 10});
                self.got.insert(self.got.end(), items.begin(), items.end());
            }
        });
        blocks.for_each([&](plain_block const& self, block_id id) {
            std::vector<std::int64_t> expected;
            for (std::int64_t const from : {index_of(id) - 1, index_of(id) + 1})
                if (from >= 0 && from < with.blocks) {
                    expected.push_back(10 * from);
                    expected.push_back(10 * from + 1);
                }
            EXPECT_EQ(self.got, expected);
        });
    });
}

TEST(block_set, a_loop_reads_and_writes_the_blocks_of_a_rank) {
    for_settings([](setting const& with) {
        block_set<plain_block> blocks(weft_test::world(), cut_into::chain(with.blocks), with.where(),
            make_plain, {.threads = with.threads});
        for (auto [id, block] : blocks.local()) block.got.push_back(index_of(id));
        block_set<plain_block> const& read = blocks;
        std::vector<block_id> seen;
        for (auto [id, block] : read.local()) {
            static_assert(std::is_same_v<decltype((block)), plain_block const&>);
            EXPECT_EQ(block.id, id);
            EXPECT_EQ(block.got, std::vector<std::int64_t>{index_of(id)});
            seen.push_back(id);
        }
        EXPECT_EQ(seen.size(), read.size());
        std::vector<block_id> mine;
        for (std::int64_t place = 0; place < read.where().blocks_of(weft_test::rank()); ++place)
            mine.push_back(read.where().block_at(weft_test::rank(), place));
        EXPECT_EQ(seen, mine);
    });
}

// Case 3.
TEST(block_set, a_block_outside_of_the_link_receives_one_message) {
    for_settings([](setting const& with) {
        for (bool const asynchronous : {false, true}) {
            block_set<plain_block> blocks(weft_test::world(), cut_into::chain(with.blocks), with.where(),
                make_plain, {.threads = with.threads});
            for (int round = 0; round < 2; ++round)
                blocks.exchange<std::int64_t>([](plain_block&, block_port<std::int64_t>& port) {
                    for (block_id const to : port.link()) port.send(to, 1);
                });
            auto const take = [](plain_block& self, block_port<std::int64_t>& port) {
                for (std::int64_t const each : port.received())
                    if (each >= 100) self.got.push_back(each);
            };
            auto const send = [&](plain_block& self, block_port<std::int64_t>& port) {
                take(self, port);
                port.send(block_id{(index_of(self.id) + 2) % with.blocks}, 100 + index_of(self.id));
            };
            blocks.for_each_port<std::int64_t>(send);
            if (asynchronous)
                blocks.iexchange<std::int64_t>(take);
            else
                blocks.exchange();
            blocks.for_each_port<std::int64_t>(take);
            blocks.for_each([&](plain_block const& self, block_id id) {
                std::int64_t const from = (index_of(id) + 2 * with.blocks - 2) % with.blocks;
                EXPECT_EQ(self.got, std::vector<std::int64_t>{100 + from});
            });
        }
    });
}

TEST(block_set, what_is_not_taken_stays_for_a_later_phase_of_either_kind) {
    block_set<plain_block> blocks(weft_test::world(), cut_into::ring(5), make_plain);
    auto const send = [](plain_block& self, block_port<std::int64_t>& port) {
        port.send(block_id{(index_of(self.id) + 1) % 5}, index_of(self.id));
    };
    auto const nothing = [](plain_block&, block_port<std::int64_t>&) {};
    blocks.exchange<std::int64_t>(send);
    blocks.for_each_port<std::int64_t>(send);
    blocks.iexchange<std::int64_t>(nothing);
    blocks.exchange<std::int64_t>(nothing);
    blocks.iexchange<std::int64_t>(nothing);
    blocks.for_each_port<std::int64_t>([](plain_block& self, block_port<std::int64_t>& port) {
        block_id const before{(index_of(self.id) + 4) % 5};
        for (int twice = 0; twice < 2; ++twice) {
            weft::block_message<std::int64_t> one;
            ASSERT_TRUE(port.take(one));
            EXPECT_EQ(one.source, before);
            EXPECT_EQ(one.items[0], index_of(before));
        }
        weft::block_message<std::int64_t> none;
        EXPECT_FALSE(port.take(none));
    });
    blocks.exchange();
}

TEST(block_set, items_of_several_types_do_not_mix) {
    block_set<plain_block> blocks(weft_test::world(), cut_into::ring(3), make_plain);
    blocks.for_each_port<std::int64_t>([](plain_block&, auto& port) { port.send(block_id{0}, 7); });
    blocks.for_each_port<std::string>([](plain_block& self, auto& port) {
        port.send(block_id{0}, "from block " + std::to_string(index_of(self.id)));
        port.send(block_id{0}, "again");
    });
    blocks.exchange();
    std::vector<std::string> texts;
    blocks.for_each_port<std::string>([&](plain_block&, auto& port) {
        for (std::string const& each : port.received()) texts.push_back(each);
    });
    blocks.for_each_port<std::int64_t>([&](plain_block& self, auto& port) {
        for (std::int64_t const each : port.received()) self.got.push_back(each);
    });
    blocks.for_each([&](plain_block const& self, block_id id) {
        if (id != block_id{0}) return;
        EXPECT_EQ(self.got, (std::vector<std::int64_t>{7, 7, 7}));
        EXPECT_EQ(texts, (std::vector<std::string>{
                             "from block 0", "again", "from block 1", "again", "from block 2", "again"}));
    });
}

TEST(block_set, what_a_callback_throws_all_ranks_throw) {
    for (int const threads : {1, 2})
        for (bool const asynchronous : {false, true}) {
            block_set<plain_block> blocks(
                weft_test::world(), cut_into::ring(6), make_plain, {.threads = threads});
            auto const fails = [&](plain_block& self, block_port<std::int64_t>& port) {
                for (block_id const to : port.link()) port.send(to, 1);
                if (self.id == block_id{4}) throw weft::usage_error("block 4 does not want to");
                return false; // so the others wait for it
            };
            auto const run = [&] {
                if (asynchronous)
                    blocks.iexchange<std::int64_t>(fails);
                else
                    blocks.exchange<std::int64_t>(fails);
            };
            EXPECT_THROW(run(), weft::usage_error);
            // The messages are lost, and all goes on.
            blocks.iexchange<std::int64_t>([](plain_block&, block_port<std::int64_t>& port) {
                weft::block_message<std::int64_t> none;
                EXPECT_FALSE(port.take(none));
            });
            EXPECT_EQ(blocks.exchange(), 0);
        }
}

TEST(block_set, a_block_that_does_not_exist_is_named) {
    block_set<plain_block> blocks(weft_test::world(), cut_into::ring(3), make_plain);
    try {
        blocks.exchange<std::int64_t>([](plain_block&, auto& port) { port.send(block_id{3}, 1); });
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::usage_error const& thrown) {
        EXPECT_NE(std::string(thrown.what()).find("sends to block 3, but blocks are 0..2"), std::string::npos)
            << thrown.what();
    }
}

TEST(block_set, an_error_in_making_a_block_is_agreed) {
    auto const make = [](block_id id) -> plain_block {
        if (id == block_id{1}) throw weft::usage_error("no block 1 today");
        return {id};
    };
    EXPECT_THROW(block_set<plain_block>(weft_test::world(), cut_into::ring(3), make), weft::usage_error);
}

TEST(block_set, an_error_in_making_a_link_is_agreed) {
    auto const fails = [](block_id id) -> std::vector<block_id> {
        if (id == block_id{1}) throw weft::usage_error("nobody knows the neighbours of block 1");
        return {};
    };
    EXPECT_THROW(
        block_set<plain_block>(weft_test::world(), cut_into{5, fails}, make_plain), weft::usage_error);
    auto const of_others = weft::assignment::contiguous(4, weft_test::size());
    EXPECT_THROW(block_set<plain_block>(weft_test::world(), cut_into::ring(5), of_others, make_plain),
        weft::usage_error);
}

TEST(block_set, a_link_without_its_counterpart_is_an_error_that_names_both) {
    auto const one_sided = [](block_id id) {
        return std::vector<block_id>(id == block_id{2} ? 1 : 0, block_id{1});
    };
    try {
        block_set<plain_block> blocks(weft_test::world(), cut_into{4, one_sided}, make_plain);
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::usage_error const& thrown) {
        std::string const text = thrown.what();
        EXPECT_NE(text.find("block 2"), std::string::npos) << text;
        EXPECT_NE(text.find("block 1"), std::string::npos) << text;
    }
}

// Case 2, smaller: with WEFT_TEST_LARGE=1 as large as there.
TEST(block_set, large_vectors_arrive_whole) {
    bool const large = weft_test::large_tests();
    std::int64_t const unit = large ? std::int64_t{1} << 20 : std::int64_t{1} << 12;
    for (bool const asynchronous : {false, true})
        for (bool const gives : {false, true}) {
            block_set<plain_block> blocks(weft_test::world(), cut_into::ring(3), make_plain);
            auto const send = [&](plain_block& self, block_port<std::int64_t>& port) {
                std::int64_t const lengths[] = {288 * unit, 128 * unit, 64 * unit};
                for (block_id const to : port.link()) {
                    std::vector<std::int64_t> items(static_cast<std::size_t>(lengths[index_of(self.id)]));
                    std::iota(items.begin(), items.end(), index_of(self.id));
                    items.back() = std::accumulate(items.begin(), items.end() - 1, std::int64_t{0});
                    if (gives)
                        port.give(to, std::move(items));
                    else
                        port.send(to, items);
                }
            };
            auto const take = [](plain_block& self, block_port<std::int64_t>& port) {
                for (auto const& [source, items] : port.messages()) {
                    EXPECT_EQ(items.front(), index_of(source));
                    EXPECT_EQ(items.back(), std::accumulate(items.begin(), items.end() - 1, std::int64_t{0}));
                    self.got.push_back(static_cast<std::int64_t>(items.size()));
                }
            };
            blocks.for_each_port<std::int64_t>(send);
            if (asynchronous)
                blocks.iexchange<std::int64_t>(take);
            else
                blocks.exchange();
            blocks.for_each_port<std::int64_t>(take);
            blocks.for_each([&](plain_block& self, block_id) {
                std::sort(self.got.begin(), self.got.end());
                std::int64_t const lengths[] = {288 * unit, 128 * unit, 64 * unit};
                std::vector<std::int64_t> expected;
                for (std::int64_t const from : {2, 1, 0})
                    if (from != index_of(self.id)) expected.push_back(lengths[from]);
                EXPECT_EQ(self.got, expected);
            });
        }
}

// Algorithm 3 of Peterka and Ross: whatever a round does not wait for comes later, and nothing is lost.
TEST(block_set, late_messages_of_rounds_with_neighbours_come_in_later_rounds) {
    for_settings([](setting const& with) {
        for (weft::neighbor_options const synchrony :
            {weft::neighbor_options{1.0}, {0.5}, {0.0}, {.count = 1}, {.count = 1000}}) {
            block_set<plain_block> blocks(weft_test::world(), cut_into::ring(with.blocks), with.where(),
                make_plain, {.threads = with.threads});
            auto const take = [](plain_block& self, block_port<std::int64_t>& port) {
                for (std::int64_t const each : port.received()) self.got.push_back(each);
            };
            for (std::int64_t round = 0; round < 6; ++round)
                blocks.exchange_neighbors<std::int64_t>(
                    [&](plain_block& self, block_port<std::int64_t>& port) {
                        take(self, port);
                        for (block_id const to : port.link()) port.send(to, 100 * index_of(self.id) + round);
                    },
                    synchrony);
            blocks.exchange();
            blocks.for_each_port<std::int64_t>(take);
            blocks.for_each([&](plain_block const& self, block_id id) {
                std::vector<std::int64_t> expected;
                for (block_id const from : weft::link(cut_into::ring(with.blocks).link_of(id)))
                    for (std::int64_t round = 0; round < 6; ++round)
                        expected.push_back(100 * index_of(from) + round);
                std::vector<std::int64_t> got = self.got;
                std::stable_sort(
                    got.begin(), got.end(), [](std::int64_t a, std::int64_t b) { return a / 100 < b / 100; });
                EXPECT_EQ(got, expected); // in order for each source
            });
        }
    });
}

TEST(block_set, a_message_beyond_the_link_is_an_error_among_neighbours) {
    block_set<plain_block> blocks(weft_test::world(), cut_into::chain(5), make_plain);
    blocks.exchange_neighbors<std::int64_t>([](plain_block& self, auto& port) {
        if (self.id == block_id{1}) port.send(block_id{3}, 7);
    });
    try {
        blocks.exchange();
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::usage_error const& thrown) {
        EXPECT_NE(std::string(thrown.what()).find("block 1 sends to block 3"), std::string::npos)
            << thrown.what();
    }
}

TEST(block_set, a_callback_that_calls_the_set_is_an_error_on_all_ranks) {
    for (int const threads : {1, 2}) {
        block_set<plain_block> blocks(
            weft_test::world(), cut_into::ring(4), make_plain, {.threads = threads});
        auto const calls = [&](plain_block& self, block_port<std::int64_t>&) {
            if (self.id == block_id{2}) blocks.exchange();
        };
        EXPECT_THROW(blocks.exchange<std::int64_t>(calls), weft::usage_error);
        EXPECT_THROW(blocks.iexchange<std::int64_t>(calls), weft::usage_error);
        EXPECT_EQ(blocks.exchange(), 0);
    }
}

TEST(block_set, what_long_callbacks_flush_arrives_whole_and_in_order) {
    for (int const threads : {1, 2, 4}) {
        block_set<plain_block> blocks(
            weft_test::world(), cut_into::ring(6), make_plain, {.threads = threads});
        constexpr std::int64_t many = 500;
        std::vector<std::int64_t> begun(6, 0); // by block: a callback of its own touches it
        blocks.iexchange<std::int64_t>([&](plain_block& self, block_port<std::int64_t>& port) {
            for (auto const& [source, items] : port.messages())
                for (std::int64_t const each : items)
                    if (source == block_id{(index_of(self.id) + 5) % 6}) self.got.push_back(each);
            if (std::exchange(begun[static_cast<std::size_t>(index_of(self.id))], 1) == 1) return;
            for (std::int64_t i = 0; i < many; ++i) {
                for (block_id const to : port.link()) port.send(to, i);
                port.flush();
            }
        });
        blocks.for_each([&](plain_block const& self, block_id) {
            std::vector<std::int64_t> expected(many);
            std::iota(expected.begin(), expected.end(), 0);
            EXPECT_EQ(self.got, expected);
        });
    }
}
