#include "roll_call.hpp"
#include "call_sites.hpp"
#include "shown_activity.hpp"

#include <weft/observe/timeline.hpp>

#include <execinfo.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <thread>
#include <utility>

namespace weft {

namespace {

/// The state that the signal handlers share with the helper thread.
struct answering {
    rank_page* page = nullptr;
    sem_t woken{};
    std::atomic<std::uint32_t> seen{0}; // the last question the handler has answered
    std::atomic<bool> calls{false};     // a user has asked for a roll call
    std::atomic<place_in_interpreter> interpreter{nullptr};
    void (*handler_of_mpi)(int) = nullptr; // for SIGUSR1
    pthread_t helper{};
};

/// Returns the state of this process, which signals need.
answering& here() noexcept {
    static answering of_process;
    return of_process;
}

/// Returns a signal that few programs use. Its default action ends a process, so it is sent only to those
/// whose page says that they handle it.
int asking_signal() noexcept {
    return SIGRTMAX - 5;
}

void note_frames(rank_page& page) noexcept {
    std::array<void*, rank_page::frame_count> frames;
    int const count = backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int i = 0; i < count; ++i)
        page.frame[static_cast<std::size_t>(i)] =
            reinterpret_cast<std::uint64_t>(frames[static_cast<std::size_t>(i)]);
    __atomic_store_n(&page.frames, static_cast<std::uint32_t>(count), __ATOMIC_RELEASE);
}

void on_question(int) {
    int const kept = errno;
    answering& mine = here();
    std::uint32_t const question = mine.page->asked.load();
    note_frames(*mine.page);
    mine.seen.store(question);
    if (mine.interpreter.load() == nullptr)
        mine.page->answered.store(question);
    else
        sem_post(&mine.woken);
    errno = kept;
}

void on_call(int signal) {
    int const kept = errno;
    if (here().handler_of_mpi != nullptr) here().handler_of_mpi(signal);
    here().calls.store(true);
    sem_post(&here().woken);
    errno = kept;
}

/// Does the part of an answer that a signal handler must not do.
void answer_for_interpreter() {
    answering& mine = here();
    if (place_in_interpreter const ask = mine.interpreter.load()) {
        std::uint32_t const question = mine.seen.load();
        std::string const place = ask();
        std::size_t const length = std::min(place.size(), mine.page->place.size() - 1);
        std::memcpy(mine.page->place.data(), place.data(), length);
        mine.page->place[length] = 0;
        mine.page->answered.store(question);
    }
}

/// Sleeps until a handler wakes this thread, or the next sample is due.
void sleep_until_sample() noexcept {
    constexpr std::int64_t usual = 100'000'000; // nanoseconds
    constexpr std::int64_t watched = 20'000'000;
    constexpr std::int64_t attention = 5'000'000'000;
    constexpr std::int64_t second = 1'000'000'000;
    bool const dense = monotonic_nanoseconds() - here().page->watched_at.load() < attention;
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    std::int64_t const end = until.tv_nsec + (dense ? watched : usual);
    until.tv_sec += end / second;
    until.tv_nsec = end % second;
    (void)sem_timedwait(&here().woken, &until);
}

void* answer_for_ever(void*) {
    answering& mine = here();
    while (true) {
        sleep_until_sample();
        sample_lanes(*mine.page);
        if (mine.page->answered.load() != mine.seen.load()) answer_for_interpreter();
        if (!mine.calls.exchange(false)) continue;
        std::string const sentence = call_roll(0);
        if (!sentence.empty()) std::fputs(("weft: " + sentence + "\n").c_str(), stderr);
    }
}

bool start_thread() noexcept {
    // The thread blocks all signals, which are for threads of the program.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    constexpr std::size_t stack = std::size_t{512} << 10;
    pthread_attr_setstacksize(&how, stack);
    bool const runs = pthread_create(&here().helper, &how, answer_for_ever, nullptr) == 0;
    pthread_attr_destroy(&how);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return runs;
}

/// Installs a handler, unless the program or its launcher has one. MPICH has a handler for SIGUSR1, which
/// tells it about failed ranks; that one is replaced, and called first.
bool listen_to(int signal, void (*handler)(int)) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0) return false;
    if (now.sa_handler != SIG_DFL) {
        bool const is_plain = (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler != SIG_IGN;
        if (signal != SIGUSR1 || !is_plain || !is_in_mpi(reinterpret_cast<void const*>(now.sa_handler)))
            return false;
        here().handler_of_mpi = now.sa_handler;
    }
    struct sigaction wanted {};
    wanted.sa_handler = handler;
    wanted.sa_flags = SA_RESTART | SA_ONSTACK;
    sigfillset(&wanted.sa_mask);
    return sigaction(signal, &wanted, nullptr) == 0;
}

