#include "program.hpp"

#include "launch.hpp"
#include "speech.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>

namespace weft::tool {

int continue_with_everything(char** argv) {
    try {
        std::filesystem::path const here = std::filesystem::path(this_executable()).parent_path();
        execv((here / "weft-full").c_str(), argv);
        std::filesystem::path const installed = (here / WEFT_FULL_FROM_BIN).lexically_normal();
        execv(installed.c_str(), argv);
        say_error(fmt::format("cannot start {}, which belongs to this command: {}; install Weft again",
            installed.string(), std::strerror(errno)));
    } catch (std::exception const& caught) { say_error(caught.what()); }
    return 1;
}

} // namespace weft::tool
