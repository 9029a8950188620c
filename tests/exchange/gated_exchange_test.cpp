#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <functional>
#include <new>
#include <string>
#include <vector>

using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

struct carrier {
    std::string name;
    std::function<void(weft::gate&)> run;
};

/// Each sends its number to all.
weft::outbox<int> to_all() {
    weft::outbox<int> out(world());
    for (int to = 0; to < size(); ++to) out[to].push_back(rank());
    return out;
}

std::vector<carrier> carriers() {
    std::int64_t const all = std::int64_t{size()} * (size() - 1) / 2;
    return {
        {"exchange", [](weft::gate& open) { EXPECT_EQ(exchange(open, to_all()).size(), size()); }},
        {"exchange_and_sum",
            [](weft::gate& open) {
                auto const [received, sum] = exchange_and_sum(open, to_all(), 2);
                EXPECT_EQ(received.size(), size());
                EXPECT_EQ(sum, 2 * size());
            }},
        {"start_exchange",
            [](weft::gate& open) {
                auto pending = start_exchange(open, to_all());
                EXPECT_EQ(std::move(pending).get().size(), size());
            }},
        {"exchanged_items",
            [](weft::gate& open) { EXPECT_EQ(exchanged_items(open, to_all()).back(), size() - 1); }},
        {"sum", [all](weft::gate& open) { EXPECT_EQ(sum(open, rank()), all); }},
        {"max", [](weft::gate& open) { EXPECT_EQ(max(open, -rank()), 0); }},
        {"exclusive_sum",
            [all](weft::gate& open) {
                weft::prefix const here = exclusive_sum(open, rank());
                EXPECT_EQ(here.before, std::int64_t{rank()} * (rank() - 1) / 2);
                EXPECT_EQ(here.total, all);
            }},
    };
}

} // namespace

TEST(gated_exchange, is_that_without_a_gate_where_nothing_fails) {
    weft::gate open(world(), "gated_exchange");
    for (carrier const& each : carriers()) each.run(open);
}

TEST(gated_exchange, throws_on_all_ranks_what_one_has_kept) {
    for (carrier const& each : carriers())
        for (int failing = 0; failing < size(); ++failing) {
            weft::gate open(world(), "gated_exchange");
            open.guard([&] {
                if (rank() == failing) throw std::bad_alloc();
            });
            std::string thrown;
            try {
                each.run(open);
            } catch (std::bad_alloc const&) { thrown = "own"; } catch (weft::remote_error const& caught) {
                thrown = caught.what();
            }
            if (rank() == failing)
                EXPECT_EQ(thrown, "own") << each.name;
            else
                EXPECT_NE(thrown.find("rank " + std::to_string(failing)), std::string::npos)
                    << each.name << ": " << thrown;
            EXPECT_FALSE(open.failed());
            each.run(open);
        }
}

TEST(gated_exchange, tells_a_wrong_use_as_it_is) {
    weft::gate open(world(), "gated_exchange");
    open.guard([] {
        if (rank() == size() - 1) throw weft::usage_error("not so");
    });
    EXPECT_THROW((void)exclusive_sum(open, 1), weft::usage_error);
    open.guard([] { throw weft::usage_error("nowhere"); });
    EXPECT_THROW((void)exchange(open, to_all()), weft::usage_error);
    EXPECT_EQ(sum(open, 1), size());
}
