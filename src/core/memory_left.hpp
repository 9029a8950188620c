/// The available memory. Private.
#pragma once

#include <string>

namespace weft {

/// Bytes that can still be allocated.
struct memory_left {
    double of_node = 0;    ///< by all processes of this machine, or of this process's control group
    double of_process = 0; ///< by this process, within its own limits
    double held = 0;       ///< in use by this process now
};
[[nodiscard]] memory_left memory_left_here();

/// Returns "4.2 GB", in powers of 1000, for any size.
[[nodiscard]] std::string memory_as_text(double bytes);

} // namespace weft
