#include <harness/all_ranks.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

namespace weft_test {

namespace {

std::array<char, 300> doing = {}; // for signal handlers
void (*words_of_all)() = [] {};

void say_and_end(int signal) {
    char const* const text = signal == SIGSEGV ? "segmentation fault in " : "abort in ";
    (void)!write(STDERR_FILENO, text, std::strlen(text));
    (void)!write(STDERR_FILENO, doing.data(), std::strlen(doing.data()));
    (void)!write(STDERR_FILENO, "\n", 1);
    words_of_all();
    std::_Exit(4);
}

} // namespace

thrown_kind kind_of(std::exception_ptr const& thrown) {
    if (!thrown) return thrown_kind::nothing;
    try {
        std::rethrow_exception(thrown);
    } catch (weft::remote_error const&) { return thrown_kind::told; } catch (weft::usage_error const&) {
        return thrown_kind::told;
    } catch (weft::io_error const&) { return thrown_kind::told; } catch (...) {
        return thrown_kind::own;
    }
}

all_ranks::all_ranks(weft::communicator const& world, watchdog& dog, std::chrono::duration<double> patience,
    void (*last_words)())
    : world_(world), dog_(dog), patience_(patience) {
    words_of_all = last_words;
    ::signal(SIGSEGV, say_and_end);
    ::signal(SIGABRT, say_and_end);
    MPI_Comm_dup(MPI_COMM_WORLD, &outside_);
    std::int64_t const number = weft::max(world, world.rank() == 0 ? getpid() : 0);
    folder_ = (std::filesystem::temp_directory_path() / ("weft_trials_" + std::to_string(number))).string();
    std::filesystem::create_directories(folder_);
}

all_ranks::~all_ranks() {
    MPI_Comm_free(&outside_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void all_ranks::begin(std::string const& run) {
    std::snprintf(doing.data(), doing.size(), "%s", run.c_str());
    dog_.begin_test(run);
}

std::vector<outcome> all_ranks::gather(outcome mine, std::exception_ptr const& thrown) {
    mine.threw = kind_of(thrown);
    mine.lone = weft::lone_failure() ? 1 : 0;
    std::vector<outcome> all(static_cast<std::size_t>(world_.size()));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, outside_, &request);
    if (mine.lone != 0) end("an error that is fatal to one rank", weft::lone_failure());
    auto const began = std::chrono::steady_clock::now();
    for (int over = 0; over == 0;) {
        MPI_Test(&request, &over, MPI_STATUS_IGNORE);
        if (over != 0) break;
        weft::context_of(world_).others.step_here(); // lets open operations make progress
        sched_yield();
        if (thrown && std::chrono::steady_clock::now() - began > patience_ / 2)
            end("an error that the others do not hear of", thrown);
    }
    if (std::ranges::any_of(all, [](outcome const& each) { return each.lone != 0; }))
        end("an error that is fatal to one rank", thrown);
    return all;
}

void all_ranks::finish(std::exception_ptr const& thrown) {
    if (weft::sum(world_, 1) != world_.size()) end("the sum of ones is wrong", thrown);
    dog_.end_test();
}

void all_ranks::say(std::string const& what, std::exception_ptr const& thrown) const {
    std::string const text = thrown ? weft::text_of(thrown) : std::string("no error");
    std::fprintf(
        stderr, "rank %d: %s: %s (here: %s)\n", world_.rank(), doing.data(), what.c_str(), text.c_str());
}

void all_ranks::end(std::string const& what, std::exception_ptr const& thrown) const {
    say(what, thrown);
    words_of_all();
    std::fflush(stderr);
    std::this_thread::sleep_for(std::chrono::milliseconds(500)); // lets the others print theirs
    std::_Exit(1);
}

} // namespace weft_test
