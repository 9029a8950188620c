#include "launch/standard_streams.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace weft::tool {

namespace {

standard_streams found() {
    standard_streams here;
    here.output_is_terminal = isatty(STDOUT_FILENO) != 0;
    here.error_is_terminal = isatty(STDERR_FILENO) != 0;
    for (int const stream : {STDOUT_FILENO, STDERR_FILENO})
        if (winsize size = {}; ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
            here.columns = size.ws_col;
    if (char const* const wanted = std::getenv("COLUMNS"); wanted != nullptr) {
        int columns = 0;
        std::from_chars(wanted, wanted + std::string_view(wanted).size(), columns);
        if (columns > 0) here.columns = columns;
    }
    return here;
}

std::string shown(std::string_view text, text_color color, bool terminal) {
    char const* const refused = std::getenv("NO_COLOR");
    bool const wanted =
        streams().color == color_when::always ||
        (streams().color == color_when::automatic && terminal && (refused == nullptr || *refused == '\0'));
    if (!wanted) return std::string(text);
    int const code = color == text_color::error ? 31 : color == text_color::warning ? 33 : 36;
    return fmt::format("\033[1;{}m{}\033[0m", code, text);
}

} // namespace

std::string standard_streams::word() const {
    return fmt::format("{:d}{:d}{}", output_is_terminal, error_is_terminal, columns);
}

standard_streams& streams() {
    static standard_streams known = found();
    return known;
}

void tell_streams(std::string_view word) {
    if (word.size() < 3) return;
    streams().output_is_terminal = word[0] == '1';
    streams().error_is_terminal = word[1] == '1';
    std::from_chars(word.data() + 2, word.data() + word.size(), streams().columns);
}

std::string on_error(std::string_view text, text_color color) {
    return shown(text, color, streams().error_is_terminal);
}

std::string on_output(std::string_view text, text_color color) {
    return shown(text, color, streams().output_is_terminal);
}

} // namespace weft::tool
