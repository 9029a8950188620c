/// The messages that a sparse exchange carries.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/core/recycled.hpp>

namespace weft {

/// A message to, or from, another rank. A message may have 0 bytes.
struct message {
    int peer = 0;     ///< The other rank.
    buffer data = {}; ///< The bytes.
};

/// A list of messages whose memory is used again.
using message_list = detail::recycled_vector<message>;

} // namespace weft
