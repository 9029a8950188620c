#include "process_knobs.hpp"

#include <mutex>
#include <utility>

namespace weft {

namespace {

/// Several threads may make roots at the same time.
struct guarded_text {
    std::mutex use;
    std::string text;
};

guarded_text& tools() {
    static guarded_text of_process;
    return of_process;
}

} // namespace

std::atomic<bool>& watching_in_process() noexcept {
    static std::atomic<bool> watching{true};
    return watching;
}

std::string tools_of_process() {
    std::lock_guard const lock(tools().use);
    return tools().text;
}

void set_tools_of_process(std::string files) {
    std::lock_guard const lock(tools().use);
    tools().text = std::move(files);
}

} // namespace weft
