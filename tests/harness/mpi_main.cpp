/// The main function of every test program: GoogleTest over ranks.
#include <harness/listeners.hpp>

#include <weft/core/environment.hpp>
#include <weft/extend/observe/activity.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>

namespace weft_test {

namespace {

/// The objects used by the functions of mpi_test.hpp, which tests call from anywhere.
struct session {
    weft::communicator world;
    watchdog& dog;
    printer& out;
    std::uint64_t seed;
};

std::optional<session> running;

std::function<place()> activity_source(weft::communicator const& comm) {
    weft::activity const& activity = weft::activity_of(comm); // not on the watchdog's thread
    return [comm, &activity] { return place{activity.current(), activity.advances()}; };
}

double seconds_from_environment(char const* name, double otherwise) {
    char const* const text = std::getenv(name);
    return text != nullptr ? std::strtod(text, nullptr) : otherwise;
}

/// Most tests have one thread, and should run as programs with one thread do; WEFT_TEST_THREADS=multiple is
/// for the others.
weft::environment_options wanted_options() {
    char const* const text = std::getenv("WEFT_TEST_THREADS");
    bool const many = text != nullptr && std::string(text) == "multiple";
    return {.threads = many ? weft::thread_level::multiple : weft::thread_level::funneled};
}

/// A fixed seed, so that failures are reproducible; WEFT_TEST_SEED=random draws another one.
std::uint64_t wanted_seed() {
    char const* const text = std::getenv("WEFT_TEST_SEED");
    if (text == nullptr) return 20100109;
    if (std::string(text) == "random") return std::random_device{}();
    return std::strtoull(text, nullptr, 10);
}

/// The ranks must agree on the order of tests, and only one of them may write a report.
void agree_on_flags(rank_agreement& ranks, int rank) {
    if (GTEST_FLAG_GET(shuffle)) {
        auto const seed = static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed));
        std::uint64_t const chosen = seed != 0 ? seed : std::random_device{}() % 99999 + 1;
        GTEST_FLAG_SET(random_seed, static_cast<int>(ranks.same_everywhere(chosen)));
    }
    if (rank != 0) GTEST_FLAG_SET(output, "");
}

bool ended_by_agreement = false;

/// A test that calls exit(0) deserts the other ranks, and some launchers take that for success.
void refuse_early_exit() {
    if (ended_by_agreement) return;
    std::fputs("the program exits in the middle of the tests\n", stderr);
    std::_Exit(EXIT_FAILURE);
}

int run(weft::communicator const& world, watchdog& dog) {
    std::atexit(refuse_early_exit);
    rank_agreement ranks(world, dog);
    dog.set_rank(world.rank(), world.size());
    dog.set_default_source(activity_source(world));
    agree_on_flags(ranks, world.rank());

    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    auto* const out = new printer; // owned by the list; ends in reverse: first agreed, then printed
    listeners.Append(out);
    listeners.Append(new agreement_listener(ranks, dog, *out));

    running.emplace(session{world, dog, *out, ranks.same_everywhere(wanted_seed())});
    bool const failed_here = RUN_ALL_TESTS() != 0;
    dog.begin_test("(end of the program)");
    bool const failed = !ranks.failed_ranks("(end of the program)", failed_here).empty();
    ended_by_agreement = true;
    dog.set_default_source({});
    running.reset();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

} // namespace

weft::communicator const& world() {
    return running->world;
}

std::uint64_t seed() {
    return running->seed;
}

std::mt19937_64 random(std::uint64_t stream) {
    running->out.seed_was_used(running->seed);
    testing::TestInfo const* const test = testing::UnitTest::GetInstance()->current_test_info();
    std::string const name = test != nullptr ? std::string(test->test_suite_name()) + "." + test->name() : "";
    std::vector<std::uint64_t> material{running->seed, stream};
    material.insert(material.end(), name.begin(), name.end());
    std::seed_seq sequence(material.begin(), material.end());
    return std::mt19937_64(sequence);
}

void set_operation_source(std::function<place()> source) {
    running->dog.set_source(std::move(source));
}

void watch(weft::communicator const& comm) {
    running->dog.set_source(activity_source(comm));
}

} // namespace weft_test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
    try {
        weft_test::watchdog dog(
            std::chrono::duration<double>(weft_test::seconds_from_environment("WEFT_TEST_TIMEOUT", 120)));
        weft::environment const environment{argc, argv, weft_test::wanted_options()};
        for (std::string const& warning : environment.warnings())
            std::fprintf(stderr, "warning: %s\n", warning.c_str());
        return weft_test::run(environment.world(), dog);
    } catch (std::exception const& thrown) {
        std::fprintf(stderr, "the test harness failed: %s\n", thrown.what());
        return EXIT_FAILURE;
    }
}
