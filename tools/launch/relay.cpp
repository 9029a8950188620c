#include "launch/relay.hpp"

#include "report/speech.hpp"

#include <files/file_handle.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::tool {

namespace {

[[noreturn]] void give_up(char const* action) {
    throw std::runtime_error(fmt::format("cannot {}: {}", action, std::strerror(errno)));
}

/// Signals that ask for an end, less those that the caller ignores, as nohup does.
sigset_t relayed_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int const signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
        struct sigaction now = {};
        if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&signals, signal);
    }
    return signals;
}

/// True if all of it was written; `errno` tells the cause otherwise.
bool write_out(std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t const written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) { // another process made it so
            pollfd room = {STDOUT_FILENO, POLLOUT, 0};
            (void)::poll(&room, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/// Writes all that comes to standard output, until the program closes its own.
class output_relay {
public:
    output_relay(pid_t program, int from) : program_(program), from_(from) {}

    /// False at the end.
    bool step() {
        ssize_t const got = ::read(from_, piece_.data(), piece_.size());
        if (got < 0 && errno == EINTR) return true;
        if (got <= 0) return false;
        if (failed_) { // reads on, so that the program can end
            if (clock::now() > failed_at_ + patience) end_program();
            return true;
        }
        if (!write_out({piece_.data(), static_cast<std::size_t>(got)})) {
            failed_ = true;
            failed_at_ = clock::now();
            say_error(system_complaint("standard output", "write", errno));
        }
        return true;
    }

    /// How long to wait for more before `idle` is called, in milliseconds; -1: for ever.
    [[nodiscard]] int patience_now() const noexcept {
        return failed_ && !told_ ? static_cast<int>(patience.count()) : -1;
    }
    /// Nothing more has come, and the program goes on. MPICH's launcher complains at length of a signal while
    /// it waits for room in the pipe or when its processes have just left, so most programs end by
    /// themselves.
    void idle() {
        if (failed_) end_program();
    }

    [[nodiscard]] bool failed() const noexcept { return failed_; }

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds patience{2000};

    void end_program() {
        if (!told_) ::kill(program_, SIGTERM);
        told_ = true;
    }

    pid_t program_;
    int from_;
    bool failed_ = false;
    bool told_ = false; // to end
    clock::time_point failed_at_ = {};
    std::array<char, 1 << 16> piece_;
};

/// The words of this process when it was asked to end, as a shell names it.
void say_ending(int signal) {
    std::fprintf(stderr, signal == SIGINT ? "weft: interrupted\n" : "weft: ended by signal %d (%s)\n", signal,
        strsignal(signal));
}

int exit_code_of(pid_t program) {
    int status = 0;
    while (::waitpid(program, &status, 0) < 0)
        if (errno != EINTR) give_up("wait for the launcher");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); // as a shell says it
}

} // namespace

int relay_output_of(std::function<void()> const& start) {
    std::array<int, 2> ends = {};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) give_up("make a pipe");
    sigset_t const signals = relayed_signals();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &signals, &before); // so that none ends this process alone
    int const arrivals = ::signalfd(-1, &signals, SFD_CLOEXEC);
    if (arrivals < 0) give_up("wait for signals");
    pid_t const parent = getpid();
    pid_t const program = fork();
    if (program < 0) give_up("start a process");
    if (program == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) _exit(1);
        ::dup2(ends[1], STDOUT_FILENO);
        sigprocmask(SIG_SETMASK, &before, nullptr);
        start();
        _exit(1);
    }
    ::close(ends[1]);
    (void)std::signal(SIGPIPE, SIG_IGN); // a reader that has left is an error like others
    output_relay relay(program, ends[0]);
    int asked_to_end = 0;
    std::array<pollfd, 2> awaited = {{{ends[0], POLLIN, 0}, {arrivals, POLLIN, 0}}};
    while (true) {
        int const ready = ::poll(awaited.data(), awaited.size(), relay.patience_now());
        if (ready < 0) continue;
        if (ready == 0) {
            relay.idle();
            continue;
        }
        signalfd_siginfo arrived = {};
        if (awaited[1].revents != 0 && ::read(arrivals, &arrived, sizeof arrived) == sizeof arrived) {
            asked_to_end = static_cast<int>(arrived.ssi_signo);
            if (arrived.ssi_code != SI_KERNEL) ::kill(program, asked_to_end);
        } else if (awaited[0].revents != 0 && !relay.step()) {
            break;
        }
    }
    int const code = exit_code_of(program);
    if (relay.failed()) return 1;
    if (code == 0 || asked_to_end == 0 || asked_to_end == SIGUSR1 || asked_to_end == SIGUSR2) return code;
    say_ending(asked_to_end);
    return 128 + asked_to_end; // as a shell says it
}

} // namespace weft::tool
