#include "every_point.hpp"

#include "call.hpp"

#include <harness/all_ranks.hpp>

#include <weft/core/error.hpp>
#include <weft/core/run.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <set>
#include <span>
#include <sstream>
#include <string_view>

namespace faults {

namespace {

using weft_test::thrown_kind;

constexpr std::size_t stack_bytes = std::size_t{4} << 20;
constexpr int seconds_of_a_point = 5; // of processor time; a usual run takes milliseconds
constexpr int code_of_endless = 5;
constexpr int most_ranks = 8;

/// A call that stays with the jobs (small_memory_test.py): it needs MPI, which simulated ranks do not have.
constexpr std::string_view not_simulated = "make_communicator";

enum class end : std::uint8_t {
    nothing_thrown,
    right,
    agreed,
    neighbours_told,
    alone,
    of_program,      ///< thrown by the program that calls, not by Weft
    another_library, ///< such as VTK, which does not expect an exception everywhere
    bad
};
constexpr char const* names_of_ends[] = {"nothing thrown", "right", "agreed", "told those concerned",
    "failed alone", "thrown by the caller itself", "ended by another library", "BAD"};

/// The outcome of a child, in memory that it shares with its parent.
struct report {
    end how = end::bad;
    bool is_over = false;
    std::array<char, 300> function = {};
    std::array<char, 400> reason = {};
};

template <std::size_t N>
void copy(std::string const& text, std::array<char, N>& to) {
    std::snprintf(to.data(), N, "%s", text.c_str());
}

struct point {
    std::int64_t n = 0; // 0: none
    int rank = -1;
};

/// One call at a number of ranks, in a process that stops before the call and forks for each point.
class server {
public:
    server(call const& one, int ranks, every_point const& asked, std::string folder)
        : call_(one), ranks_(ranks), asked_(asked), folder_(std::move(folder)), all_(most_ranks) {
        void* const shared =
            mmap(nullptr, sizeof(report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) throw std::bad_alloc();
        report_ = new (shared) report;
    }

    /// Returns the exit code of this process.
    int run() {
        std::string const wanted = std::to_string(ranks_) + ",stack=" + std::to_string(stack_bytes);
        setenv("WEFT_SIMULATE", wanted.c_str(), 1);
        std::string name = "faults";
        char* arguments[] = {name.data(), nullptr};
        char** argv = arguments;
        int argc = 1;
        int const code = weft::run(argc, argv, [&](weft::communicator const& world) { live(world); });
        if (!is_child_) { // no rank has come to the call
            std::printf("BAD: %s at %d ranks does not run on simulated ranks\n", call_.name.c_str(), ranks_);
            std::fflush(stdout);
            return 1;
        }
        judge(code);
        return 0;
    }

private:
    struct of_rank {
        std::exception_ptr thrown;
        std::exception_ptr later;
        bool right = true;
        bool has_left = false; // the call
        bool is_over = false;
        bool is_lone = false;
    };

    void live(weft::communicator const& world) {
        char const top = 0;
        of_rank& mine = all_[static_cast<std::size_t>(world.rank())];
        tops_[static_cast<std::size_t>(world.rank())] = &top;
        if (!asked_.first) {
            trial undisturbed(world, folder_, 0, memory::any, false);
            call_.run(undisturbed);
            if (undisturbed.thrown()) std::rethrow_exception(undisturbed.thrown());
        }
        (void)weft::sum(world, 1); // all stacks are known
        if (!is_child_) serve();
        bool const fails = world.rank() == now_.rank;
        if (fails) only_on(tops_[static_cast<std::size_t>(now_.rank)], stack_bytes / 2);
        try {
            trial now(world, folder_, now_.n, memory::any, fails);
            try {
                call_.run(now);
            } catch (...) {
                if (!now.thrown()) mine.thrown = std::current_exception();
            }
            if (now.thrown()) mine.thrown = now.thrown();
            mine.right = now.right();
        } catch (...) { mine.thrown = std::current_exception(); }
        mine.is_lone = weft::lone_failure() != nullptr;
        mine.has_left = true;
        try {
            if (weft::sum(world, 1) != world.size()) throw std::logic_error("the sum of ones is wrong");
            trial again(world, folder_, 0, memory::any, false);
            call_.run(again);
            if (again.thrown()) std::rethrow_exception(again.thrown());
            if (!again.right()) throw std::logic_error("the next call has a wrong answer");
        } catch (...) { mine.later = std::current_exception(); }
        mine.is_over = true;
        if (mine.thrown) std::rethrow_exception(mine.thrown);
        if (mine.later) std::rethrow_exception(mine.later);
    }

    /// Stays in the parent. Returns in each child.
    void serve() {
        std::vector<point> points;
        for (int rank = 0; rank < ranks_; ++rank) {
            if (asked_.rank >= 0 && rank != asked_.rank) continue;
            if (in_child({0, rank})) return;
            std::ifstream file(folder_ + "/points");
            for (std::int64_t n = 0; file >> n;) points.push_back({n, rank});
            counts_ += (counts_.empty() ? "" : " + ") + std::to_string(points.size() - before_);
            before_ = points.size();
        }
        if (asked_.point > 0) points = {{asked_.point, std::max(asked_.rank, 0)}};
        std::size_t const stride = static_cast<std::size_t>(std::max<std::int64_t>(asked_.stride, 1));
        for (std::size_t i = static_cast<std::size_t>(asked_.seed) % stride; i < points.size(); i += stride)
            if (in_child(points[i])) return;
        tell(points.size());
        std::_Exit(0);
    }

    /// Runs a point in a child. Returns true in the child.
    bool in_child(point which) {
        std::string const folder = folder_ + "/" + std::to_string(which.n);
        std::filesystem::create_directory(folder);
        *report_ = {};
        std::fflush(stdout);
        pid_t const child = fork();
        if (child == 0) {
            become(which, folder);
            return true;
        }
        int state = 0;
        waitpid(child, &state, 0);
        settle(which, state, folder);
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
        return false;
    }

    void become(point which, std::string const& folder) {
        is_child_ = true;
        now_ = which;
        own_folder_ = folder_;
        folder_ = folder;
        int const out = open((folder + "/printed").c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_APPEND, 0600);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        itimerval limit{};
        limit.it_value.tv_sec = seconds_of_a_point;
        setitimer(ITIMER_PROF, &limit, nullptr);
        alarm(600); // for one that sleeps, on a machine that may be busy
        ::signal(SIGSEGV, say_and_end);
        ::signal(SIGABRT, say_and_end);
        ::signal(SIGPROF, say_and_end);
        if (which.n == 0) list_into(&listed_);
    }

    static void say_and_end(int signal) {
        std::string_view const text = signal == SIGSEGV   ? "segmentation fault; thrown in:\n"
                                      : signal == SIGABRT ? "abort; thrown in:\n"
                                                          : "endless loop; thrown in:\n";
        (void)!write(STDERR_FILENO, text.data(), text.size());
        print_last_place();
        std::array<void*, 60> here;
        (void)!write(STDERR_FILENO, "now in:\n", 8);
        backtrace_symbols_fd(here.data(), backtrace(here.data(), 60), STDERR_FILENO);
        std::_Exit(signal == SIGPROF ? code_of_endless : 4);
    }

    /// Returns true if a function of Weft is on the stack, other than those below the program of a rank.
    static bool is_of_weft(std::vector<std::string> const& places) {
        return std::ranges::any_of(places, [](std::string const& each) {
            return each.find("simulated_program") == std::string::npos &&
                   each.find("5fibre") == std::string::npos;
        });
    }

    /// Returns true if the exception was thrown into a library that Weft uses.
    static bool is_in_another_library(std::string const& printed) {
        std::istringstream lines(printed);
        bool is_behind_allocation = false;
        for (std::string line; std::getline(lines, line);) {
            if (line.find("(_Znwm+") != std::string::npos || line.find("(_Znam+") != std::string::npos) {
                is_behind_allocation = true;
            } else if (is_behind_allocation) {
                // Such a library takes instances of templates from this program.
                if (line.find("(_ZNSt") != std::string::npos || line.find("/libstdc++") != std::string::npos)
                    continue;
                std::string_view const file = std::string_view(line).substr(0, line.find('('));
                return file.find(".so") != std::string_view::npos &&
                       file.find("/libc.so") == std::string_view::npos;
            }
        }
        return false;
    }

    static std::string content_of(std::string const& file) {
        std::ifstream from(file);
        std::stringstream all;
        all << from.rdbuf();
        return all.str();
    }

    /// In the child, after its program.
    void judge(int code) {
        report& told = *report_;
        if (now_.n == 0) {
            std::ofstream file(own_folder_ + "/points");
            for (std::int64_t const each : listed_) file << each << "\n";
            list_into(nullptr);
        }
        bool const injected = disarm();
        std::vector<std::string> const places = injected ? last_functions() : std::vector<std::string>();
        if (!places.empty()) copy(places.front(), told.function);
        auto const bad = [&](std::string const& why) {
            told.how = end::bad;
            copy(why, told.reason);
            for (of_rank const& each : std::span(all_).first(static_cast<std::size_t>(ranks_)))
                std::fprintf(stderr, "threw: %s%s; later: %s\n", each.is_lone ? "alone, " : "",
                    each.thrown     ? weft::text_of(each.thrown).c_str()
                    : each.has_left ? "nothing"
                                    : "not left",
                    each.later     ? weft::text_of(each.later).c_str()
                    : each.is_over ? "nothing"
                                   : "waits");
            for (std::string const& each : places) std::fprintf(stderr, "in %s\n", each.c_str());
            std::fflush(stderr);
        };
        auto const ranks = std::span(all_).first(static_cast<std::size_t>(ranks_));
        auto const threw =
            std::ranges::count_if(ranks, [](of_rank const& each) { return each.thrown != nullptr; });
        told.how = end::nothing_thrown;
        told.is_over = true;
        for (of_rank const& each : ranks)
            if (each.has_left && !each.thrown && !each.right) return bad("a wrong answer");
        if (injected && all_[static_cast<std::size_t>(now_.rank)].is_lone) {
            told.how = end::alone;
            std::string const printed = content_of(folder_ + "/printed");
            if (!all_[static_cast<std::size_t>(now_.rank)].is_over) bad("the rank that failed alone waits");
            if (code == 0) bad("the rank that failed alone ends as if nothing were wrong");
            if (printed.find("has failed alone (") == std::string::npos)
                bad("the failure of one rank is not reported");
            return;
        }
        if (std::ranges::any_of(ranks, [](of_rank const& each) { return !each.is_over; })) {
            if (injected && threw > 0 && !is_of_weft(places)) {
                told.how = end::of_program; // as an argument was made: no call of Weft was begun
                return;
            }
            return bad(
                threw > 0 ? "ranks wait, and the one that failed is not marked as alone" : "ranks wait");
        }
        for (of_rank const& each : ranks)
            if (each.later) return bad("the next call: " + weft::text_of(each.later));
        if (threw > 0 && !injected) return bad("an error without a fault");
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            if (static_cast<int>(rank) != now_.rank &&
                weft_test::kind_of(ranks[rank].thrown) == thrown_kind::own)
                return bad("an error of another kind: " + weft::text_of(ranks[rank].thrown));
        if (!injected) return;
        if (threw == 0)
            told.how = end::right;
        else if (threw == ranks_)
            told.how = end::agreed;
        else if (call_.others == told::neighbours)
            told.how = end::neighbours_told;
        else
            bad("an error that only some ranks get");
    }

    /// In the parent, after a child.
    void settle(point which, int state, std::string const& folder) {
        report& told = *report_;
        if (!told.is_over || !WIFEXITED(state) || WEXITSTATUS(state) != 0) {
            told.how = end::bad;
            bool const hangs = (WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM) ||
                               (WIFEXITED(state) && WEXITSTATUS(state) == code_of_endless);
            copy(hangs                ? std::string("hangs")
                 : WIFSIGNALED(state) ? "signal " + std::to_string(WTERMSIG(state))
                                      : "code " + std::to_string(WEXITSTATUS(state)),
                told.reason);
            if (!hangs && is_in_another_library(content_of(folder + "/printed")))
                told.how = end::another_library;
        }
        if (which.n == 0 && told.how == end::nothing_thrown) return;
        ++ends_[static_cast<std::size_t>(told.how)];
        functions_ << told.function.data() << "\n";
        if (told.how != end::bad) return;
        std::printf("BAD: %s, allocation %lld on rank %d of %d: %s: %s\n", call_.name.c_str(),
            static_cast<long long>(which.n), which.rank, ranks_, told.reason.data(), told.function.data());
        std::ifstream file(folder + "/printed");
        std::string line;
        for (int i = 0; i < 60 && std::getline(file, line); ++i) std::printf("    %s\n", line.c_str());
    }

    void tell(std::size_t points) {
        std::string all;
        std::int64_t tried = 0;
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            tried += ends_[i];
            if (ends_[i] > 0) all += ", " + std::to_string(ends_[i]) + " " + names_of_ends[i];
        }
        std::printf("%s at %d ranks: %s points, %lld tried%s\n", call_.name.c_str(), ranks_, counts_.c_str(),
            static_cast<long long>(tried), all.c_str());
        std::fflush(stdout);
        std::ofstream file(folder_ + "/totals");
        file << points;
        for (std::int64_t const each : ends_) file << " " << each;
        file << "\n" << functions_.str();
    }

