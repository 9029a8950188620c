#include "job_pages.hpp"

#include <weft/observe/counters.hpp>
#include <weft/observe/timeline.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace weft {

namespace {

template <class T>
T get(T const& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_RELAXED);
}

template <std::size_t Size>
std::string text_in(std::array<char, Size> const& from) {
    return std::string(from.data(), strnlen(from.data(), Size));
}

class folder {
public:
    explicit folder(std::string const& path) : open_(opendir(path.c_str())) {}
    ~folder() {
        if (open_ != nullptr) closedir(open_);
    }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    /// Returns the next name that is a number.
    std::optional<int> next() {
        while (dirent const* const entry = open_ != nullptr ? readdir(open_) : nullptr) {
            std::string_view const name = entry->d_name;
            int number = 0;
            auto const [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), number);
            if (wrong == std::errc() && end == name.data() + name.size()) return number;
        }
        return std::nullopt;
    }

private:
    DIR* open_;
};

shared_page map_page(std::string const& path, int pid) {
    int const file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return nullptr;
    struct stat facts {};
    void* mapped = MAP_FAILED;
    if (fstat(file, &facts) == 0 && facts.st_size == static_cast<off_t>(sizeof(rank_page)))
        mapped = mmap(nullptr, sizeof(rank_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return nullptr;
    shared_page page(static_cast<rank_page*>(mapped), [](rank_page* old) { munmap(old, sizeof(rank_page)); });
    bool const right = __atomic_load_n(&page->magic, __ATOMIC_ACQUIRE) == rank_page::right_magic &&
                       page->version == rank_page::right_version;
    // A forked process has the page of its parent.
    return right && page->pid == pid && get(page->ended) == 0 ? page : nullptr;
}

std::string name_at(rank_page const& page, std::uint32_t place) {
    return text_in(page.known[place % rank_page::name_count].text);
}

/// Returns true if a signal or a debugger has stopped the process.
bool is_stopped(int pid) {
    std::FILE* const file = std::fopen(("/proc/" + std::to_string(pid) + "/stat").c_str(), "r");
    if (file == nullptr) return false;
    char text[512] = {};
    std::size_t const length = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    std::string_view const line(text, length);
    std::size_t const name_ends = line.rfind(") ");
    if (name_ends == std::string_view::npos || name_ends + 2 >= line.size()) return false;
    char const state = line[name_ends + 2];
    return state == 'T' || state == 't';
}

void read_wait_text(rank_page const& page, std::string& into) {
    for (int tries = 0; tries < 3; ++tries) {
        std::uint32_t const before = __atomic_load_n(&page.told, __ATOMIC_ACQUIRE);
        if (before == 0) return;
        std::string const text = text_in(page.wait_text);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (before % 2 != 0 || __atomic_load_n(&page.told, __ATOMIC_RELAXED) != before) continue;
        into = text;
        return;
    }
}

/// Returns the page of a process, and its file in `file`.
shared_page page_below(int pid, std::string& file) {
    std::string const path = "/proc/" + std::to_string(pid) + "/fd";
    folder files(path);
    std::string const wanted = std::string("/memfd:") + rank_page::memfd_name;
    while (std::optional<int> const each = files.next()) {
        file = path + "/" + std::to_string(*each);
        char target[64];
        ssize_t const length = readlink(file.c_str(), target, sizeof target);
        if (length <= 0 || !std::string_view(target, static_cast<std::size_t>(length)).starts_with(wanted))
            continue;
        if (shared_page page = map_page(file, pid)) return page;
    }
    return nullptr;
}

std::uint64_t number_of_file(std::string const& path) noexcept {
    struct stat facts {};
    return stat(path.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

} // namespace

shared_page page_of(int pid) {
    std::string ignored;
    return page_below(pid, ignored);
}

std::vector<shared_page> pages_on_this_node() {
    return page_finder().look();
}

std::vector<shared_page> page_finder::look() {
    constexpr unsigned looks_between_questions = 10;
    std::map<int, page_in_file> now;
    folder processes("/proc");
    while (std::optional<int> const pid = processes.next()) {
        auto const found = known_.find(*pid);
        bool const is_known = found != known_.end();
        if (is_known && found->second.page != nullptr && get(found->second.page->ended) == 0 &&
            number_of_file(found->second.path) == found->second.file) {
            now.insert(known_.extract(found));
            continue;
        }
        page_in_file made;
        if (is_known && found->second.page == nullptr) made.looks = found->second.looks + 1;
        // A process makes its page soon after it begins, or not at all, so later searches are rare.
        if (std::has_single_bit(made.looks) || made.looks % looks_between_questions == 0)
            made.page = page_below(*pid, made.path);
        if (made.page != nullptr) made.file = number_of_file(made.path);
        now.emplace(*pid, std::move(made));
    }
    known_ = std::move(now);
    std::vector<shared_page> pages;
    for (auto const& [pid, each] : known_)
        if (each.page != nullptr) pages.push_back(each.page);
    std::ranges::sort(pages, {},
        [](shared_page const& each) { return std::tuple(text_in(each->job), each->rank, each->pid); });
    return pages;
}

rank_state read_state(rank_page const& page) {
    rank_state state;
    state.pid = page.pid;
    state.rank = page.rank;
    state.size = page.size;
    state.job = text_in(page.job);
    state.host = text_in(page.host);
    state.program = text_in(page.program);
    state.stopped = is_stopped(page.pid);
    std::int64_t const now = timeline::ticks();
    std::int64_t const nanoseconds = monotonic_nanoseconds() - page.nanoseconds_at_start;
    double const seconds_a_tick = 1e-9 * static_cast<double>(nanoseconds) /
                                  static_cast<double>(std::max<std::int64_t>(now - page.ticks_at_start, 1));
    auto const seconds = [&](std::int64_t ticks) {
        return seconds_a_tick * static_cast<double>(std::max<std::int64_t>(ticks, 0));
    };
    state.age = 1e-9 * static_cast<double>(nanoseconds);
    activity_lane const* latest = nullptr;
    bool latest_is_open = false;
    for (activity_lane const& each : page.lanes) {
        std::int64_t const since = get(each.since);
        if (since == 0) continue; // a lane never taken
        std::uint64_t const operations = get(each.operations);
        bool const open = is_open(operations);
        state.communicated += seconds(get(each.in_operations));
        state.waited += seconds(get(each.waited));
        state.operations += begun_of(operations);
        state.items_sent += get(each.items_sent);
        state.items_handled += get(each.items_handled);
        bool const better = latest == nullptr || (open && !latest_is_open) ||
                            (open == latest_is_open && since > get(latest->since));
        if (!better) continue;
        latest = &each;
        latest_is_open = open;
    }
    // Waits are parts of operations. Times of a rank with several threads may add up to more than its age.
    state.communicated = std::max(0.0, state.communicated - state.waited);
    if (latest != nullptr) {
        std::uint32_t const outer = get(latest->outer);
        std::uint32_t const inner = get(latest->inner);
        std::int64_t const wait_since = get(latest->wait_since);
        if (begun_of(get(latest->operations)) > 0) state.verb = name_at(page, outer);
        if (latest_is_open && inner != 0 && inner != outer) state.inner = name_at(page, inner);
        state.since = seconds(now - get(latest->since));
        if (latest_is_open) state.doing = wait_since != 0 ? rank_doing::waits : rank_doing::communicates;
        if (wait_since != 0) {
            state.wait_began = wait_since;
            state.waits_since = seconds(now - wait_since);
            // An earlier text describes an earlier wait.
            if (get(page.wait_told_at) > wait_since) read_wait_text(page, state.waits_for);
        }
    }
    for (std::size_t slot = 0; slot < rank_page::count_slots; ++slot) {
        if (get(page.counts_taken[slot]) == 0) continue;
        counters copy;
        std::memcpy(static_cast<void*>(&copy), page.counts[slot].data(), sizeof copy);
        state.messages += copy.messages + copy.shared_buffers;
        state.bytes += copy.bytes + copy.shared_bytes;
    }
    return state;
}

} // namespace weft
