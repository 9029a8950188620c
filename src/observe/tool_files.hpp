/// Tools in files of their own, which a program loads because WEFT_TOOL names them. Private.
#pragma once

namespace weft {

/// Loads those that are not loaded yet. Where a file cannot be loaded, standard error says so, and the
/// program goes on without it.
void load_tools() noexcept;

} // namespace weft