    call const& call_;
    int ranks_;
    every_point const& asked_;
    std::string folder_;
    std::string own_folder_; // the parent's, in a child
    std::vector<of_rank> all_;
    std::array<char const*, most_ranks> tops_ = {};
    report* report_ = nullptr;
    bool is_child_ = false;
    point now_;
    std::vector<std::int64_t> listed_;
    std::array<std::int64_t, std::size(names_of_ends)> ends_ = {};
    std::ostringstream functions_;
    std::string counts_;
    std::size_t before_ = 0;
};

} // namespace

int run_every_point(every_point const& asked) {
    std::vector<call> calls = all_calls();
    std::erase_if(calls, [&](call const& each) {
        return each.name == not_simulated ||
               (!asked.calls.empty() && std::ranges::find(asked.calls, each.name) == asked.calls.end());
    });
    auto const began = std::chrono::steady_clock::now();
    std::string folder = (std::filesystem::temp_directory_path() / "weft_every_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder " + folder);
    int number = 0;
    std::map<pid_t, std::string> running;
    bool is_bad = calls.empty();
    std::int64_t points = 0;
    std::array<std::int64_t, std::size(names_of_ends)> ends = {};
    std::set<std::string> functions;
    auto const wait_for_one = [&] {
        int state = 0;
        pid_t const ended = wait(&state);
        std::string const of = running.at(ended);
        running.erase(ended);
        if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) is_bad = true;
        std::ifstream file(of + "/totals");
        std::int64_t here = 0;
        if (!(file >> here)) is_bad = true;
        points += here;
        for (std::int64_t& each : ends) {
            file >> here;
            each += here;
        }
        for (std::string name; file >> name;) functions.insert(name);
    };
    for (call const& each : calls)
        for (int const ranks : asked.ranks.empty() ? std::vector{2, 3} : asked.ranks) {
            if (std::ssize(running) == asked.together) wait_for_one();
            std::string const own = folder + "/" + std::to_string(number++);
            std::filesystem::create_directory(own);
            std::fflush(stdout);
            pid_t const child = fork();
            if (child == 0) std::_Exit(server(each, ranks, asked, own).run());
            running[child] = own;
        }
    while (!running.empty()) wait_for_one();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    std::printf("%lld points of failure in %zu calls; tried:", static_cast<long long>(points), calls.size());
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (ends[i] > 0) std::printf(" %lld %s,", static_cast<long long>(ends[i]), names_of_ends[i]);
    std::printf(" in %zu functions of Weft, %.1f s\n", functions.size(),
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    return is_bad || ends[static_cast<std::size_t>(end::bad)] > 0 ? 1 : 0;
}

} // namespace faults
