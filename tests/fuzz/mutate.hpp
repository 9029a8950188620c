/// Damages files in the ways of copying, transport and unusual writers.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace weft_test {

/// Returns a file with one to four kinds of damage; the same for the same seed.
[[nodiscard]] std::string damaged(std::string content, std::uint64_t seed);

} // namespace weft_test
