/// Throws on one rank at the n-th opportunity of a collective call, for n = 1, 2, 3, ... until nothing is
/// thrown any more, for each rank and each call: all ranks must get an error, or the right answer, and go on.
///
/// faults [--only CALL] [--from N] [--step N] [--inside | --small] [--open] [--list] [--patience SECONDS]
#include "call.hpp"

#include <harness/watchdog.hpp>

#include <weft/core/environment.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/observe/activity.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/mpi.hpp>
#include <weft/protocol/collectives.hpp>

#include <execinfo.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

namespace faults {

void trial::begin() {
    if (fails_) arm(n_, which_, &weft::stalls_of(comm_).operations);
}

void trial::end() {
    if (!fails_) return;
    injected_ = disarm();
    counted_ = faults::counted();
}

namespace {

struct asked {
    std::string only;
    std::int64_t from = 1;
    std::int64_t step = 1;
    std::optional<memory> which = {};
    bool list = false;
    bool open = false;
    double patience = 30;
};

/// What one rank tells of one run.
struct outcome {
    std::int32_t threw;    ///< 0, or 1 for an error of its own, 2 for one that was told to it
    std::int32_t right;    ///< its answer
    std::int32_t injected; ///< there was an n-th opportunity
    std::int32_t lone;     ///< it has failed alone, which is fatal
};

std::array<char, 200> doing = {}; // for the handler of signals

void say_and_end(int signal) {
    char const* const text = signal == SIGSEGV ? "segmentation fault in " : "abort in ";
    (void)!write(STDERR_FILENO, text, std::strlen(text));
    (void)!write(STDERR_FILENO, doing.data(), std::strlen(doing.data()));
    (void)!write(STDERR_FILENO, "\nthe fault was at\n", 18);
    print_last_place();
    std::_Exit(4);
}

class runner {
public:
    runner(weft::communicator const& world, weft_test::watchdog& dog, asked const& options)
        : world_(world), dog_(dog), options_(options) {
        MPI_Comm_dup(MPI_COMM_WORLD, &outside_);
        std::int64_t const number = weft::max(world, world.rank() == 0 ? getpid() : 0);
        folder_ =
            (std::filesystem::temp_directory_path() / ("weft_faults_" + std::to_string(number))).string();
        std::filesystem::create_directories(folder_);
    }
    ~runner() {
        MPI_Comm_free(&outside_);
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    runner(runner const&) = delete;
    runner& operator=(runner const&) = delete;

    /// All faults of one call. Rank 0 prints their number.
    void all_of(call const& one) {
        auto const began = std::chrono::steady_clock::now();
        std::int64_t injections = 0;
        std::int64_t answers = 0;
        run(one, 0, -1, injections, answers); // what is made on first use is not the call's
        for (int failing = 0; failing < world_.size(); ++failing)
            for (std::int64_t n = options_.from; run(one, n, failing, injections, answers);)
                n += options_.step;
        std::int64_t const all = weft::sum(world_, injections);
        total_ += all;
        if (world_.rank() == 0)
            std::printf("%-40s %6lld faults, %lld of them did no harm, %.2f s\n", one.name.c_str(),
                static_cast<long long>(all), static_cast<long long>(answers),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
        std::fflush(stdout);
    }
    [[nodiscard]] std::int64_t total() const noexcept { return total_; }

private:
    /// True if a fault was thrown.
    bool run(call const& one, std::int64_t n, int failing, std::int64_t& injections, std::int64_t& answers) {
        std::snprintf(doing.data(), doing.size(), "%s, fault %lld on rank %d of %d", one.name.c_str(),
            static_cast<long long>(n), failing, world_.size());
        dog_.begin_test(doing.data());
        trial now(world_, folder_, n, options_.which.value_or(one.which), world_.rank() == failing);
        one.run(now);
        outcome mine{
            now.thrown() ? 1 : 0, now.right() ? 1 : 0, now.injected() ? 1 : 0, weft::lone_failure() ? 1 : 0};
        if (now.thrown()) mine.threw = was_told(now.thrown()) ? 2 : 1;
        std::vector<outcome> const all = told_by_all(mine);
        judge(one, all, failing, now.thrown());
        if (weft::sum(world_, 1) != world_.size()) end("the sum of ones is wrong", now.thrown());
        dog_.end_test();
        injections += mine.injected;
        bool const any = std::ranges::any_of(all, [](outcome const& each) { return each.injected != 0; });
        if (any && all.front().threw == 0) ++answers;
        return any;
    }

    static bool was_told(std::exception_ptr const& thrown) {
        try {
            std::rethrow_exception(thrown);
        } catch (weft::remote_error const&) { return true; } catch (weft::usage_error const&) {
            return true;
        } catch (weft::io_error const&) { return true; } catch (...) {
            return false;
        }
    }

    void judge(
        call const& one, std::vector<outcome> const& all, int failing, std::exception_ptr const& here) {
        auto const count = [&](auto&& is) { return std::ranges::count_if(all, is); };
        auto const threw = count([](outcome const& each) { return each.threw != 0; });
        auto const injected = count([](outcome const& each) { return each.injected != 0; });
        if (count([](outcome const& each) { return each.lone != 0; }) > 0)
            end("an error that is fatal to one rank", here);
        if (injected == 0 && threw > 0) end("an error without a fault", here);
        if (threw > 0 && threw < world_.size() && one.others == told::all)
            end("an error that only some ranks get", here);
        if (threw > 0)
            for (int rank = 0; rank < world_.size(); ++rank)
                if (rank != failing && all[static_cast<std::size_t>(rank)].threw == 1)
                    end("an error of another kind", here);
        if (threw < world_.size())
            for (outcome const& each : all)
                if (each.threw == 0 && each.right == 0) end("a wrong answer", here);
    }

    /// Past Weft, whose calls may be broken; but what is open goes on.
    std::vector<outcome> told_by_all(outcome const& mine) {
        std::vector<outcome> all(static_cast<std::size_t>(world_.size()));
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, outside_, &request);
        if (mine.lone != 0) end("an error that is fatal to one rank", weft::lone_failure());
        auto const began = std::chrono::steady_clock::now();
        for (int over = 0; over == 0;) {
            MPI_Test(&request, &over, MPI_STATUS_IGNORE);
            if (over != 0) break;
            if (!weft::lone_failure()) weft::context_of(world_).others.step_here();
            sched_yield();
            if (mine.threw != 0 && std::chrono::steady_clock::now() - began >
                                       std::chrono::duration<double>(options_.patience / 2))
                end("an error that the others do not hear of", {});
        }
        return all;
    }

    [[noreturn]] void end(char const* what, std::exception_ptr const& thrown) {
        std::string const text = thrown ? weft::text_of(thrown) : std::string("no error");
        std::fprintf(stderr, "rank %d: %s: %s (here: %s)\n", world_.rank(), doing.data(), what, text.c_str());
        if (faults::counted() > 0) print_last_place();
        std::fflush(stderr);
        std::this_thread::sleep_for(std::chrono::milliseconds(500)); // the others say theirs
        std::_Exit(1);
    }

    weft::communicator const& world_;
    weft_test::watchdog& dog_;
    asked const& options_;
    MPI_Comm outside_ = MPI_COMM_NULL;
    std::string folder_;
    std::int64_t total_ = 0;
};

std::vector<call> all_calls() {
    std::vector<call> all;
    for (auto const& some : {exchange_calls(), mailbox_calls(), block_calls(), frame_calls(), graph_calls(),
             file_calls(), volume_calls()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

asked asked_by(int argc, char** argv) {
    asked options;
    for (int i = 1; i < argc; ++i) {
        std::string_view const name = argv[i];
        auto const value = [&] { return i + 1 < argc ? argv[++i] : ""; };
        if (name == "--only") options.only = value();
        if (name == "--from") options.from = std::atoll(value());
        if (name == "--step") options.step = std::max(1LL, std::atoll(value()));
        if (name == "--patience") options.patience = std::atof(value());
        if (name == "--inside") options.which = memory::inside_of_operations;
        if (name == "--small") options.which = memory::small;
        options.open = options.open || name == "--open";
        options.list = options.list || name == "--list";
    }
    return options;
}

} // namespace

} // namespace faults

int main(int argc, char** argv) {
    using namespace faults;
    asked const options = asked_by(argc, argv);
    std::vector<call> const calls = all_calls();
    if (options.list) {
        for (call const& each : calls) std::printf("%s\n", each.name.c_str());
        return 0;
    }
    std::array<void*, 4> warm;
    backtrace(warm.data(), 4); // it allocates when it is called first
    ::signal(SIGSEGV, say_and_end);
    ::signal(SIGABRT, say_and_end);
    weft_test::watchdog dog{std::chrono::duration<double>(options.patience)};
    weft::environment const environment{argc, argv};
    weft::communicator const world = environment.world();
    weft::activity const& activity = weft::activity_of(world);
    dog.set_rank(world.rank(), world.size());
    dog.set_default_source([&] { return weft_test::place{activity.current(), activity.advances()}; });
    runner all(world, dog, options);
    for (call const& each : calls)
        if (options.only.empty() ? options.open || !is_open(each.name) : each.name == options.only)
            all.all_of(each);
    dog.set_default_source({}); // the activity ends with the environment
    if (world.rank() == 0)
        std::printf("%lld faults at %d ranks\n", static_cast<long long>(all.total()), world.size());
    return 0;
}
