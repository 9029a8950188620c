#include "tool_files.hpp"

#include <core/process_knobs.hpp>

#include <weft/extend/observe/operation_listener.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

namespace {

using told_function = void (*)(char const* name, char const* within);

/// The two functions of a tool.
class tool_in_file final : public operation_listener {
public:
    tool_in_file(told_function begins, told_function ends) : begins_(begins), ends_(ends) {}
    void began(operation_event const& what) noexcept override { begins_(what.name, what.within); }
    void ended(operation_event const& what) noexcept override { ends_(what.name, what.within); }

private:
    told_function begins_;
    told_function ends_;
};

/// Frees what the C library keeps of a failure of dlopen or dlsym: the first dlerror returns its text, the
/// second frees it.
void forget_error_of_loader() noexcept {
    dlerror();
    dlerror();
}

told_function function_of(void* file, char const* name) noexcept {
    auto* const found = reinterpret_cast<told_function>(dlsym(file, name));
    if (found == nullptr) forget_error_of_loader();
    return found;
}

void complain(std::string const& file, char const* why) noexcept {
    std::fputs(("weft: WEFT_TOOL=" + file + ": " + why + "; the program goes on without this tool\n").c_str(),
        stderr);
}

void load(std::string const& name) {
    // A tool may be called for its results when the process ends, so it is never unloaded.
    static auto* const loaded = new std::deque<tool_in_file>;
    void* const file = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (file == nullptr) {
        complain(name, dlerror());
        return forget_error_of_loader();
    }
    told_function const begins = function_of(file, "weft_operation_began");
    told_function const ends = function_of(file, "weft_operation_ended");
    if (begins == nullptr || ends == nullptr)
        return complain(name, "expected the functions weft_operation_began and weft_operation_ended");
    listen_to_operations(loaded->emplace_back(begins, ends));
}

} // namespace

void load_tools() noexcept {
    static std::mutex loading;
    static std::vector<std::string> known;
    try {
        std::lock_guard const lock(loading);
        std::string const files = tools_of_process();
        for (std::string_view rest = files; !rest.empty();) {
            std::string const name(rest.substr(0, rest.find(',')));
            rest.remove_prefix(std::min(name.size() + 1, rest.size()));
            if (name.empty() || std::ranges::find(known, name) != known.end()) continue;
            known.push_back(name);
            load(name);
        }
    } catch (std::exception const& failure) { complain("...", failure.what()); }
}

} // namespace weft
