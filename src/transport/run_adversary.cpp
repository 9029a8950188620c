/// WEFT_ADVERSARY: many runs of a program, each in a process of its own, which depart from the usual order.
#include "simulated_run.hpp"

#include <weft/core/error.hpp>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <new>
#include <string_view>
#include <utility>

namespace weft {

namespace {

/// The part of a run that its process writes where this one reads it, also if it is killed.
struct shared_verdict {
    std::int64_t messages = 0;
    std::int64_t items = 0;
    char failure[2000] = {};
    deviations::record applied;
};

struct verdict {
    std::string failure; ///< empty if the run was right
    std::string printed; ///< its lines, sorted: ranks print in any order
    std::vector<deviation> applied;
    bool is_complete = true; ///< `applied` has all
    std::int64_t messages = 0;
    std::int64_t items = 0; ///< of channels and blocks
};

std::string sorted_lines(std::string const& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    std::ranges::sort(lines);
    std::string sorted;
    for (std::string const& line : lines) sorted += line + '\n';
    return sorted;
}

/// The first line that only one of both has: "- mine" or "+ theirs".
std::string first_difference(std::string const& usual, std::string const& other) {
    std::size_t at = 0;
    while (at < usual.size() && at < other.size() && usual[at] == other[at]) ++at;
    std::size_t const begin = at == 0 ? 0 : usual.rfind('\n', at - 1) + 1;
    auto const line = [begin](std::string const& of) {
        return begin < of.size() ? of.substr(begin, of.find('\n', begin) - begin) : std::string("no more");
    };
    return "prints \"" + line(other) + "\" in place of \"" + line(usual) + "\"";
}

class adversary {
public:
    explicit adversary(simulated_job const& job) : job_(job) {
        void* const mapping =
            mmap(nullptr, sizeof(shared_verdict), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (mapping == MAP_FAILED) throw std::bad_alloc();
        shared_ = static_cast<shared_verdict*>(mapping);
        usual_ = run(deviations(std::vector<deviation>{}));
    }
    adversary(adversary const&) = delete;
    adversary& operator=(adversary const&) = delete;
    ~adversary() { munmap(shared_, sizeof(shared_verdict)); }

    /// The run without deviations.
    [[nodiscard]] verdict const& usual() const noexcept { return usual_; }
    [[nodiscard]] verdict run(deviations departs);
    /// How much a run may send.
    [[nodiscard]] simulated_program::limits limits() const noexcept {
        if (!has_usual_) return {10'000'000, 1'000'000'000};
        return {20 * usual_.messages + 100'000, 20 * usual_.items + 2'000};
    }
    /// Fewer deviations under which a run fails, in some way: Zeller, Hildebrandt, Simplifying and isolating
    /// failure-inducing input, IEEE TSE 28(2), 2002, section 3.2.
    [[nodiscard]] std::vector<deviation> shrink(std::vector<deviation> failing);

private:
    [[noreturn]] void live_and_tell(deviations& departs, std::FILE* prints);
    void say(std::string const& failure) const {
        std::snprintf(shared_->failure, sizeof shared_->failure, "%s", failure.c_str());
    }

    simulated_job const& job_;
    shared_verdict* shared_ = nullptr;
    verdict usual_;
    bool has_usual_ = false;
};

/// In the process of the run.
void adversary::live_and_tell(deviations& departs, std::FILE* prints) {
    constexpr rlim_t usual_seconds = 60;
    constexpr rlim_t most_seconds = 20;
    rlimit const limit{has_usual_ ? most_seconds : usual_seconds, has_usual_ ? most_seconds : usual_seconds};
    setrlimit(RLIMIT_CPU, &limit);
    dup2(fileno(prints), STDOUT_FILENO);
    if (std::FILE* const nowhere = std::fopen("/dev/null", "w")) dup2(fileno(nowhere), STDERR_FILENO);
    auto* const program = new simulated_program(job_.options, job_.chosen);
    departs.write_into(&shared_->applied);
    program->deviate(&departs);
    program->limit(limits(), [this](std::string const& what) {
        say(what + (has_usual_ ? "; in the usual run all ranks send " + std::to_string(usual_.items) : ""));
        _exit(1);
    });
    bool const ended = program->run(*job_.body);
    std::string failure = failure_of(*program, ended);
    if (failure.empty() && code_of(*program, job_.options.ranks) != 0)
        failure = "returns " + std::to_string(code_of(*program, job_.options.ranks));
    if (failure.empty()) failure = program->loss();
    shared_->messages = program->machine().messages();
    shared_->items = program->items();
    say(failure);
    std::fflush(stdout);
    _exit(failure.empty() ? 0 : 1);
}

verdict adversary::run(deviations departs) {
    shared_->failure[0] = '\0';
    shared_->applied.count = 0;
    shared_->messages = 0;
    shared_->items = 0;
    std::FILE* const prints = std::tmpfile();
    if (prints == nullptr) throw io_error("WEFT_ADVERSARY: no temporary file for the output of a run");
    std::fflush(stdout);
    std::fflush(stderr);
    pid_t const child = fork();
    if (child == 0) live_and_tell(departs, prints);
    int status = 0;
    bool const has_run = child > 0 && waitpid(child, &status, 0) == child;
    std::string printed;
    std::rewind(prints);
    char part[4096];
    for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, prints)) > 0;)
        printed.append(part, got);
    std::fclose(prints);
    if (!has_run) throw error("WEFT_ADVERSARY: a process for a run could not be started");

