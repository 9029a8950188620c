#include "launch/launch.hpp"

#include "launch/relay.hpp"
#include "launch/standard_streams.hpp"
#include "report/speech.hpp"

#include <weft/core/environment.hpp>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

namespace {

/// The first argument of ranks that `relaunch_under_mpi` starts. An environment variable would not do:
/// launchers hand theirs on as they like.
constexpr std::string_view relaunch_mark = "--relaunched="; // then what is known of the streams

/// The first of these variables that is set; null if none is.
char const* first_set(std::initializer_list<char const*> variables) {
    for (char const* const variable : variables)
        if (char const* const value = std::getenv(variable)) return value;
    return nullptr;
}

char const* launched_rank() {
    return first_set({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
}

void tell_of_signal(int signal) {
    char const* const rank = launched_rank();
    fmt::print(stderr, "weft: error: rank {} was killed by signal {} ({}){}\n", rank != nullptr ? rank : "?",
        signal, strsignal(signal), signal == SIGKILL ? "; the system sends it where memory runs out" : "");
}

/// Signals that the launcher or a person sends to end a rank.
sigset_t ending_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int const signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) sigaddset(&signals, signal);
    return signals;
}

/// Waits for the rank and hands signals on to it; returns the exit code. The signals and SIGCHLD are blocked.
int outlive(pid_t rank) {
    sigset_t awaited = ending_signals();
    sigaddset(&awaited, SIGCHLD);
    sigset_t handed_on;
    sigemptyset(&handed_on);
    while (true) {
        int const signal = sigwaitinfo(&awaited, nullptr);
        if (signal > 0 && signal != SIGCHLD) {
            sigaddset(&handed_on, signal);
            kill(rank, signal);
        }
        int status = 0;
        if (waitpid(rank, &status, WNOHANG) != rank) continue;
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        if (!WIFSIGNALED(status)) continue;
        if (sigismember(&handed_on, WTERMSIG(status)) == 0) tell_of_signal(WTERMSIG(status));
        return 128 + WTERMSIG(status); // as a shell says it
    }
}

/// The arguments less `-n N`, `-nN`, `--ranks N` and `--ranks=N`, which only the launcher reads.
std::vector<std::string> without_ranks(int argc, char** argv) {
    std::vector<std::string> kept;
    bool options_end = false;
    for (int i = 1; i < argc; ++i) {
        std::string_view const argument = argv[i];
        options_end = options_end || argument == "--";
        if (!options_end) {
            if (argument == "-n" || argument == "--ranks") {
                ++i;
                continue;
            }
            bool const short_form = argument.size() > 2 && argument.starts_with("-n") &&
                                    (argument.find_first_not_of("=0123456789", 2) == std::string_view::npos ||
                                        argument == "-nauto" || argument == "-n=auto");
            if (short_form || argument.starts_with("--ranks=")) continue;
        }
        kept.emplace_back(argument);
    }
    return kept;
}

} // namespace

std::string this_executable() {
    char path[PATH_MAX] = {};
    ssize_t const length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) throw std::runtime_error("cannot find the path of this command in /proc/self/exe");
    return {path, static_cast<std::size_t>(length)};
}

int most_ranks() {
    if (first_set({"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID"})) return 0;
    return std::max(256, 64 * static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

bool is_first_launched() {
    char const* const rank = launched_rank();
    return rank == nullptr || std::strcmp(rank, "0") == 0;
}

bool take_relaunch_mark(int& argc, char** argv) {
    if (argc < 2 || !std::string_view(argv[1]).starts_with(relaunch_mark)) return false;
    tell_streams(std::string_view(argv[1]).substr(relaunch_mark.size()));
    for (int i = 1; i < argc; ++i) argv[i] = argv[i + 1]; // the null at the end too
    --argc;
    return true;
}

void continue_as_rank() {
    // Blocked before there is a child, so that no signal ends this process alone.
    sigset_t blocked = ending_signals();
    sigaddset(&blocked, SIGCHLD);
    sigset_t before;
    sigprocmask(SIG_BLOCK, &blocked, &before);
    pid_t const parent = getpid();
    pid_t const rank = fork();
    if (rank < 0) throw std::runtime_error(fmt::format("cannot start a rank: {}", std::strerror(errno)));
    if (rank > 0) _exit(outlive(rank));
    prctl(PR_SET_PDEATHSIG, SIGKILL); // the launcher may know the parent only
    if (getppid() != parent) _exit(128 + SIGKILL);
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

int relaunch_under_mpi(int ranks, int argc, char** argv) {
    std::vector<std::string> words{WEFT_MPIEXEC};
    std::string_view const library = mpi_library();
    if (library.starts_with("Open MPI")) {
        // Laptops have fewer cores than ranks asked for, and containers run as root; the launcher's own lines
        // about a failed rank would bury the one line of error that the command prints. It then also hides
        // that a rank was killed; continue_as_rank tells that.
        if (library < "Open MPI 5")
            words.insert(words.end(), {"--oversubscribe", "--quiet"});
        else // PRRTE, which has no --quiet
            words.insert(words.end(), {"--map-by", ":OVERSUBSCRIBE"});
        if (geteuid() == 0) words.emplace_back("--allow-run-as-root");
        if (ranks > static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)))
            words.insert(words.end(), {"--bind-to", "none"});
    }
    words.insert(words.end(), {WEFT_MPIEXEC_NUMPROC, std::to_string(ranks), this_executable(),
                                  std::string(relaunch_mark) + streams().word()});
    for (std::string& argument : without_ranks(argc, argv)) words.push_back(std::move(argument));

    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return relay_output_of([&] {
        execvp(arguments.front(), arguments.data());
        say_error(fmt::format(
            "cannot start {}: {}; start the command under the launcher of your MPI instead of with -n",
            words.front(), std::strerror(errno)));
    });
}

} // namespace weft::tool
