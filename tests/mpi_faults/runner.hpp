/// Runs collective calls of Weft many times in one job; in each run, one call of MPI fails on one rank.
#pragma once

#include <faults/call.hpp>
#include <harness/watchdog.hpp>
#include <mpi_faults/hook.hpp>

#include <core/communicator_state.hpp>
#include <transport/fibre.hpp>
#include <transport/rank_locals.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <thread>

namespace mpi_faults {

using faults::call;
using faults::told;
using faults::trial;

/// The call of MPI that fails after the call under test has begun.
struct chosen {
    std::size_t place = 0;
    std::int64_t n = 0;
    bool finds = false; ///< the n-th of the polls that find something
};
inline chosen next_failure;

using clock_type = std::chrono::steady_clock;

constexpr int most_ranks = 64;
constexpr std::size_t bytes_of_stack = std::size_t{4} << 20;

/// Memory in which the ranks of this machine communicate without MPI.
struct board {
    std::atomic<int> gone = 0;
    std::array<std::atomic<int>, most_ranks> ended = {};
    std::array<std::atomic<int>, most_ranks> settled = {};
};

struct asked {
    std::string only;
    std::int64_t failures = 20; // for each call and rank
    std::int64_t of_a_verb = 0; // failures of each verb; 0: calls are tried one by one
    unsigned seed = 1;
    bool apart = false;
    std::string sites;
    double patience = 30;
    double seconds = 1e9; // of the whole
    bool list = false;
    bool tells = false;
    // For a job:
    std::vector<std::pair<std::string, int>> failing = {};
    int rank = 0;
    bool by_run = false;
    bool own_mpi = false;
};

enum class end_kind : std::int32_t { answer, error };

struct outcome {
    end_kind end = end_kind::answer;
    std::int32_t right = 1;
    std::int32_t failed = 0; // a call of MPI
    std::int32_t alone = 0;  // it has a lone failure
    std::int32_t gone = 0;   // it was ended by another rank
    std::int64_t requests = 0;
};

inline std::array<char, 400> doing = {}; // the current run, for the report of a crash

inline void say_and_end(int signal) {
    char const* const text = signal == SIGSEGV ? "segmentation fault in " : "abort in ";
    (void)!write(STDERR_FILENO, text, std::strlen(text));
    (void)!write(STDERR_FILENO, doing.data(), std::strlen(doing.data()));
    (void)!write(STDERR_FILENO, "\n", 1);
    std::_Exit(4);
}

inline std::string text_of_place(std::size_t at) {
    mpi_faults::place const& here = mpi_faults::places()[at];
    return here.file + ":" + std::to_string(here.line) + " " + here.name;
}

class runner {
public:
    runner(asked const& options, weft_test::watchdog& dog)
        : options_(options), dog_(dog), draws_(options.seed) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        std::int64_t number = getpid();
        MPI_Bcast(&number, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
        folder_ =
            (std::filesystem::temp_directory_path() / ("weft_mpi_faults_" + std::to_string(number))).string();
        std::filesystem::create_directories(folder_);
        std::string const file = folder_ + "/board";
        int const made = open(file.c_str(), O_CREAT | O_RDWR, S_IRUSR | S_IWUSR);
        if (made < 0 || ftruncate(made, sizeof(board)) != 0) std::abort();
        board_ =
            static_cast<board*>(mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED, made, 0));
        close(made);
        MPI_Barrier(MPI_COMM_WORLD);
        mpi_faults::share_end(&board_->gone);
    }
    ~runner() {
        MPI_Barrier(MPI_COMM_WORLD);
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    runner(runner const&) = delete;
    runner& operator=(runner const&) = delete;

    /// Makes one call fail on each rank in turn.
    void all_of(call const& one) {
        auto const began = clock_type::now();
        found_ = {};
        run(one, {}, -1); // initialisation on first use is not counted
        for (int failing = 0; failing < size_; ++failing) {
            run(one, {}, failing);
            std::vector<chosen> const some = draw();
            auto count = static_cast<std::int64_t>(some.size());
            MPI_Bcast(&count, 1, MPI_INT64_T, failing, MPI_COMM_WORLD);
            for (std::int64_t i = 0; i < count; ++i)
                run(one, rank_ == failing ? some[static_cast<std::size_t>(i)] : chosen{}, failing);
        }
        if (rank_ != 0) return;
        std::printf("%-44s %6lld %6lld %6lld %6lld %8.2f\n", one.name.c_str(),
            static_cast<long long>(found_.failures), static_cast<long long>(found_.answers),
            static_cast<long long>(found_.errors), static_cast<long long>(found_.ends),
            std::chrono::duration<double>(clock_type::now() - began).count());
        std::fflush(stdout);
    }
    struct counts {
        std::int64_t failures = 0;
        std::int64_t answers = 0; // all ranks have the right answer
        std::int64_t errors = 0;  // all ranks, or the neighbours, have an error and continue
        std::int64_t ends = 0;    // the job ends
    };

    /// Since `begin_counts`.
    [[nodiscard]] counts const& found() const noexcept { return found_; }
    void begin_counts() noexcept { found_ = {}; }
    [[nodiscard]] std::int64_t failures() const noexcept { return failures_; } ///< of all runs
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    /// Makes one run, in which this call of MPI fails on rank `failing` if it is made there. Returns true if
    /// it was.
    bool run(call const& one, chosen which, int failing) {
        name_run(one, which, failing);
        next_failure = which;
        if (rank_ == 0) {
            board_->gone = 0;
            for (auto& each : board_->ended) each = 0;
            for (auto& each : board_->settled) each = 0;
        }
        MPI_Comm parent = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &parent);
        mpi_faults::forget_requests();
        std::optional<weft::communicator> comm = weft::make_communicator(parent);
        MPI_Barrier(MPI_COMM_WORLD); // no job ends before all have begun
        trial now(*comm, folder_, 1, one.which, rank_ == failing);
        std::exception_ptr thrown;
        auto stack = std::make_unique<weft::fibre_stacks>(1, bytes_of_stack);
        weft::fibre(stack->at(0), [&] {
            try {
                one.run(now);
            } catch (...) { thrown = std::current_exception(); }
        }).resume();
        if (now.thrown()) thrown = now.thrown();
        mpi_faults::stop();

        outcome mine;
        mine.end = thrown ? end_kind::error : end_kind::answer;
        mine.right = now.right() ? 1 : 0;
        mine.failed = now.injected() ? 1 : 0;
        mine.alone = weft::lone_failure() && !mpi_faults::job_is_gone() ? 1 : 0;
        wait_for_others(*comm, mine, thrown);
        mine.gone = mpi_faults::job_is_gone() ? 1 : 0;

        std::vector<outcome> all(static_cast<std::size_t>(size_));
        MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
        judge(one, all, failing, thrown);
        bool const ends = mine.gone != 0;
        bool const any = std::ranges::any_of(all, [](outcome const& each) { return each.failed != 0; });
        if (any) {
            ++failures_;
            ++found_.failures;
            ++(ends ? found_.ends : all.front().end == end_kind::error ? found_.errors : found_.answers);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank_ == 0) board_->gone = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        thrown = nullptr;
        if (ends) {
            bury(std::move(*comm));
            stack.release(); // operations have received into it
        } else {
            go_on(comm, parent);
        }
        mpi_faults::free_memory_again();
        dog_.end_test();
        return any;
    }

private:
    /// Draws among the calls counted by the last run on this rank: each place that has not failed yet, and
    /// others at random.
    std::vector<chosen> draw() {
        std::vector<chosen> new_ones;
        std::vector<chosen> others;
        auto const& places = mpi_faults::places();
        for (std::size_t p = 0; p < places.size(); ++p)
            for (std::int64_t n = 1; n <= places[p].calls; ++n)
                (n == 1 && places[p].failed == 0 ? new_ones : others).push_back({p, n});
        std::ranges::shuffle(others, draws_);
        // A place that is polled must not displace the others.
        std::map<std::size_t, std::int64_t> taken;
        std::vector<std::pair<std::int64_t, chosen>> by_turn;
        by_turn.reserve(others.size());
        for (chosen const& each : others) by_turn.emplace_back(++taken[each.place], each);
        std::ranges::stable_sort(by_turn, {}, &std::pair<std::int64_t, chosen>::first);
        for (auto const& [turn, each] : by_turn)
            if (std::ssize(new_ones) < options_.failures) new_ones.push_back(each);
        return new_ones;
    }

