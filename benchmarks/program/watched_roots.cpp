#include "watched_roots.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/observe/activity.hpp>
#include <weft/observe/counters.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::tool {

chosen_root::chosen_root(MPI_Comm parent, bool watching) {
    constexpr char const* knob_name = "WEFT_WATCHING";
    char const* const before = std::getenv(knob_name);
    std::optional<std::string> const kept =
        before != nullptr ? std::optional<std::string>(before) : std::nullopt;
    setenv(knob_name, watching ? "on" : "off", 1);
    check_mpi(MPI_Comm_dup(parent, &parent_), "MPI_Comm_dup");
    made_.emplace(make_communicator(parent_));
    (void)activity_of(*made_); // which are made on first use
    (void)counters_of(*made_);
    if (kept)
        setenv(knob_name, kept->c_str(), 1);
    else
        unsetenv(knob_name);
}

chosen_root::~chosen_root() {
    made_.reset();
    MPI_Comm_free(&parent_);
}

watcher::watcher(bool starts, double seconds_between_looks) {
    if (!starts) return;
    std::string const program = std::filesystem::read_symlink("/proc/self/exe").replace_filename("weft");
    std::vector<std::string> words{program, "top", "--interval", std::to_string(seconds_between_looks)};
    std::vector<char*> arguments;
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    // Variables of the launcher would make a rank of this job of it.
    std::vector<std::string> kept;
    for (char const* const name : {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"})
        if (char const* const value = std::getenv(name)) kept.push_back(std::string(name) + "=" + value);
    std::vector<char*> variables;
    for (std::string& each : kept) variables.push_back(each.data());
    variables.push_back(nullptr);
    pid_ = vfork(); // the memory is that of this process until the other program begins
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // it may be stopped when this process is killed
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execve(program.c_str(), arguments.data(), variables.data());
        _exit(1);
    }
    if (pid_ < 0) throw error("cannot start " + program);
    sleep(2); // it has begun to look
    if (waitpid(pid_, nullptr, WNOHANG) != 0)
        throw error("cannot start " + program + " (build the target weft_command)");
    rest();
}

watcher::~watcher() {
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void watcher::look() const {
    if (pid_ != 0) kill(pid_, SIGCONT);
}

void watcher::rest() const {
    if (pid_ != 0) kill(pid_, SIGSTOP);
}

double watcher::processor_seconds() const {
    clockid_t of_process{};
    timespec used{};
    if (pid_ == 0 || clock_getcpuclockid(pid_, &of_process) != 0 || clock_gettime(of_process, &used) != 0)
        return 0;
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

page_of_two_kinds::page_of_two_kinds() : page_(page_of_process()), other_(page_of(getpid())) {
    if (page_ == nullptr || !other_) throw error("weft-bench watching: this process has no page");
}

/// The sampling thread may write while a copy is made; then a sample is lost.
void page_of_two_kinds::share(bool shared) {
    if (shared == is_shared_) return;
    is_shared_ = shared;
    void* moved = MAP_FAILED;
    if (shared) {
        std::memcpy(static_cast<void*>(other_.get()), static_cast<void const*>(page_), sizeof(rank_page));
        // An old length of 0 makes one more mapping of the same pages.
        moved = mremap(other_.get(), 0, sizeof(rank_page), MREMAP_MAYMOVE | MREMAP_FIXED, page_);
    } else {
        void* const own =
            mmap(nullptr, sizeof(rank_page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (own != MAP_FAILED) {
            std::memcpy(own, static_cast<void const*>(page_), sizeof(rank_page));
            moved = mremap(own, sizeof(rank_page), sizeof(rank_page), MREMAP_MAYMOVE | MREMAP_FIXED, page_);
        }
    }
    if (moved == MAP_FAILED) throw error("weft-bench watching: the page of this process cannot be mapped");
}

void page_of_two_kinds::seem_watched(bool watched) {
    page_->watched_at.store(watched ? monotonic_nanoseconds() : 0);
}

} // namespace weft::tool