    verdict found;
    found.failure = shared_->failure;
    if (found.failure.empty() && WIFSIGNALED(status))
        found.failure = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                            ? "computes without end"
                            : "ends by a signal: " + std::string(strsignal(WTERMSIG(status)));
    if (found.failure.empty() && WIFEXITED(status) && WEXITSTATUS(status) != 0)
        found.failure = "ends itself with code " + std::to_string(WEXITSTATUS(status));
    found.printed = sorted_lines(printed);
    found.messages = shared_->messages;
    found.items = shared_->items;
    if (found.failure.empty() && has_usual_ && found.printed != usual_.printed)
        found.failure = first_difference(usual_.printed, found.printed);
    std::int64_t const kept = std::min(shared_->applied.count, deviations::record::most);
    found.applied.assign(shared_->applied.all, shared_->applied.all + kept);
    found.is_complete = kept == shared_->applied.count;
    has_usual_ = true;
    return found;
}

std::vector<deviation> adversary::shrink(std::vector<deviation> failing) {
    int left = 400; // runs
    for (std::size_t parts = 2; failing.size() > 1 && left > 0;) {
        std::size_t const size = (failing.size() + parts - 1) / parts;
        bool smaller = false;
        for (std::size_t at = 0; at < failing.size() && left > 0; at += size, --left) {
            std::vector<deviation> rest(failing.begin(), failing.begin() + static_cast<std::ptrdiff_t>(at));
            rest.insert(rest.end(),
                failing.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, failing.size())),
                failing.end());
            if (run(deviations(rest)).failure.empty()) continue;
            failing = std::move(rest);
            parts = std::max<std::size_t>(parts - 1, 2);
            smaller = true;
            break;
        }
        if (smaller) continue;
        if (size == 1) break;
        parts = std::min(parts * 2, failing.size());
    }
    return failing;
}

void tell_failure(simulated_job const& job, adversary& all, std::string const& which, verdict const& failed) {
    std::vector<deviation> const fewest = failed.is_complete ? all.shrink(failed.applied) : failed.applied;
    verdict const again = all.run(deviations(fewest));
    std::fprintf(stderr, "%s: %s: %s\n", job.name.c_str(), which.c_str(), failed.failure.c_str());
    std::string const ranks = job.chosen.simulate.empty() ? "" : "WEFT_SIMULATE=" + job.chosen.simulate + " ";
    std::fprintf(stderr,
        "%s: %zu of its %zu deviations are enough: %s\n%s: repeat it by %sWEFT_ADVERSARY=replay:%s\n",
        job.name.c_str(), fewest.size(), failed.applied.size(), again.failure.c_str(), job.name.c_str(),
        ranks.c_str(), to_text(fewest).c_str());
}

