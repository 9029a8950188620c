/// The cores that this process may use.
#pragma once

namespace weft::tool {

/// Returns the number of cores, at least 1: those of the machine, of which two threads count once, less those
/// that an affinity or the share of a control group leaves out.
[[nodiscard]] int usable_cores();

} // namespace weft::tool
