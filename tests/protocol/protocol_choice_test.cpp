#include <protocol/exchange/protocol_choice.hpp>

#include <machine/machine_file.hpp>
#include <machine/stored_choices.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/machine/machine_model.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

using weft::exchange_load;
using weft::protocol;
using weft::protocol_choice;
using weft_test::world;

namespace {

/// The world with another machine model. What times that a test makes up decide must not be stored beside the
/// model of the user who runs it.
weft::communicator with_machine(std::string const& machine) {
    weft::settings chosen = world().settings();
    chosen.machine = machine;
    return world().with(chosen);
}

void wait_for_all() {
    (void)weft::sum(world(), 0);
}

/// A model in a folder of its own, which is gone at the end.
class stored_machine {
public:
    stored_machine() {
        auto const mark = weft::max(world(), world().rank() == 0 ? ::getpid() : 0);
        folder_ = std::filesystem::temp_directory_path() / ("weft_choices." + std::to_string(mark));
        if (world().rank() == 0) {
            std::filesystem::create_directories(folder_);
            std::ofstream(file()) << weft::to_text(weft::built_in_machine());
        }
        wait_for_all();
    }
    ~stored_machine() {
        std::error_code failure;
        if (world().rank() == 0) std::filesystem::remove_all(folder_, failure);
    }
    stored_machine(stored_machine const&) = delete;
    stored_machine& operator=(stored_machine const&) = delete;

    [[nodiscard]] std::string file() const { return (folder_ / "machine.toml").string(); }
    [[nodiscard]] std::string choices() const { return weft::choices_file_path(file()); }
    /// The lines of the choices that are no comments; the same on all ranks once all are here.
    [[nodiscard]] std::vector<std::string> lines() const {
        wait_for_all();
        std::ifstream from(choices());
        std::vector<std::string> found;
        for (std::string line; std::getline(from, line);)
            if (!line.starts_with("#")) found.push_back(line);
        wait_for_all(); // nobody stores more until all have read
        return found;
    }
    void store(std::string const& text) const {
        if (world().rank() == 0) std::ofstream(choices()) << text;
        wait_for_all();
    }

private:
    std::filesystem::path folder_;
};

/// Runs exchanges of one load until the choice stays the same, with times that a test makes up; what was
/// tried, and the choice.
struct choosing {
    std::set<protocol> tried;
    protocol chosen;
    int runs = 0;  ///< that were timed
    int rests = 0; ///< that were not, between passes
};

template <class Seconds>
choosing let_it_choose(protocol_choice& choice, exchange_load load, Seconds&& seconds) {
    (void)choice.next();
    (void)choice.learn({choice.next(), load, 1e-6}); // the load is new
    choosing made{};
    while (made.runs < 40'000) {
        protocol const how = choice.next();
        if (choice.settled()) {
            made.chosen = how;
            return made;
        }
        if (!choice.wants_time()) {
            ++made.rests;
            EXPECT_FALSE(choice.learn({how, load, -1}));
            continue;
        }
        made.tried.insert(how);
        if (choice.learn({how, load, seconds(how, made.runs++)})) choice.settle(choice.times());
    }
    ADD_FAILURE() << "it never settles";
    return made;
}

} // namespace

TEST(protocol_choice, one_rank_has_nothing_to_choose) {
    weft::communicator const alone = with_machine("none").split(world().rank(), 0);
    protocol_choice choice(alone);
    for (std::int64_t const bytes : {0, 8, 1 << 15, 1 << 20, 1 << 24}) {
        auto const made =
            let_it_choose(choice, exchange_load::of(1, bytes), [](protocol, int) { return 1e-6; });
        EXPECT_EQ(made.runs, 0) << bytes << " bytes";
    }
}

