/// The memory that there is. Private.
#pragma once

#include <string>

namespace weft {

/// Bytes that can still be taken.
struct memory_left {
    double of_node = 0;    ///< by all processes of this machine, or of the control group that this one is in
    double of_process = 0; ///< by this process, whose own limits count too
    double held = 0;       ///< by this process now
};
[[nodiscard]] memory_left memory_left_here();

/// "4.2 GB", in powers of 1000, up to any size.
[[nodiscard]] std::string memory_as_text(double bytes);

} // namespace weft
