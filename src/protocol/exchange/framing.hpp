/// Distinguishes messages from headers of messages in NBX. Private.
#pragma once

#include <weft/extend/protocol/message.hpp>

#include <array>
#include <cstdint>
#include <cstring>

namespace weft {

/// NBX receives messages that it does not expect, so only the announcement of a large payload needs the
/// synchronous send; the payload follows by a send of known size on its own tag. A header is recognised by
/// its size: a payload that happens to have this size is announced as well.
namespace framing {

inline constexpr std::size_t header_bytes = 11; // a size that few payloads have
using header = std::array<std::byte, header_bytes>;

[[nodiscard]] constexpr bool is_announced(std::size_t payload_bytes, std::int64_t header_above) {
    return static_cast<std::int64_t>(payload_bytes) > header_above || payload_bytes == header_bytes;
}

[[nodiscard]] inline header announce(std::size_t payload_bytes) {
    header made{};
    std::uint64_t const bytes = payload_bytes;
    std::memcpy(made.data(), &bytes, sizeof bytes);
    return made;
}

[[nodiscard]] inline std::size_t announced_bytes(buffer const& received) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, received.data(), sizeof bytes);
    return bytes;
}

} // namespace framing

} // namespace weft
