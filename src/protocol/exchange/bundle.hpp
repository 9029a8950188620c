/// Packs several messages into one, for protocols that forward messages. Private.
#pragma once

#include <weft/extend/protocol/message.hpp>

#include <cstdint>
#include <cstring>
#include <span>

namespace weft {

/// A message that is forwarded by other ranks.
struct passed_on {
    int source = 0;
    int destination = 0;
    std::span<std::byte const> data = {};
};

namespace bundle {

struct entry_head {
    std::int32_t source;
    std::int32_t destination;
    std::int64_t bytes;
};

[[nodiscard]] inline std::size_t bytes_of(passed_on const& item) {
    return sizeof(entry_head) + item.data.size();
}

inline void append(buffer& into, passed_on const& item) {
    entry_head const head{item.source, item.destination, static_cast<std::int64_t>(item.data.size())};
    into.append(&head, sizeof head);
    into.append(item.data.data(), item.data.size());
}

/// Calls `take(item)` for every item, with the data in place.
template <class Take>
void for_each(std::span<std::byte const> packed, Take&& take) {
    while (!packed.empty()) {
        entry_head head;
        std::memcpy(&head, packed.data(), sizeof head);
        auto const bytes = static_cast<std::size_t>(head.bytes);
        take(passed_on{head.source, head.destination, packed.subspan(sizeof head, bytes)});
        packed = packed.subspan(sizeof head + bytes);
    }
}

/// Returns a separate message for an item, at its destination.
[[nodiscard]] inline message unpacked(passed_on const& item) {
    message made{item.source, {}};
    made.data.append(item.data.data(), item.data.size());
    return made;
}

} // namespace bundle

} // namespace weft
