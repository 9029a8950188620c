#include "launch/usable_cores.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <set>
#include <string>
#include <utility>

namespace weft::tool {

namespace {

/// The processors that the scheduler may give to this process, those of one core once.
int cores_of_affinity() {
    constexpr int most = 8192;
    cpu_set_t* const allowed = CPU_ALLOC(most);
    std::size_t const bytes = CPU_ALLOC_SIZE(most);
    if (allowed == nullptr || ::sched_getaffinity(0, bytes, allowed) != 0) {
        if (allowed != nullptr) CPU_FREE(allowed);
        return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
    }
    std::set<std::pair<int, int>> cores; // by socket and core
    int unknown = 0;                     // where the kernel does not tell
    for (int i = 0; i < most; ++i) {
        if (!CPU_ISSET_S(static_cast<std::size_t>(i), bytes, allowed)) continue;
        std::string const folder = "/sys/devices/system/cpu/cpu" + std::to_string(i) + "/topology/";
        int socket = 0;
        int core = 0;
        if (std::ifstream(folder + "physical_package_id") >> socket &&
            std::ifstream(folder + "core_id") >> core)
            cores.emplace(socket, core);
        else
            ++unknown;
    }
    CPU_FREE(allowed);
    return static_cast<int>(cores.size()) + unknown;
}

/// The cores that the control group's share of time is worth; `all` where it has no limit.
int cores_of_group(int all) {
    std::ifstream groups("/proc/self/cgroup");
    int least = all;
    for (std::string line; std::getline(groups, line);) {
        if (!line.starts_with("0::")) continue;
        for (std::string const& folder : {"/sys/fs/cgroup" + line.substr(3), std::string("/sys/fs/cgroup")}) {
            double quota = 0; // the file says "max" where there is no limit
            double period = 0;
            if (std::ifstream(folder + "/cpu.max") >> quota >> period && period > 0)
                least = std::min(least, static_cast<int>(std::ceil(quota / period)));
        }
    }
    return least;
}

} // namespace

int usable_cores() {
    return std::max(1, cores_of_group(cores_of_affinity()));
}

} // namespace weft::tool