TEST(protocol_choice, of_those_on_trial_the_fastest_is_kept) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    weft::communicator const comm = with_machine("none");
    for (protocol const fastest :
        {protocol::pcx, protocol::nbx, protocol::pex, protocol::store_and_forward}) {
        protocol_choice choice(comm);
        exchange_load const load = exchange_load::of(1, 1000);
        auto const made = let_it_choose(choice, load, [&](protocol how, int run) {
            return (how == fastest ? 1e-6 : 2e-6) + (run % 17 == 4 ? 1e-3 : 0);
        });
        EXPECT_GE(made.tried.size(), 2u);
        EXPECT_LE(made.tried.size(), 4u);
        EXPECT_FALSE(made.tried.contains(protocol::rsx));
        if (made.tried.contains(fastest)) { EXPECT_EQ(made.chosen, fastest); }
        EXPECT_LE(made.runs, 5 * 4 * 40) << "a trial is short where nothing varies";
    }
}

TEST(protocol_choice, the_best_so_far_is_used_between_passes) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    weft::communicator const comm = with_machine("none");
    protocol_choice choice(comm);
    exchange_load const load = exchange_load::of(1, 1000);
    (void)choice.next();
    (void)choice.learn({choice.next(), load, 1e-6});
    int rests = 0;
    std::set<protocol> used;
    for (int run = 0; run < 4000; ++run) {
        protocol const how = choice.next();
        if (choice.settled()) break;
        if (!choice.wants_time()) used.insert(how);
        rests += choice.wants_time() ? 0 : 1;
        double const time = how == protocol::pcx ? 1e-6 : 1.05e-6;
        if (choice.learn({how, load, time})) choice.settle(choice.times());
    }
    EXPECT_TRUE(choice.settled());
    if (rests == 0) GTEST_SKIP() << "the model finds this load obvious";
    EXPECT_EQ(used.size(), 1u);
}

TEST(protocol_choice, those_far_behind_have_no_second_pass) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    weft::communicator const comm = with_machine("none");
    protocol_choice all_near(comm);
    protocol_choice one_far(comm);
    protocol_choice one_near(comm);
    exchange_load const load = exchange_load::of(1, 200'000);
    protocol first{};
    auto const near = let_it_choose(all_near, load, [&](protocol how, int run) {
        if (run == 0) first = how;
        return how == first ? 1.00e-6 : 1.05e-6;
    });
    if (near.tried.size() < 2) GTEST_SKIP() << "the model finds this load obvious";
    auto const far =
        let_it_choose(one_far, load, [&](protocol how, int) { return how == first ? 2e-6 : 1e-6; });
    auto const obvious =
        let_it_choose(one_near, load, [&](protocol how, int) { return how == first ? 1e-6 : 2e-6; });
    EXPECT_EQ(near.chosen, first);
    EXPECT_NE(far.chosen, first);
    EXPECT_EQ(obvious.chosen, first);
    EXPECT_LT(far.runs, near.runs);
    EXPECT_EQ(2 * obvious.runs, near.runs) << "one pass, not two";
    EXPECT_EQ(obvious.rests, 0);
    EXPECT_GT(near.rests, 0);
}

// As where ranks outnumber cores: for some exchanges all is slow, then it is not.
TEST(protocol_choice, what_varies_is_tried_until_the_fastest_is_known) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    weft::communicator const comm = with_machine("none");
    int wrong = 0;
    int passes = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        protocol_choice choice(comm);
        std::mt19937 random(seed);
        bool slow = false;
        protocol fastest{};
        auto const made = let_it_choose(choice, exchange_load::of(1, 8), [&](protocol how, int run) {
            if (run == 0) fastest = how; // some rank of the model; the others are slower
            if (run % 100 == 0) slow = random() % 2 == 0;
            return (how == fastest ? 1e-5 : 1.4e-5) * (slow ? 4 : 1);
        });
        if (made.tried.size() < 2) GTEST_SKIP() << "the model finds this load obvious";
        wrong += made.chosen == fastest ? 0 : 1;
        passes = std::max(passes, made.runs / 80); // two candidates or more
    }
    EXPECT_LE(wrong, 2) << "of 20";
    EXPECT_GT(passes, 4) << "was there nothing to find out?";
}

