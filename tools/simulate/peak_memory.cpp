#include "peak_memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include <malloc.h>
#include <sys/prctl.h>

namespace weft::tool {

namespace {

/// A line of the process's status, in bytes; 0 where there is no such line.
std::int64_t status_bytes(std::string const& name) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word != name + ":") continue;
        std::int64_t kibibytes = 0;
        status >> kibibytes;
        return kibibytes * 1024;
    }
    return 0;
}

} // namespace

peak_memory::peak_memory() {
    ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    restart();
}

void peak_memory::restart() {
    ::malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5; // the peak begins here
    before_ = status_bytes("VmRSS");
}

std::int64_t peak_memory::bytes() const {
    return std::max<std::int64_t>(0, status_bytes("VmHWM") - before_);
}

} // namespace weft::tool
