/// Assembles messages that are longer than a run from their pieces. Private.
#pragma once

#include "run.hpp"

#include <weft/core/buffer.hpp>

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace weft {

class long_messages {
public:
    /// Adds a piece. Returns the message if this was its last piece.
    [[nodiscard]] std::optional<buffer> take(int source, std::span<std::byte const> piece) {
        piece_head head;
        std::memcpy(&head, piece.data(), sizeof head);
        auto const place = under_way_.try_emplace({source, head.number}).first;
        buffer& message = place->second;
        auto const bytes = static_cast<std::size_t>(head.message_bytes);
        message.reserve(bytes);
        message.append(piece.data() + sizeof head, piece.size() - sizeof head);
        if (message.size() < bytes) return std::nullopt;
        std::optional<buffer> whole(std::move(message));
        under_way_.erase(place);
        return whole;
    }

private:
    std::map<std::pair<int, std::uint64_t>, buffer> under_way_; // by source and its number for the message
};

} // namespace weft