TEST(protocol_choice, what_cannot_be_told_apart_ends) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    weft::communicator const comm = with_machine("none");
    for (std::int64_t const bytes : {8, 1 << 16, 1 << 20, 8 << 20}) {
        protocol_choice choice(comm);
        std::mt19937 random(7);
        auto const made = let_it_choose(choice, exchange_load::of(1, bytes),
            [&](protocol, int) { return 1e-5 * (1 + static_cast<double>(random() % 1000)); });
        EXPECT_LE(made.runs, 48 * 4 * 40);
        EXPECT_LE(made.rests, 48 * 16 * 40);
    }
}

TEST(protocol_choice, a_cold_start_of_the_fastest_is_made_up_for) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    weft::communicator const comm = with_machine("none");
    protocol_choice choice(comm);
    protocol first{};
    int runs_of_first = 0;
    auto const made = let_it_choose(choice, exchange_load::of(1, 1000), [&](protocol how, int run) {
        if (run == 0) first = how;
        return how != first ? 1.2e-6 : ++runs_of_first <= 40 ? 1.5e-6 : 1e-6;
    });
    if (made.tried.size() > 1) { EXPECT_EQ(made.chosen, first); }
}

TEST(protocol_choice, a_trial_of_large_messages_is_short) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    weft::communicator const comm = with_machine("none");
    for (std::int64_t const bytes : {1 << 20, 7 << 20}) {
        protocol_choice choice(comm);
        auto const made = let_it_choose(choice, exchange_load::of(1, bytes),
            [](protocol how, int) { return how == protocol::pcx ? 1e-3 : 2e-3; });
        EXPECT_LE(made.runs, bytes > 1 << 22 ? 12 : 20);
    }
}

TEST(protocol_choice, every_class_of_load_is_settled_by_itself) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    weft::communicator const comm = with_machine("none");
    protocol_choice choice(comm);
    exchange_load const small = exchange_load::of(1, 8);
    exchange_load const large = exchange_load::of(1, 1 << 20);
    auto const of_small =
        let_it_choose(choice, small, [](protocol how, int) { return how == protocol::pcx ? 1e-6 : 2e-6; });
    auto const of_large =
        let_it_choose(choice, large, [](protocol how, int) { return how == protocol::pex ? 1e-3 : 2e-3; });
    auto const again = let_it_choose(choice, small, [](protocol, int) { return 1.0; });
    EXPECT_EQ(again.runs, 0);
    EXPECT_EQ(again.chosen, of_small.chosen);
    if (of_large.tried.contains(protocol::pex)) { EXPECT_EQ(of_large.chosen, protocol::pex); }
}

TEST(protocol_choice, all_ranks_choose_alike_whatever_the_load_of_each) {
    weft::communicator const comm = world().with([] {
        weft::settings chosen = world().settings();
        chosen.exchange = protocol::automatic;
        return chosen;
    }());
    std::mt19937 random(static_cast<unsigned>(comm.rank()));
    for (int round = 0; round < 400; ++round) {
        weft::outbox<int> out(comm);
        std::size_t const items = round / 40 % 2 == 0 ? 1 : 3000;
        if (random() % 2 == 0)
            for (int to = 0; to < comm.size(); ++to) out[to].append(std::vector<int>(items, comm.rank()));
        auto const box = weft::exchange(std::move(out)); // hangs where ranks choose differently
        for (auto const& [source, received] : box)
            EXPECT_TRUE(std::ranges::all_of(received, [from = source](int each) { return each == from; }));
    }
}

