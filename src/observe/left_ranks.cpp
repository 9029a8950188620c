#include "left_ranks.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace weft {

namespace {

constexpr std::chrono::seconds before_first_look(2); // most programs end sooner
constexpr std::chrono::seconds without_progress(3);
constexpr std::chrono::seconds between_looks(1);

/// Returns the CPU time of a process. A rank that only waits sleeps; one that transfers a long message uses
/// CPU time, although its page does not change.
double cpu_seconds(int pid) {
    std::FILE* const file = std::fopen(("/proc/" + std::to_string(pid) + "/stat").c_str(), "r");
    if (file == nullptr) return 0;
    std::array<char, 512> text{};
    std::size_t const length = std::fread(text.data(), 1, text.size() - 1, file);
    std::fclose(file);
    char const* at = text.data() + length;
    while (at != text.data() && *at != ')') --at; // after the name, which may have spaces
    unsigned long user = 0;
    unsigned long system = 0;
    if (std::sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return 0;
    return static_cast<double>(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

bool has_left(rank_state const& state) {
    return state.doing != rank_doing::computes &&
           (state.verb == leaving_operation || state.inner == leaving_operation);
}

} // namespace

bool left_ranks::find_pages() {
    rank_page const* const own = page_of_process();
    constexpr int most_searches = 3; // each one reads the folders of all processes
    if (own == nullptr || own->size == 1 || ++searches_ > most_searches) return false;
    for (shared_page& each : pages_on_this_node())
        if (each->job == own->job && each->size == own->size) pages_.push_back(std::move(each));
    bool const all = std::ssize(pages_) == own->size;
    if (!all) pages_.clear();
    return all;
}

std::string left_ranks::look() {
    clock::time_point const now = clock::now();
    if (now - began_ < before_first_look || now - looked_ < between_looks) return {};
    looked_ = now;
    if (pages_.empty() && !find_pages()) return {};
    std::vector<rank_mark> marks;
    std::vector<double> cpu;
    int lowest_that_left = -1;
    bool one_waits = false;
    bool can_get_on = false;
    for (shared_page const& page : pages_) {
        rank_state const state = read_state(*page);
        bool const left = has_left(state);
        if (left && lowest_that_left < 0) lowest_that_left = state.rank;
        // A rank that has left waits for all others, so its own waiting and work do not count.
        one_waits = one_waits || !left;
        can_get_on = can_get_on || (!left && (state.doing != rank_doing::waits || state.stopped));
        marks.push_back(left ? rank_mark() : rank_mark{state.operations, state.wait_began});
        cpu.push_back(left ? 0 : cpu_seconds(state.pid));
        __atomic_store_n(&page->wanted, 1U, __ATOMIC_RELAXED); // asks for its text, for the next look
    }
    double const passed = std::chrono::duration<double>(now - same_since_).count();
    constexpr double most_of_a_core = 0.25;
    bool works = false;
    for (std::size_t i = 0; i < cpu_.size(); ++i) works = works || cpu[i] - cpu_[i] > most_of_a_core * passed;
    if (can_get_on || !one_waits || works || marks != marks_) {
        marks_ = std::move(marks);
        cpu_ = std::move(cpu);
        same_since_ = now;
        return {};
    }
    rank_page const* const own = page_of_process();
    return now - same_since_ >= without_progress && own->rank == lowest_that_left ? text() : std::string();
}

std::string left_ranks::text() const {
    std::string left;
    std::string wait;
    int waiting = 0;
    for (shared_page const& page : pages_) {
        rank_state const state = read_state(*page);
        if (has_left(state)) {
            left += (left.empty() ? "" : ", ") + std::to_string(state.rank);
            continue;
        }
        constexpr int most_told = 4;
        if (++waiting > most_told) continue;
        wait += "; rank " + std::to_string(state.rank) + " waits in " + state.verb;
        if (!state.waits_for.empty())
            wait += " for " + state.waits_for.substr(0, state.waits_for.rfind("; "));
        if (waiting == most_told) wait += "; and so on";
    }
    bool const several = left.find(',') != std::string::npos;
    return (several ? "ranks " : "rank ") + left + (several ? " have" : " has") +
           " ended the program, and no other rank gets on without " + (several ? "them" : "it") + wait;
}

} // namespace weft