std::int64_t whole_number(std::string_view text, std::int64_t least) {
    std::int64_t number = 0;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size() || number < least)
        throw usage_error("WEFT_ADVERSARY: \"" + std::string(text) + "\": expected a number of at least " +
                          std::to_string(least) + " in SEED[:RUNS], all[:RUNS] or replay:LIST");
    return number;
}

int run_random(simulated_job const& job, adversary& all, std::int64_t seed, std::int64_t runs) {
    for (std::int64_t run = 0; run < runs; ++run) {
        verdict const now = all.run(deviations(static_cast<std::uint64_t>(seed), run));
        if (now.failure.empty()) continue;
        tell_failure(job, all, "run " + std::to_string(run) + " of seed " + std::to_string(seed), now);
        return 1;
    }
    std::fprintf(stderr, "%s: %lld runs of seed %lld on %d ranks are right\n", job.name.c_str(),
        static_cast<long long>(runs), static_cast<long long>(seed), job.options.ranks);
    return 0;
}

/// Every message is late once, as `deviation::kind::holds`, then every two of a run, and so on. Source:
/// Emmi, Qadeer, Rakamaric, Delay-bounded scheduling, POPL 2011.
int run_all(simulated_job const& job, adversary& all, std::int64_t runs) {
    std::int64_t done = 0;
    std::vector<std::vector<deviation>> level{{}};
    for (int late = 1; !level.empty(); ++late) {
        std::vector<std::vector<deviation>> next;
        for (std::vector<deviation> const& held : level) {
            std::int64_t const messages =
                late == 1 ? all.usual().messages : all.run(deviations(held)).messages;
            for (std::int64_t each = held.empty() ? 0 : held.back().number + 1; each < messages; ++each) {
                if (done == runs) {
                    std::fprintf(stderr,
                        "%s: %lld runs on %d ranks are right: all with up to %d late message%s, and some "
                        "with %d\n",
                        job.name.c_str(), static_cast<long long>(done), job.options.ranks, late - 1,
                        late == 2 ? "" : "s", late);
                    return 0;
                }
                std::vector<deviation> now = held;
                now.push_back({deviation::kind::holds, 0, each});
                verdict const found = all.run(deviations(now));
                ++done;
                if (!found.failure.empty()) {
                    tell_failure(job, all, std::to_string(late) + " late messages", found);
                    return 1;
                }
                if (static_cast<std::int64_t>(found.applied.size()) == late) next.push_back(std::move(now));
            }
        }
        level = std::move(next);
    }
    std::fprintf(stderr, "%s: %lld runs on %d ranks are right: all with any late messages\n",
        job.name.c_str(), static_cast<long long>(done), job.options.ranks);
    return 0;
}

} // namespace

int run_under_adversary(simulated_job const& job) {
    constexpr std::int64_t usual_runs = 1000;
    std::string_view const text = job.chosen.schedules;
    std::string_view const first = text.substr(0, text.find(':'));
    std::string_view const second = text.substr(std::min(first.size() + 1, text.size()));
    bool const replays = first == "replay";
    std::vector<deviation> const given = replays ? deviations_of(second) : std::vector<deviation>{};
    std::int64_t const seed = replays || first == "all" ? 0 : whole_number(first, 0);
    std::int64_t const runs = replays || second.empty() ? usual_runs : whole_number(second, 1);
    adversary all(job);
    if (!all.usual().failure.empty()) {
        std::fprintf(
            stderr, "%s: without any deviation: %s\n", job.name.c_str(), all.usual().failure.c_str());
        return 1;
    }
    if (!replays) return first == "all" ? run_all(job, all, runs) : run_random(job, all, seed, runs);
    verdict const found = all.run(deviations(given));
    std::fprintf(stderr, "%s: %s; again, in this process:\n", job.name.c_str(),
        found.failure.empty() ? "right" : found.failure.c_str());
    deviations departs(given);
    int const code = run_once_and_tell(job, &departs, all.limits());
    return found.failure.empty() ? code : 1;
}

} // namespace weft
