#include <weft/protocol/agreement.hpp>

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

#include <weft/observe/counters.hpp>
#include <weft/protocol/collectives.hpp>

#include <memory>
#include <string>

using weft::agreement;
using weft::all_reduce_method;
using weft::census_value;
using weft::progress;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_seeds;
using weft_test::memory_network;
using weft_test::schedule;
using weft_test::world;

namespace {

enum class kind { usage, mpi, wire, io, foreign };

std::exception_ptr failure(kind what, std::string const& text) {
    switch (what) {
    case kind::usage:
        return std::make_exception_ptr(weft::usage_error(text));
    case kind::mpi:
        return std::make_exception_ptr(weft::mpi_error(text, 5));
    case kind::wire:
        return std::make_exception_ptr(weft::wire_error(text));
    case kind::io:
        return std::make_exception_ptr(weft::io_error(text));
    default:
        return std::make_exception_ptr(std::domain_error(text));
    }
}

/// "type: text" of what `call` throws, "" for nothing.
template <class Call>
std::string thrown_by(Call&& call) {
    try {
        call();
    } catch (weft::usage_error const& e) {
        return std::string("usage: ") + e.what();
    } catch (weft::mpi_error const& e) {
        return std::string("mpi: ") + e.what();
    } catch (weft::wire_error const& e) {
        return std::string("wire: ") + e.what();
    } catch (weft::io_error const& e) {
        return std::string("io: ") + e.what();
    } catch (weft::remote_error const& e) {
        return "remote " + std::to_string(e.rank()) + ": " + e.what();
    } catch (std::exception const& e) { return std::string("foreign: ") + e.what(); }
    return "";
}

std::string name_of(kind what) {
    return std::array{"usage", "mpi", "wire", "io", "foreign"}[static_cast<std::size_t>(what)];
}

/// What rank `rank` must throw when the ranks of `failed` fail, each with its own text.
std::string expected_at(int rank, std::vector<bool> const& failed, kind what) {
    auto const lowest = static_cast<int>(std::ranges::find(failed, true) - failed.begin());
    if (lowest == static_cast<int>(failed.size())) return "";
    std::string const text = "reason " + std::to_string(lowest);
    if (what == kind::usage || what == kind::io) return name_of(what) + ": " + text;
    if (failed[static_cast<std::size_t>(rank)]) return name_of(what) + ": reason " + std::to_string(rank);
    return "remote " + std::to_string(lowest) + ": rank " + std::to_string(lowest) + ": " + text;
}

/// Several agreements one after the other on every rank, on tags that rotate by parity.
void run_agreements(int ranks, all_reduce_method method, int failing, chooser& choices) {
    constexpr int times = 3;
    std::mt19937_64 random(choices.seed());
    memory_network network(ranks, choices, adversary::drawn(random));
    std::vector<std::vector<bool>> failed(times, std::vector<bool>(static_cast<std::size_t>(ranks)));
    std::vector<kind> what;
    for (auto& each : failed) {
        for (int i = 0; i < failing; ++i) each[random() % each.size()] = true;
        what.push_back(static_cast<kind>(random() % 5));
    }
    std::vector<std::vector<std::unique_ptr<agreement>>> parts(static_cast<std::size_t>(ranks));
    std::vector<int> entered(times, 0);
    schedule(network, choices).run([&](int rank) {
        auto& mine = parts[static_cast<std::size_t>(rank)];
        if (mine.empty() || mine.back()->step() == progress::done) {
            int const present = mine.empty() ? ranks : entered[mine.size() - 1];
            EXPECT_EQ(present, ranks) << "left before all had entered";
            if (mine.size() == times) return progress::done;
            std::size_t const now = mine.size();
            mine.push_back(
                std::make_unique<agreement>(network.at(rank), static_cast<int>(2 * (now % 2) + 1), method));
            census_value value = census_value::identity();
            value.sum[0] = rank;
            bool const fails = failed[now][static_cast<std::size_t>(rank)];
            mine.back()->enter(value, fails ? failure(what[now], "reason " + std::to_string(rank)) : nullptr);
            ++entered[now];
        }
        return progress::some;
    });
    for (int rank = 0; rank < ranks; ++rank)
        for (std::size_t i = 0; i < times; ++i) {
            agreement const& part = *parts[static_cast<std::size_t>(rank)][i];
            EXPECT_EQ(thrown_by([&] { part.rethrow(); }), expected_at(rank, failed[i], what[i]))
                << "rank " << rank << " of " << ranks;
            EXPECT_EQ(part.result().sum[0], ranks * (ranks - 1) / 2);
        }
    EXPECT_EQ(network.left_over(), "");
}

class any_agreement : public testing::TestWithParam<all_reduce_method> {};

} // namespace

INSTANTIATE_TEST_SUITE_P(methods, any_agreement,
    testing::Values(all_reduce_method::dissemination, all_reduce_method::collective),
    [](auto const& info) { return std::string(weft::name_of(info.param)); });

TEST_P(any_agreement, throws_the_same_reason_everywhere_whoever_fails) {
    for_seeds(320, [](chooser& choices) {
        auto const drawn = choices.seed();
        run_agreements(
            1 + static_cast<int>(drawn % 20), GetParam(), std::array{0, 1, 3, 100}[drawn / 20 % 4], choices);
    });
}

