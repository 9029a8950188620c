#include <weft/exchange/inbox.hpp>

#include <weft/core/error.hpp>

#include <cstring>
#include <string>

namespace weft::detail {

void append_item_count(buffer& items, std::int64_t count) {
    std::size_t const bytes = items.size();
    auto const least = static_cast<std::size_t>(count);
    if (bytes < least) std::memset(items.extend(least - bytes), 0, least - bytes);
    items.append(&count, sizeof count);
}

counted_items split_item_count(std::span<std::byte const> received) {
    std::int64_t count = 0;
    if (received.size() < sizeof count) throw wire_error("a message ends before its number of items");
    auto const payload = received.first(received.size() - sizeof count);
    std::memcpy(&count, received.data() + payload.size(), sizeof count);
    if (count < 0 || static_cast<std::size_t>(count) > payload.size())
        throw wire_error("a message of " + std::to_string(payload.size()) + " bytes claims to hold " +
                         std::to_string(count) + " items");
    return {payload, static_cast<std::size_t>(count)};
}

void check_rest(wire_reader const& reader, std::size_t count, std::size_t payload_bytes) {
    if (reader.remaining() != 0 && payload_bytes != count)
        throw wire_error(
            "a message has " + std::to_string(reader.remaining()) + " bytes after its last item");
}

} // namespace weft::detail
