/// The knobs of a process, which belong to no communicator and so are none of its `settings`. Private.
#pragma once

#include <atomic>
#include <string>

namespace weft {

/// False where WEFT_WATCHING=off: roots and communicators that are made then show nothing. The page and the
/// signals are those of the process.
[[nodiscard]] std::atomic<bool>& watching_in_process() noexcept;

/// The files of tools that WEFT_TOOL names. Read when the first root is made.
[[nodiscard]] std::string tools_of_process();
void set_tools_of_process(std::string files);

} // namespace weft