TEST_P(any_agreement, success_costs_a_census_and_nothing_more) {
    chooser choices(1);
    memory_network network(8, choices, {});
    std::vector<std::unique_ptr<agreement>> parts;
    for (int r = 0; r < 8; ++r) {
        parts.push_back(std::make_unique<agreement>(network.at(r), 1, GetParam()));
        parts.back()->enter(census_value::identity(), nullptr);
    }
    schedule(network, choices).run([&](int rank) { return parts[static_cast<std::size_t>(rank)]->step(); });
    for (auto const& part : parts)
        EXPECT_EQ(part->messages(), GetParam() == all_reduce_method::dissemination ? 3 : 0);
}

TEST(agreement, long_and_strange_texts_arrive_whole) {
    std::string text(200'000, 'x');
    text[7] = '\n';
    text[100'000] = '\xff';
    for (std::string const& each : {text, std::string(), std::string("\t\"")}) {
        chooser choices(1);
        memory_network network(5, choices, {});
        std::vector<std::unique_ptr<agreement>> parts;
        for (int r = 0; r < 5; ++r) {
            parts.push_back(std::make_unique<agreement>(network.at(r), 1, all_reduce_method::dissemination));
            parts.back()->enter(census_value::identity(), r == 3 ? failure(kind::io, each) : nullptr);
        }
        schedule(network, choices).run([&](int rank) {
            return parts[static_cast<std::size_t>(rank)]->step();
        });
        for (auto const& part : parts) EXPECT_EQ(thrown_by([&] { part->rethrow(); }), "io: " + each);
    }
}

TEST(agreement, of_what_is_known_already_takes_no_census) {
    for (int const failed : {-1, 0, 2}) {
        chooser choices(1);
        memory_network network(4, choices, {});
        std::vector<std::unique_ptr<agreement>> parts;
        for (int r = 0; r < 4; ++r) {
            parts.push_back(std::make_unique<agreement>(network.at(r), 1, all_reduce_method::dissemination));
            EXPECT_FALSE(parts.back()->entered());
            parts.back()->enter_known(failed, r == failed ? failure(kind::wire, "torn") : nullptr);
            EXPECT_TRUE(parts.back()->entered());
        }
        schedule(network, choices).run([&](int rank) {
            return parts[static_cast<std::size_t>(rank)]->step();
        });
        int messages = 0;
        for (int r = 0; r < 4; ++r) {
            agreement const& part = *parts[static_cast<std::size_t>(r)];
            std::string const elsewhere =
                "remote " + std::to_string(failed) + ": rank " + std::to_string(failed) + ": torn";
            std::string const expected = failed < 0 ? "" : r == failed ? "wire: torn" : elsewhere;
            EXPECT_EQ(thrown_by([&] { part.rethrow(); }), expected);
            messages += part.messages();
        }
        EXPECT_EQ(messages, failed < 0 ? 0 : 3) << "the notice reaches every other rank once";
    }
}

// From here over MPI.

TEST(agree, nothing_is_thrown_when_nobody_failed) {
    for (int i = 0; i < 20; ++i) weft::agree(world(), nullptr);
    SUCCEED();
}

TEST(agree, all_ranks_throw_what_the_lowest_threw_and_go_on) {
    for (kind const what : {kind::usage, kind::mpi, kind::wire, kind::io, kind::foreign})
        for (int const first : {0, world().size() / 2, world().size() - 1}) {
            std::vector<bool> failed(static_cast<std::size_t>(world().size()));
            for (int r = first; r < world().size(); r += 2) failed[static_cast<std::size_t>(r)] = true;
            bool const here = failed[static_cast<std::size_t>(world().rank())];
            std::exception_ptr const mine =
                here ? failure(what, "reason " + std::to_string(world().rank())) : nullptr;
            EXPECT_EQ(
                thrown_by([&] { weft::agree(world(), mine); }), expected_at(world().rank(), failed, what));
            weft::agree(world(), nullptr);
        }
}

TEST(agree, counts_its_census) {
    weft::communicator const own = world().split(0);
    weft::agree(own, nullptr);
    EXPECT_EQ(weft::counters_of(own).small_all_reduces, 1);
}

TEST(agree, works_with_the_collective_census_and_two_tags) {
    weft::communicator const own =
        world().with({.all_reduce = all_reduce_method::collective, .tag_window = 2});
    for (int i = 0; i < 10; ++i) {
        std::exception_ptr const mine =
            own.rank() == i % own.size() ? failure(kind::io, "file " + std::to_string(i)) : nullptr;
        EXPECT_EQ(thrown_by([&] { weft::agree(own, mine); }), "io: file " + std::to_string(i));
    }
}

TEST(agreed, runs_the_body_on_every_rank_and_throws_on_every_rank) {
    int runs = 0;
    int const last = world().size() - 1;
    std::string const thrown = thrown_by([&] {
        weft::agreed(world(), [&] {
            ++runs;
            if (world().rank() == last) throw weft::usage_error("only here");
        });
    });
    EXPECT_EQ(thrown, "usage: only here");
    EXPECT_EQ(runs, 1);
}

TEST(agreed, what_the_bodies_did_stays_when_all_succeed) {
    int value = 0;
    weft::agreed(world(), [&] { value = 42; });
    EXPECT_EQ(value, 42);
    EXPECT_EQ(weft::sum(world(), value), 42 * world().size());
}