std::string seconds_text(double seconds) {
    std::array<char, 32> text;
    if (seconds < 1)
        std::snprintf(text.data(), text.size(), "%.1f s", seconds);
    else
        std::snprintf(text.data(), text.size(), "%.0f s", seconds);
    return text.data();
}

/// Returns "1, 3 to 5 and 7"; only the first ranks of many.
std::string list_of(std::vector<int> const& ranks) {
    std::vector<std::pair<int, int>> runs;
    for (int const each : ranks) {
        if (!runs.empty() && runs.back().second == each - 1)
            runs.back().second = each;
        else
            runs.emplace_back(each, each);
    }
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i == most) return text + ", ...";
        if (i > 0) text += i + 1 == runs.size() ? " and " : ", ";
        auto const [first, last] = runs[i];
        text += std::to_string(first);
        if (last > first) text += (last == first + 1 ? " and " : " to ") + std::to_string(last);
    }
    return text;
}

/// Ranks that share a phrase, except for its duration.
struct group {
    rank_state const* like;
    std::string place;
    std::vector<int> ranks;
    double longest;
};

std::string in_operation(rank_state const& state) {
    return state.verb + (state.inner.empty() ? "" : " (" + state.inner + ")");
}

std::string phrase_of(group const& all) {
    bool const one = all.ranks.size() == 1;
    rank_state const& state = *all.like;
    std::string const at = all.place.empty() ? "" : " at " + all.place;
    std::string const last =
        state.verb.empty() ? "before its first Weft call"
                           : "last Weft call " + state.verb + " (" + seconds_text(all.longest) + " ago)";
    bool const in_user_code = state.doing == rank_doing::computes;
    if (state.stopped)
        return std::string(one ? "is" : "are") + " stopped by a signal, " +
               (in_user_code ? "in user code, " + last
                             : "in " + in_operation(state) + " (for " + seconds_text(all.longest) + ")");
    if (in_user_code) return std::string(one ? "is" : "are") + " in user code" + at + ", " + last;
    bool const waits = state.doing == rank_doing::waits;
    std::string const verb = waits ? (one ? "waits" : "wait") : (one ? "works" : "work");
    return verb + " in " + in_operation(state) + at + " (for " + seconds_text(all.longest) + ")";
}

} // namespace

void answer_roll_calls(rank_page& page) noexcept {
    answering& mine = here();
    mine.page = &page;
    page.ticks_at_start = timeline::ticks();
    page.nanoseconds_at_start = monotonic_nanoseconds();
    if (sem_init(&mine.woken, 0, 0) != 0 || !start_thread()) return;
    std::array<void*, 4> frames;
    (void)backtrace(frames.data(), static_cast<int>(frames.size())); // the first call loads a library
    if (listen_to(asking_signal(), on_question)) page.answers = static_cast<std::uint32_t>(asking_signal());
    (void)listen_to(SIGUSR1, on_call);
}

void ask_interpreter(place_in_interpreter place) noexcept {
    here().interpreter.store(place);
}

