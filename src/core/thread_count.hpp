/// Limits the number of threads that a caller may ask for. Private.
#pragma once

#include <weft/core/error.hpp>

#include <string>

namespace weft {

/// More than the cores of any node: a larger number is a mistake, which would take long to fail.
inline constexpr int most_threads = 4096;

/// Throws: `usage_error` that begins with `call`.
inline void check_threads(char const* call, int threads) {
    if (threads < 1 || threads > most_threads)
        throw usage_error(std::string(call) + ": threads is " + std::to_string(threads) + "; it is 1 to " +
                          std::to_string(most_threads));
}

} // namespace weft
