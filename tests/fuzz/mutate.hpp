/// Damage to files, as copying, transport and strange writers do it.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace weft_test {

/// A file with one to four pieces of damage; the same for the same seed.
[[nodiscard]] std::string damaged(std::string content, std::uint64_t seed);

} // namespace weft_test
