#include <tracing/small_letters.hpp>

#include <cstddef>

namespace weft {

namespace {

struct letter {
    char name;
    char const* rows[7];
};

constexpr letter letters[] = {
    {'0', {" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "}},
    {'1', {"  #  ", " ##  ", "# #  ", "  #  ", "  #  ", "  #  ", "#####"}},
    {'2', {" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"}},
    {'3', {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "}},
    {'4', {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "}},
    {'5', {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "}},
    {'6', {"  ## ", " #   ", "#    ", "#### ", "#   #", "#   #", " ### "}},
    {'7', {"#####", "    #", "   # ", "   # ", "  #  ", "  #  ", "  #  "}},
    {'8', {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "}},
    {'9', {" ### ", "#   #", "#   #", " ####", "    #", "   # ", " ##  "}},
    {'.', {"     ", "     ", "     ", "     ", "     ", " ##  ", " ##  "}},
    {'-', {"     ", "     ", "     ", " ### ", "     ", "     ", "     "}},
    {'+', {"     ", "  #  ", "  #  ", "#####", "  #  ", "  #  ", "     "}},
    {'s', {"     ", "     ", " ####", "#    ", " ### ", "    #", "#### "}},
    {'p', {"     ", "     ", "#### ", "#   #", "#### ", "#    ", "#    "}},
    {'e', {"     ", "     ", " ### ", "#   #", "#####", "#    ", " ### "}},
    {'d', {"    #", "    #", " ####", "#   #", "#   #", "#   #", " ####"}},
};

} // namespace

void write_small(line_canvas& canvas, float x, float y, std::string_view text, colour const& of) {
    constexpr float dot = 2;
    for (char const each : text) {
        for (letter const& known : letters) {
            if (known.name != each) continue;
            for (std::size_t row = 0; row < 7; ++row)
                for (std::size_t column = 0; column < 5; ++column)
                    if (known.rows[row][column] == '#')
                        canvas.fill(x + dot * static_cast<float>(column), y + dot * static_cast<float>(row),
                            dot, dot, of);
        }
        x += 6 * dot;
    }
}

} // namespace weft
