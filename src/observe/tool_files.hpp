/// Tools in shared libraries, which a program loads because WEFT_TOOL names them. Private.
#pragma once

namespace weft {

/// Loads the libraries that are not loaded yet. If one cannot be loaded, a line on standard error says so,
/// and the program continues without it.
void load_tools() noexcept;

} // namespace weft