std::vector<called_rank> call_ranks(std::vector<shared_page> const& pages) {
    constexpr auto patience = std::chrono::milliseconds(700);
    std::vector<std::optional<std::uint32_t>> questions;
    std::vector<called_rank> ranks;
    for (shared_page const& each : pages) {
        // The state is read before the question, since the answer interrupts a wait for a moment.
        ranks.push_back({read_state(*each), {}});
        questions.emplace_back();
        if (each->answers == 0 || ranks.back().state.stopped) continue;
        std::uint32_t const question = each->asked.fetch_add(1) + 1;
        if (syscall(SYS_tgkill, each->pid, each->thread, static_cast<int>(each->answers)) == 0)
            questions.back() = question;
    }
    bool const am_helper = pthread_equal(pthread_self(), here().helper) != 0;
    auto const has_answered = [&](std::size_t i) {
        return !questions[i] || static_cast<std::int32_t>(pages[i]->answered.load() - *questions[i]) >= 0;
    };
    auto const until = std::chrono::steady_clock::now() + patience;
    for (std::size_t i = 0; i < pages.size(); ++i)
        while (!has_answered(i) && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (am_helper && pages[i]->pid == getpid()) answer_for_interpreter(); // this is the helper
        }
    std::vector<stack_of_process> stacks(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        if (!questions[i] || !has_answered(i)) continue;
        rank_page const& page = *pages[i];
        ranks[i].place = std::string(page.place.data(), strnlen(page.place.data(), page.place.size()));
        if (!ranks[i].place.empty()) continue;
        std::size_t const count =
            std::min<std::size_t>(__atomic_load_n(&page.frames, __ATOMIC_ACQUIRE), page.frame.size());
        stacks[i] = {page.pid, {page.frame.begin(), page.frame.begin() + static_cast<std::ptrdiff_t>(count)}};
    }
    std::vector<std::string> const places = places_of(stacks);
    for (std::size_t i = 0; i < pages.size(); ++i)
        if (ranks[i].place.empty()) ranks[i].place = places[i];
    return ranks;
}

std::string sentence_of(std::vector<called_rank> const& ranks) {
    if (ranks.empty()) return {};
    std::vector<group> groups;
    for (called_rank const& each : ranks) {
        rank_state const& state = each.state;
        auto const found = std::ranges::find_if(groups, [&](group const& other) {
            return other.place == each.place && other.like->stopped == state.stopped &&
                   other.like->doing == state.doing && other.like->verb == state.verb &&
                   other.like->inner == state.inner;
        });
        if (found == groups.end()) {
            groups.push_back({&state, each.place, {state.rank}, state.since});
            continue;
        }
        found->ranks.push_back(state.rank);
        found->longest = std::max(found->longest, state.since);
    }
    std::ranges::stable_sort(
        groups, std::ranges::greater(), [](group const& each) { return each.ranks.size(); });
    auto const size = static_cast<std::size_t>(ranks.front().state.size);
    std::string text;
    for (group const& each : groups) {
        std::size_t const count = each.ranks.size();
        if (!text.empty())
            text += std::string(count == 1 ? "; rank " : "; ranks ") + list_of(each.ranks) + " ";
        else if (count == 1)
            text += "rank " + std::to_string(each.ranks.front()) + " of " + std::to_string(size) + " ";
        else
            text += std::to_string(count) + " of " + std::to_string(size) + " ranks ";
        text += phrase_of(each);
    }
    if (ranks.size() >= size) return text;
    std::size_t const away = size - ranks.size();
    return text + "; " + std::to_string(away) + (away == 1 ? " rank is" : " ranks are") +
           " on other hosts, or have ended";
}

std::string call_roll(double seconds) {
    rank_page* const mine = page_of_process();
    if (mine == nullptr) return {};
    std::vector<shared_page> pages = pages_on_this_node();
    std::erase_if(
        pages, [&](shared_page const& each) { return each->job != mine->job || each->size != mine->size; });
    if (pages.empty()) return {};
    // Only one rank makes the call: the page of the lowest rank has the time of the last one.
    constexpr double least = 0.5;
    auto const pause = static_cast<std::int64_t>(1e9 * std::max(least, seconds / 2));
    std::int64_t const now = monotonic_nanoseconds();
    std::int64_t before = pages.front()->called.load();
    if (before != 0 && now - before < pause) return {};
    if (!pages.front()->called.compare_exchange_strong(before, now)) return {};
    return sentence_of(call_ranks(pages));
}

} // namespace weft
