/// Lets calls of MPI in src/core and src/transport fail on one rank, one in each run of a collective call of
/// Weft, for each rank and call of tests/faults: all ranks must get an error or the right answer and leave no
/// request behind, or the rank has failed alone, which ends the job with a text.
///
/// mpi_faults [--only CALL] [--failures N] [--seed S] [--seconds S] [--apart] [--sites FILE] [--patience
/// SECONDS] [--tell] [--list]
/// mpi_faults --of-a-verb N [--seed S] ...: N failures of each verb, at points that are drawn; the code is 1
/// where fewer have failed
/// mpi_faults --job [--by-run | --own-mpi] [--apart] [--fail FILE LINE]... [--rank
/// R] [--sites FILE]: a whole program, in which that call of MPI fails
#include <mpi_faults/verb_runs.hpp>

#include <weft/core/environment.hpp>
#include <weft/core/run.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace faults {

namespace {

bool is_whole_job = false; // then it counts, and fails, from its begin to its end

} // namespace

void trial::begin() {
    if (is_whole_job) return;
    mpi_faults::count_from_here();
    mpi_faults::chosen const& next = mpi_faults::next_failure;
    if (fails_ && next.n > 0) mpi_faults::let_fail(next.place, next.n, next.finds);
}

void trial::end() {
    injected_ = !is_whole_job && mpi_faults::stop();
}

void in_callback() {
}

} // namespace faults

