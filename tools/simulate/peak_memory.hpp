/// The most memory that this process had since a moment.
#pragma once

#include <cstdint>

namespace weft::tool {

/// Watches the memory of this process. Pages are small from then on: simulated ranks touch little of what
/// they reserve, and a page of 2 MiB for each of 100,000 ranks would not fit.
class peak_memory {
public:
    peak_memory();

    /// Begins anew, after it has given memory that is free back to the system.
    void restart();
    /// The bytes above those of the last beginning; 0 where the system does not tell.
    [[nodiscard]] std::int64_t bytes() const;

private:
    std::int64_t before_ = 0;
};

} // namespace weft::tool
