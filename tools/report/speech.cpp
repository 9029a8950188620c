#include "report/speech.hpp"

#include "launch/standard_streams.hpp"

#include <files/file_handle.hpp>

#include <weft/core/error.hpp>

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace weft::tool {

void occupy_standard_streams() {
    for (int const standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(standard, F_GETFD) >= 0) continue;
        // The lowest free number is this one. It is open the wrong way round: its use fails, as it should.
        (void)::open("/dev/null", standard == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void say_error(std::string const& text) noexcept {
    std::fprintf(stderr, "weft: %s %s\n", on_error("error:", text_color::error).c_str(), text.c_str());
}

void say_warning(std::string const& text) noexcept {
    std::fprintf(stderr, "weft: %s %s\n", on_error("warning:", text_color::warning).c_str(), text.c_str());
}

void print(std::string const& text) {
    if (std::fputs(text.c_str(), stdout) < 0)
        throw io_error(system_complaint("standard output", "write", errno));
}

void finish_standard_output() {
    if (std::fflush(stdout) != 0) throw io_error(system_complaint("standard output", "write", errno));
    if (std::ferror(stdout) != 0) throw io_error("standard output: cannot write all of it");
}

} // namespace weft::tool
