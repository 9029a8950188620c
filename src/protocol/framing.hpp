/// How NBX tells small messages from the headers of large ones. Private.
#pragma once

#include <weft/protocol/message.hpp>

#include <array>
#include <cstdint>
#include <cstring>

namespace weft {

/// NBX receives what it does not expect, so only the announcement of a large payload needs the synchronous
/// send; the payload follows by a send of known size, on a tag of its own. One byte at the end of every
/// message says which of the two it is.
namespace framing {

enum class kind : std::uint8_t { whole, header };

/// A size that few payloads have, so that a receiver sees from the size which messages may be headers.
inline constexpr std::size_t header_bytes = 11;
using header = std::array<std::byte, header_bytes>;

inline header announce(std::int64_t payload_bytes) {
    header made{};
    std::memcpy(made.data(), &payload_bytes, sizeof payload_bytes);
    made.back() = static_cast<std::byte>(kind::header);
    return made;
}

inline void mark_whole(buffer& data) {
    *data.extend(1) = static_cast<std::byte>(kind::whole);
}

inline bool is_header(buffer const& received) {
    return received.size() == header_bytes &&
           received.data()[header_bytes - 1] == static_cast<std::byte>(kind::header);
}

inline std::size_t announced_bytes(buffer const& received) {
    std::int64_t bytes = 0;
    std::memcpy(&bytes, received.data(), sizeof bytes);
    return static_cast<std::size_t>(bytes);
}

inline void strip_mark(buffer& received) {
    received.resize(received.size() - 1);
}

} // namespace framing

} // namespace weft