TEST(protocol_choice, a_winner_is_stored_once_and_the_next_run_begins_with_it) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    stored_machine const machine;
    exchange_load const small = exchange_load::of(1, 8);
    exchange_load const large = exchange_load::of(1, 1 << 20);
    weft::communicator const first = with_machine(machine.file());
    protocol_choice racing(first);
    protocol proposed{};
    auto const won = let_it_choose(racing, small, [&](protocol how, int run) {
        if (run == 0) proposed = how; // by the model: were it to win, nothing would be shown
        return how == proposed ? 2e-6 : 1e-6;
    });
    if (won.tried.size() < 2) GTEST_SKIP() << "the model finds this load obvious";
    EXPECT_NE(won.chosen, proposed);
    std::vector<std::string> const lines = machine.lines();
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_TRUE(lines.front().starts_with(std::to_string(world().size()) + " ")) << lines.front();
    EXPECT_TRUE(lines.front().ends_with(" " + std::string(weft::name_of(won.chosen)))) << lines.front();

    weft::communicator const second = with_machine(machine.file());
    protocol_choice knowing(second);
    auto const slower = [](protocol, int) { return 1.0; };
    auto const again = let_it_choose(knowing, small, slower);
    EXPECT_EQ(again.runs, 0);
    EXPECT_EQ(again.chosen, won.chosen);
    EXPECT_EQ(weft::min(world(), static_cast<int>(again.chosen)),
        weft::max(world(), static_cast<int>(again.chosen)));
    EXPECT_EQ(machine.lines(), lines) << "what was known is not stored again";

    auto const other_load = let_it_choose(knowing, large, slower);
    EXPECT_EQ(machine.lines().size(), other_load.tried.size() < 2 ? 1u : 2u);
    if (world().size() < 3) return;
    weft::communicator const part = second.split(world().rank() == 0 ? 0 : 1, 0);
    if (part.size() < 2) return;
    protocol_choice of_part(part);
    (void)of_part.next();
    (void)of_part.learn({of_part.next(), small, 1e-6});
    (void)of_part.next();
    EXPECT_FALSE(of_part.settled()) << "it has another number of ranks";
}

TEST(protocol_choice, a_stored_protocol_that_is_not_possible_here_is_tried_out_anew) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    stored_machine const machine;
    exchange_load const load = exchange_load::of(1, 8);
    weft::topology const nodes = world().topology();
    weft::choice_key const key{
        world().size(), nodes.node_count(), nodes.largest_node(), load.messages, load.bytes};
    bool const has_levels = key.nodes > 1 && key.nodes < key.ranks;
    std::string const shape = std::to_string(key.ranks) + " " + std::to_string(key.nodes) + " " +
                              std::to_string(key.largest_node) + " " + std::to_string(key.messages) + " " +
                              std::to_string(key.bytes) + " ";
    auto const begins_with = [&](std::string const& name) {
        machine.store(shape + name + "\n");
        weft::communicator const comm = with_machine(machine.file());
        EXPECT_EQ(weft::choices_of(comm).size(), 1u);
        protocol_choice choice(comm);
        (void)choice.next();
        (void)choice.learn({choice.next(), load, 1e-6});
        protocol const how = choice.next();
        return choice.settled() ? std::string(weft::name_of(how)) : "a trial";
    };
    EXPECT_EQ(begins_with("pex"), "pex");
    EXPECT_NE(begins_with("rsx"), "rsx") << "it takes no part in trials";
    EXPECT_EQ(begins_with("nbx_two_level") == "nbx_two_level", has_levels);
}

TEST(protocol_choice, without_a_file_of_the_model_nothing_is_stored) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    stored_machine const machine;
    weft::communicator const comm = with_machine("none");
    EXPECT_EQ(weft::choices_of(comm).size(), 0u);
    protocol_choice choice(comm);
    (void)let_it_choose(choice, exchange_load::of(1, 8), [](protocol, int) { return 1e-6; });
    EXPECT_TRUE(choice.settled());
    EXPECT_TRUE(machine.lines().empty());
    EXPECT_FALSE(std::filesystem::exists("none.choices"));
}

TEST(protocol_choice, a_place_that_cannot_be_written_costs_nothing_but_the_next_trial) {
    if (world().size() == 1) GTEST_SKIP() << "one rank has nothing to choose";
    stored_machine const machine;
    if (world().rank() == 0) std::filesystem::create_directory(machine.choices()); // in the way, also of root
    wait_for_all();
    weft::communicator const comm = with_machine(machine.file());
    protocol_choice choice(comm);
    (void)let_it_choose(choice, exchange_load::of(1, 8), [](protocol, int) { return 1e-6; });
    EXPECT_TRUE(choice.settled());
}
