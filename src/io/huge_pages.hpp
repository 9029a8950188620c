/// Less time for the first touch of large memory.
#pragma once

#include <cstddef>

namespace weft::io {

/// Asks the system for huge pages: one fault for 2 MiB in place of 512. A hint; nothing depends on it.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

} // namespace weft::io