namespace {

using namespace faults;
using namespace mpi_faults;

asked asked_by(int argc, char** argv) {
    asked options;
    for (int i = 1; i < argc; ++i) {
        std::string_view const name = argv[i];
        auto const value = [&] { return i + 1 < argc ? argv[++i] : ""; };
        if (name == "--only") options.only = value();
        if (name == "--failures") options.failures = std::atoll(value());
        if (name == "--of-a-verb") options.of_a_verb = std::atoll(value());
        if (name == "--seed") options.seed = static_cast<unsigned>(std::atoll(value()));
        if (name == "--sites") options.sites = value();
        if (name == "--seconds") options.seconds = std::atof(value());
        if (name == "--fail") {
            std::string const file = value();
            options.failing.emplace_back(file, std::atoi(value()));
        }
        if (name == "--rank") options.rank = std::atoi(value());
        options.own_mpi = options.own_mpi || name == "--own-mpi";
        options.by_run = options.by_run || name == "--by-run";
        if (name == "--patience") options.patience = std::atof(value());
        options.apart = options.apart || name == "--apart";
        options.tells = options.tells || name == "--tell";
        options.list = options.list || name == "--list";
    }
    return options;
}

/// Each place that was reached, how often it has failed, and how often it was counted.
void write_sites(std::string const& file, int rank) {
    std::FILE* const out = std::fopen((file + "." + std::to_string(rank)).c_str(), "w");
    if (out == nullptr) return;
    for (mpi_faults::place const& each : mpi_faults::places())
        std::fprintf(out, "%s %d %s %lld %lld\n", each.file.c_str(), each.line, each.name.c_str(),
            static_cast<long long>(each.failed), static_cast<long long>(each.counted));
    std::fclose(out);
}

/// Returns false if fewer calls of MPI have failed.
bool run_verbs(runner& all, asked const& options) {
    verb_runs runs(all, options.seed);
    runs.print_head(options.seed);
    std::vector<verb> const verbs = all_verbs();
    std::vector<std::vector<call>> const calls = calls_by_verb(verbs);
    bool enough = true;
    for (std::size_t i = 0; i < verbs.size(); ++i)
        if (options.only.empty() || verbs[i].name == options.only)
            enough = runs.all_of(verbs[i].name, calls[i], options.of_a_verb) && enough;
    return enough;
}

/// Calls one by one.
void run_calls(runner& all, asked const& options, std::vector<call> const& calls) {
    if (all.rank() == 0)
        std::printf("seed %u\n%-44s %6s %6s %6s %6s %8s\n", options.seed, "call", "failed", "answer", "error",
            "end", "s");
    std::vector<call const*> in_turn;
    for (call const& each : calls)
        if (options.only.empty() || each.name.find(options.only) != std::string::npos)
            in_turn.push_back(&each);
    std::mt19937 draws(options.seed); // the same on all ranks
    if (options.seconds < 1e9) std::ranges::shuffle(in_turn, draws);
    auto const began = clock_type::now();
    for (call const* const each : in_turn) {
        int over = std::chrono::duration<double>(clock_type::now() - began).count() > options.seconds ? 1 : 0;
        MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (over != 0) break;
        all.all_of(*each);
    }
}

int run_many(int argc, char** argv) {
    asked const options = asked_by(argc, argv);
    std::vector<call> const calls = all_calls();
    if (options.list) {
        for (call const& each : calls) std::printf("%s\n", each.name.c_str());
        return 0;
    }
    ::signal(SIGSEGV, say_and_end);
    ::signal(SIGABRT, say_and_end);
    weft_test::watchdog dog{std::chrono::duration<double>(options.patience)};
    // Where several threads may be in MPI, each root is stepped by its own callers alone.
    int level = 0;
    int code = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (options.apart) mpi_faults::set_ranks_apart();
    {
        runner all(options, dog);
        dog.set_rank(all.rank(), all.size());
        if (options.of_a_verb > 0)
            code = run_verbs(all, options) ? 0 : 1;
        else
            run_calls(all, options, calls);
        if (!options.sites.empty()) write_sites(options.sites, all.rank());
        if (all.rank() == 0)
            std::printf("%lld failures at %d ranks, %zu places\n", static_cast<long long>(all.failures()),
                all.size(), mpi_faults::places().size());
    }
    MPI_Finalize();
    return code;
}

/// What a whole program does between its begin and its end: each way of the runtime to call MPI.
void do_all(weft::communicator const& world, std::string const& folder) {
    constexpr std::array<char const*, 11> names{"exchange by nbx", "exchange by rsx", "exchange by pex",
        "exchange by pcx", "exchange_plan::exchange", "planned_exchange", "mailbox, direct",
        "sum, max, min, exclusive_sum", "all_reduce of arrays", "communicator::split", "make_communicator"};
    std::vector<call> const calls = all_calls();
    for (char const* const name : names) {
        auto const found = std::ranges::find(calls, name, &call::name);
        if (found == calls.end()) throw std::logic_error(std::string("no call is named ") + name);
        trial now(world, folder, 1, found->which, false);
        found->run(now);
        if (now.thrown()) std::rethrow_exception(now.thrown());
        if (!now.right()) throw std::logic_error(std::string("a wrong answer of ") + name);
    }
    if (weft::mpi_library().size() > 1000) throw std::logic_error("the name of the library is long");
    // A second child of one parent frees the first one, and a copy with other settings has a topology of its
    // own.
    for (int i = 0; i < 2; ++i) (void)world.split(0);
    weft::settings other = world.settings();
    other.ranks_per_node.clear();
    (void)weft::sum(world.with(other), 1);
    // A parent that is freed, as by a program with communicators of its own: its window goes with it.
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    {
        weft::communicator const own = weft::make_communicator(parent);
        trial now(own, folder, 1, memory::large, false);
        std::ranges::find(calls, std::string("exchange by rsx"), &call::name)->run(now);
        if (now.thrown()) std::rethrow_exception(now.thrown());
    }
    MPI_Comm_free(&parent);
    (void)weft::sum(world, 1);
}

/// A program as users write it: with an `environment`, by `run`, or with MPI begun before.
int run_job(int argc, char** argv) {
    asked const options = asked_by(argc, argv);
    if (options.apart) mpi_faults::set_ranks_apart();
    char const* const of_launcher = std::getenv("OMPI_COMM_WORLD_RANK");
    int const rank = of_launcher != nullptr ? std::atoi(of_launcher) : 0;
    mpi_faults::count_from_here();
    is_whole_job = true;
    if (rank == options.rank)
        for (auto const& [file, line] : options.failing) mpi_faults::let_fail_at(file, line);
    std::string const folder = std::filesystem::temp_directory_path().string();
    int result = 0;
    if (options.by_run) {
        result = weft::run(argc, argv, [&](weft::communicator const& world) { do_all(world, folder); });
    } else {
        if (options.own_mpi) MPI_Init(&argc, &argv);
        try {
            {
                weft::environment const environment{argc, argv};
                do_all(environment.world(), folder);
            }
            if (options.own_mpi) MPI_Finalize();
        } catch (std::exception const& caught) {
            std::printf("caught: %s\n", caught.what());
            std::fflush(stdout);
            result = 1;
        }
    }
    if (!options.sites.empty()) write_sites(options.sites, rank);
    return result;
}

} // namespace

int main(int argc, char** argv) {
    return argc > 1 && std::string_view(argv[1]) == "--job" ? run_job(argc, argv) : run_many(argc, argv);
}
