#include "rank_page.hpp"
#include "process_knobs.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <new>
#include <string_view>

namespace weft {

namespace {

/// One page per process, like the signals that request it.
std::atomic<rank_page*>& page_slot() noexcept {
    static std::atomic<rank_page*> slot{nullptr};
    return slot;
}

template <std::size_t Size>
void copy_text(std::array<char, Size>& to, std::string_view from) noexcept {
    std::size_t const length = std::min(from.size(), Size - 1);
    std::memcpy(to.data(), from.data(), length);
    to[length] = 0;
}

/// Sets the name that the launcher gives to the job; else the parent of this process, which the ranks of a
/// node share.
void name_job(std::array<char, 64>& job, int size) noexcept {
    for (char const* const variable : {"PMIX_NAMESPACE", "PMI_JOBID", "SLURM_JOB_ID"}) {
        char const* const value = std::getenv(variable);
        if (value == nullptr || *value == 0) continue;
        copy_text(job, value);
        return;
    }
    char text[32];
    // A program without a launcher may have unrelated sibling processes.
    std::snprintf(text, sizeof text, "%d", static_cast<int>(size == 1 ? getpid() : getppid()));
    copy_text(job, text);
}

void name_program(std::array<char, 64>& program) noexcept {
    char path[512];
    ssize_t const length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0) return;
    std::string_view const whole(path, static_cast<std::size_t>(length));
    copy_text(program, whole.substr(whole.find_last_of('/') + 1)); // npos + 1 is the beginning
}

} // namespace

std::int64_t monotonic_nanoseconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

rank_page* page_of_process() noexcept {
    return page_slot().load(std::memory_order_acquire);
}

void open_rank_page(int rank, int size) noexcept {
    static std::mutex making; // two threads may make their first root at the same time
    std::lock_guard const lock(making);
    if (!watching_in_process() || page_of_process() != nullptr) return;
    int const file = memfd_create(rank_page::memfd_name, MFD_CLOEXEC);
    if (file < 0) return;
    void* const mapped = ftruncate(file, sizeof(rank_page)) == 0
                             ? mmap(nullptr, sizeof(rank_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                             : MAP_FAILED;
    if (mapped == MAP_FAILED) {
        close(file);
        return;
    }
    // The file stays open, since others find the page through it; the process's end frees the memory.
    auto* const page = new (mapped) rank_page{};
    page->version = rank_page::right_version;
    page->pid = getpid();
    page->thread = static_cast<std::int32_t>(syscall(SYS_gettid));
    page->rank = rank;
    page->size = size;
    gethostname(page->host.data(), page->host.size() - 1);
    name_program(page->program);
    name_job(page->job, size);
    copy_text(page->known[0].text, "an operation");
    page->counts_taken[0] = 1;
    answer_roll_calls(*page);
    __atomic_store_n(&page->magic, rank_page::right_magic, __ATOMIC_RELEASE);
    page_slot().store(page, std::memory_order_release);
}

void close_rank_page() noexcept {
    if (rank_page* const page = page_of_process()) __atomic_store_n(&page->ended, 1U, __ATOMIC_RELAXED);
}

} // namespace weft
