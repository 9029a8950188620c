/// Where standard output and standard error lead: ranks that `weft -n` started write into pipes, and are told
/// what their reader writes to.
#pragma once

#include <string>
#include <string_view>

namespace weft::tool {

enum class color_when { automatic, always, never };
enum class text_color { error, warning, title };

/// The facts on the streams of the whole run.
struct standard_streams {
    bool output_is_terminal = false;
    bool error_is_terminal = false;
    int columns = 80;                         ///< of the terminal, or what COLUMNS says
    color_when color = color_when::automatic; ///< also the variable NO_COLOR counts where it is automatic

    /// Returns them as one word, for `tell_streams`.
    [[nodiscard]] std::string word() const;
};

/// Those of this process; looked at when they are first asked for, unless they were told before. One for the
/// process, as the streams are.
[[nodiscard]] standard_streams& streams();

/// Takes over what `standard_streams::word` of another process said.
void tell_streams(std::string_view word);

/// The text in a colour, where that stream shows some.
[[nodiscard]] std::string on_error(std::string_view text, text_color color);
[[nodiscard]] std::string on_output(std::string_view text, text_color color);

} // namespace weft::tool