    void name_run(call const& one, chosen which, int failing) {
        std::string text =
            one.name + " with a failure on rank " + std::to_string(failing) + " of " + std::to_string(size_);
        if (which.n > 0) text += ", call " + std::to_string(which.n) + " of " + text_of_place(which.place);
        std::snprintf(doing.data(), doing.size(), "%s", text.c_str());
        dog_.begin_test(text);
        if (options_.tells && rank_ == std::max(failing, 0)) std::fprintf(stderr, "%s\n", text.c_str());
    }

    /// Behaves like a program whose exceptions leave main: others may still need steps of this rank, and a
    /// lone failure ends all ranks.
    void wait_for_others(weft::communicator const& comm, outcome& mine, std::exception_ptr const& thrown) {
        constexpr std::chrono::milliseconds grace(20);
        auto const began = clock_type::now();
        board_->ended[static_cast<std::size_t>(rank_)] = 1;
        while (!all_of(board_->ended)) {
            if (mine.alone != 0 && clock_type::now() - began > grace) board_->gone = 1;
            if (thrown && clock_type::now() - began > std::chrono::duration<double>(options_.patience / 2))
                end("an error that the others do not hear of", thrown);
            try {
                weft::context_of(comm).others.step_here();
            } catch (weft::error const&) {
                mine.alone = weft::lone_failure() && !mpi_faults::job_is_gone() ? 1 : 0;
            }
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
        if (mine.alone != 0) board_->gone = 1;
        MPI_Barrier(MPI_COMM_WORLD);
    }

    [[nodiscard]] bool all_of(std::array<std::atomic<int>, most_ranks> const& said) const {
        return std::all_of(said.begin(), said.begin() + size_, [](auto const& each) { return each != 0; });
    }

    void judge(
        call const& one, std::vector<outcome> const& all, int failing, std::exception_ptr const& here) {
        auto const threw = std::ranges::count(all, end_kind::error, &outcome::end);
        bool const failed = std::ranges::any_of(all, [](outcome const& each) { return each.failed != 0; });
        if (!failed && threw > 0) end("an error without a failure", here);
        for (int rank = 0; rank < size_; ++rank) {
            outcome const& each = all[static_cast<std::size_t>(rank)];
            if (each.end == end_kind::answer && each.right == 0) end("a wrong answer", here);
            if (each.alone != 0 && rank != failing)
                end("a rank without a failure that has failed alone", here);
        }
        if (all.front().gone == 0 && threw > 0 && threw < size_ && one.others == told::all)
            end("an error that only some ranks get", here);
    }

    /// Checks that the communicator still works.
    void go_on(std::optional<weft::communicator>& comm, MPI_Comm parent) {
        if (weft::sum(*comm, 1) != size_) end("the sum of ones is wrong", {});
        weft::open_operations& open = weft::context_of(*comm).others;
        while (!all_of(board_->settled)) { // dropped operations end; the watchdog sees to it
            open.step_here();
            if (!open.has_abandoned()) board_->settled[static_cast<std::size_t>(rank_)] = 1;
            std::this_thread::yield();
        }
        comm.reset();
        MPI_Comm_free(&parent);
        auto const roots = weft::process_roots::get();
        while (roots->orphans() > buried_orphans_) roots->free_orphans(); // the watchdog limits the time
        std::int64_t const left = mpi_faults::requests_under_way();
        if (left != 0) end("requests are left behind: " + std::to_string(left), {});
    }

    /// Keeps memory that MPI may still write; it is not stepped any more.
    void bury(weft::communicator comm) {
        static auto* const graves = new std::vector<weft::communicator>;
        graves->push_back(std::move(comm));
        auto const roots = weft::process_roots::get();
        for (weft::communicator const& each : roots->all()) {
            roots->remove(weft::state_of(each));
            graves->push_back(each);
        }
        weft::lone_failure_here() = {};
        // Frees orphans that all ranks have dropped; the others wait for ranks that drop nothing any more.
        for (int i = 0; i < 100 && roots->orphans() > 0; ++i) {
            roots->free_orphans();
            std::this_thread::yield();
        }
        buried_orphans_ = roots->orphans();
    }

    [[noreturn]] void end(std::string const& what, std::exception_ptr const& thrown) const {
        std::string const text = thrown ? weft::text_of(thrown) : std::string("no error");
        std::fprintf(stderr, "rank %d: %s: %s (here: %s)\n", rank_, doing.data(), what.c_str(), text.c_str());
        std::fflush(stderr);
        std::this_thread::sleep_for(std::chrono::milliseconds(500)); // lets the others print theirs
        std::_Exit(1);
    }

    asked const& options_;
    weft_test::watchdog& dog_;
    std::mt19937 draws_;
    int rank_ = 0;
    int size_ = 1;
    std::string folder_;
    board* board_ = nullptr;
    counts found_;
    std::int64_t failures_ = 0;
    std::size_t buried_orphans_ = 0;
};

} // namespace mpi_faults
