#include <harness/watchdog.hpp>

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <utility>

namespace weft_test {

namespace {

/// The time between one rank's line and the end of its process, in which the others print theirs.
constexpr auto courtesy = std::chrono::seconds(3);
constexpr int exit_status = 86;

sigset_t just_sigterm() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    return set;
}

double seconds_since(watchdog::clock::time_point then) {
    return std::chrono::duration<double>(watchdog::clock::now() - then).count();
}

} // namespace

watchdog::watchdog(std::chrono::duration<double> limit) : limit_(limit) {
    if (limit.count() <= 0) return;
    sigset_t const set = just_sigterm();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    thread_ = std::jthread([this](std::stop_token const& stop) { run(stop); });
}

watchdog::~watchdog() = default;

void watchdog::set_rank(int rank, int size) {
    std::lock_guard const lock(mutex_);
    rank_ = rank;
    size_ = size;
}

void watchdog::set_default_source(std::function<place()> source) {
    std::lock_guard const lock(mutex_);
    default_source_ = source;
    source_ = std::move(source);
}

void watchdog::set_source(std::function<place()> source) {
    std::lock_guard const lock(mutex_);
    source_ = std::move(source);
}

void watchdog::begin_test(std::string name) {
    std::lock_guard const lock(mutex_);
    test_ = std::move(name);
    test_began_ = operation_began_ = advanced_ = clock::now();
}

void watchdog::end_test() {
    std::lock_guard const lock(mutex_);
    test_.clear();
    phase_ = nullptr;
    source_ = default_source_;
}

void watchdog::set_phase(char const* phase) {
    std::lock_guard const lock(mutex_);
    phase_ = phase;
}

bool watchdog::overdue() const {
    return !test_.empty() && clock::now() - test_began_ > limit_;
}

void watchdog::run(std::stop_token const& stop) {
    sigset_t const set = just_sigterm();
    timespec const period{0, 100'000'000};
    while (!stop.stop_requested()) {
        bool const told_to_end = sigtimedwait(&set, nullptr, &period) == SIGTERM;
        std::lock_guard const lock(mutex_);
        look_around();
        if (told_to_end) {
            report("told to end");
            _exit(exit_status);
        }
        if (overdue()) {
            report("time is up");
            std::this_thread::sleep_for(courtesy);
            _exit(exit_status);
        }
    }
}

void watchdog::look_around() {
    place now = phase_ != nullptr ? place{phase_, 0} : source_ ? source_() : place{"start", 0};
    bool const moved = now.operation != last_.operation;
    if (moved) operation_began_ = clock::now();
    if (moved || now.advances != last_.advances) advanced_ = clock::now();
    last_ = std::move(now);
}

void watchdog::report(char const* why) {
    char line[512];
    int const length = std::snprintf(line, sizeof line,
        "rank %d of %d: test %s: in %s for %.1f s, no progress for %.1f s (%s)\n", rank_, size_,
        test_.empty() ? "(none)" : test_.c_str(), last_.operation.c_str(), seconds_since(operation_began_),
        seconds_since(advanced_), why);
    if (length > 0) (void)!write(STDERR_FILENO, line, std::min<std::size_t>(length, sizeof line - 1));
}

} // namespace weft_test
