#include "memory_left.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace weft {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// Returns the number after a name at the beginning of a line; infinity if there is none.
double number_behind(std::string const& name, char const* file) {
    std::ifstream from(file);
    std::string line;
    while (std::getline(from, line)) {
        std::istringstream words(line);
        std::string first;
        double number = 0;
        if (words >> first && first == name && words >> number) return number;
    }
    return endless;
}

/// Returns the number that a file consists of; infinity for "max" or a missing file.
double number_in(std::string const& file) {
    std::ifstream from(file);
    double number = 0;
    return from >> number ? number : endless;
}

/// Returns the bytes that the control group of this process may still allocate; its page cache counts as
/// free.
double left_of_group() {
    std::ifstream groups("/proc/self/cgroup");
    double left = endless;
    for (std::string line; std::getline(groups, line);) {
        if (!line.starts_with("0::")) continue;
        for (std::string const& folder : {"/sys/fs/cgroup" + line.substr(3), std::string("/sys/fs/cgroup")}) {
            double const most = number_in(folder + "/memory.max");
            double const held = number_in(folder + "/memory.current");
            if (most == endless || held == endless) continue;
            double const cached = number_behind("file", (folder + "/memory.stat").c_str());
            left = std::min(left, most - held + (cached == endless ? 0 : cached));
        }
    }
    double const most = number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    double const held = number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes");
    double const cached = number_behind("total_cache", "/sys/fs/cgroup/memory/memory.stat");
    if (most != endless && held != endless)
        left = std::min(left, most - held + (cached == endless ? 0 : cached));
    return std::max(left, 0.0);
}

} // namespace

memory_left memory_left_here() {
    auto const page = static_cast<double>(::sysconf(_SC_PAGE_SIZE));
    memory_left found;
    double const available = 1024 * number_behind("MemAvailable:", "/proc/meminfo");
    double const whole = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * page;
    found.of_node = std::min(available == endless ? whole : available, left_of_group());
    double mapped = 0;
    double resident = 0;
    std::ifstream("/proc/self/statm") >> mapped >> resident;
    found.held = resident * page;
    found.of_process = found.of_node;
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        found.of_process = std::min(found.of_process, static_cast<double>(limit.rlim_cur) - mapped * page);
    if (::getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        found.of_process = std::min(found.of_process, static_cast<double>(limit.rlim_cur) - found.held);
    found.of_process = std::max(found.of_process, 0.0);
    return found;
}

std::string memory_as_text(double bytes) {
    constexpr char const* units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < std::size(units); ++unit) bytes /= 1000;
    char text[64];
    std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
    return text;
}

} // namespace weft
