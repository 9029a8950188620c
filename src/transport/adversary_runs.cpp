#include "adversary_runs.hpp"

#include <weft/core/error.hpp>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace weft {

namespace {

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

/// Returns the first line that differs: "- mine" or "+ theirs".
std::string first_difference(std::string const& usual, std::string const& other) {
    std::size_t at = 0;
    while (at < usual.size() && at < other.size() && usual[at] == other[at]) ++at;
    std::size_t const begin = at == 0 ? 0 : usual.rfind('\n', at - 1) + 1;
    auto const line = [begin](std::string const& of) {
        return begin < of.size() ? of.substr(begin, of.find('\n', begin) - begin) : std::string("no more");
    };
    return "prints \"" + line(other) + "\" in place of \"" + line(usual) + "\"";
}

} // namespace

/// The verdict in memory shared with the process of a run, also readable if that is killed.
struct adversary::shared_verdict {
    std::int64_t messages = 0;
    std::int64_t items = 0;
    char failure[2000] = {};
    deviations::record applied;
    arrival_order::record arrivals;
};

adversary::adversary(simulated_job const& job) : job_(job) {
    void* const mapping =
        mmap(nullptr, sizeof(shared_verdict), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    shared_ = static_cast<shared_verdict*>(mapping);
    usual_ = run(deviations(std::vector<deviation>{}));
}

adversary::~adversary() {
    munmap(shared_, sizeof(shared_verdict));
}

arrival_order::record& adversary::arrivals() noexcept {
    return shared_->arrivals;
}

void adversary::say(std::string const& failure) const {
    std::snprintf(shared_->failure, sizeof shared_->failure, "%s", failure.c_str());
}

/// Executed in the process of the run.
void adversary::live_and_tell(deviations& departs, arrival_order::plan const* planned, std::FILE* prints) {
    constexpr rlim_t usual_seconds = 60;
    constexpr rlim_t most_seconds = 20;
    rlimit const limit{has_usual_ ? most_seconds : usual_seconds, has_usual_ ? most_seconds : usual_seconds};
    setrlimit(RLIMIT_CPU, &limit);
    dup2(fileno(prints), STDOUT_FILENO);
    if (std::FILE* const nowhere = std::fopen("/dev/null", "w")) dup2(fileno(nowhere), STDERR_FILENO);
    auto* const program = new simulated_program(job_.options, job_.chosen);
    departs.write_into(&shared_->applied);
    program->deviate(&departs);
    program->machine().note_into(&shared_->arrivals);
    std::optional<arrival_order> order;
    if (planned != nullptr || departs.order_arrivals())
        program->order(
            &order.emplace(planned != nullptr ? *planned : arrival_order::any(), shared_->arrivals));
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

verdict adversary::run(deviations departs, arrival_order::plan const* planned) {
    shared_->failure[0] = '\0';
    shared_->applied.count = 0;
    shared_->applied.waiting = 0;
    shared_->applied.answered = 0;
    shared_->arrivals.clear();
    shared_->messages = 0;
    shared_->items = 0;
    std::FILE* const prints = std::tmpfile();
    if (prints == nullptr) throw io_error("WEFT_ADVERSARY: no temporary file for the output of a run");
    std::fflush(stdout);
    std::fflush(stderr);
    pid_t const child = fork();
    if (child == 0) live_and_tell(departs, planned, prints);
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
    found.waiting = shared_->applied.waiting;
    found.items = shared_->items;
    if (found.failure.empty() && !shared_->arrivals.was_here && has_usual_ && found.printed != usual_.printed)
        found.failure = first_difference(usual_.printed, found.printed);
    std::int64_t const kept = std::min(shared_->applied.count, deviations::record::most);
    found.applied.assign(shared_->applied.all, shared_->applied.all + kept);
    found.answered.assign(
        shared_->applied.all_answered, shared_->applied.all_answered + shared_->applied.answered);
    std::ranges::sort(found.answered);
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

} // namespace weft
