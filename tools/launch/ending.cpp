#include "launch/ending.hpp"

#include <files/partial_files.hpp>
#include <weft/core/environment.hpp>

#include <system_error>

#include <pthread.h>
#include <unistd.h>

namespace weft::tool {

namespace {

/// Wakes the thread at the end. None of the awaited ones: such a one may really come at that moment.
constexpr int wakes = SIGUSR2;

bool is_ignored(int number) {
    struct sigaction now = {};
    return sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace

ending_watch::ending_watch() {
    sigemptyset(&signals_);
    sigaddset(&signals_, wakes);
    for (int const number : {SIGINT, SIGTERM, SIGHUP})
        if (!is_ignored(number)) sigaddset(&signals_, number);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    try {
        waiting_ = std::thread([this] { wait(); });
    } catch (std::system_error const&) { // no room for a thread: signals end the process without it
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
}

ending_watch::~ending_watch() {
    if (!waiting_.joinable()) return;
    over_ = true;
    pthread_kill(waiting_.native_handle(), wakes);
    waiting_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void ending_watch::wait() {
    int number = 0;
    if (sigwait(&signals_, &number) != 0 || (number == wakes && over_)) return;
    weft::partial_files::of_process().remove_all();
    if (number == SIGINT && !launched_by_mpi()) (void)::write(STDERR_FILENO, "weft: interrupted\n", 18);
    std::signal(number, SIG_DFL);
    sigset_t only = {};
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    (void)raise(number);
}

} // namespace weft::tool
