/// The knobs of a process, which are independent of communicators and so not in `settings`. Private.
#pragma once

#include <atomic>
#include <string>

namespace weft {

/// False if WEFT_WATCHING=off: roots and communicators made then show nothing. The page and the signals
/// belong to the process.
[[nodiscard]] std::atomic<bool>& watching_in_process() noexcept;

/// Returns the files of tools named by WEFT_TOOL. Read when the first root is made.
[[nodiscard]] std::string tools_of_process();
void set_tools_of_process(std::string files);

} // namespace weft
