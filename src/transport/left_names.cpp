#include "left_names.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <ctime>
#include <memory>
#include <string_view>

namespace weft {

namespace {

/// Returns the process in the name of a shared memory; 0 for other names.
pid_t maker_of(std::string_view name) noexcept {
    std::string_view const prefix = shared_name_prefix;
    if (!name.starts_with(prefix)) return 0;
    std::string_view const rest = name.substr(prefix.size());
    pid_t maker = 0;
    auto const [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), maker);
    bool const is_ours = failure == std::errc{} && end != rest.data() + rest.size() && *end == '-';
    return is_ours && maker > 0 ? maker : 0;
}

} // namespace

void sweep_left_names() noexcept {
    // Processes of another process namespace seem to be gone, too, but their names are young.
    constexpr time_t least_age = 60; // seconds
    std::unique_ptr<DIR, int (*)(DIR*)> const names(opendir("/dev/shm"), closedir);
    if (!names) return;
    while (dirent const* const each = readdir(names.get())) {
        pid_t const maker = maker_of(each->d_name);
        struct stat state {};
        if (maker == 0 || kill(maker, 0) == 0 || errno != ESRCH) continue;
        if (fstatat(dirfd(names.get()), each->d_name, &state, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISREG(state.st_mode) || state.st_size != 0 || time(nullptr) - state.st_mtime < least_age)
            continue;
        shm_unlink(each->d_name);
    }
}

} // namespace weft
