/// Values that are written one by one, and reach the file in pieces. Private.
#pragma once

#include <files/file_segments.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

/// Collects values that lie one after the other in a file. `finish` writes the last of them.
class placed_writer {
public:
    placed_writer(file_handle const& file, std::int64_t at) : file_(file), at_(at), piece_(most_bytes) {}

    /// Goes on at another byte of the file.
    void go_to(std::int64_t at) {
        if (at == at_ + static_cast<std::int64_t>(used_)) return;
        finish();
        at_ = at;
    }
    template <class T>
    void put(T const& value) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= most_bytes);
        if (used_ + sizeof value > most_bytes) finish();
        std::memcpy(piece_.data() + used_, &value, sizeof value);
        used_ += sizeof value;
    }
    void finish() {
        file_.write(std::span<std::byte const>(piece_).first(used_), at_);
        at_ += static_cast<std::int64_t>(used_);
        used_ = 0;
    }

private:
    static constexpr std::size_t most_bytes = std::size_t{1} << 19; // stays in the cache

    file_handle const& file_;
    std::int64_t at_;
    std::vector<std::byte> piece_;
    std::size_t used_ = 0;
};

/// A writer of a segment, whose values `put(out, mine, start)` puts into a `placed_writer` at `mine`.
template <class Put>
[[nodiscard]] file_segments::writer in_pieces(Put put) {
    return [put = std::move(put)](file_handle const& file, std::int64_t mine, std::int64_t start) {
        placed_writer out(file, mine);
        put(out, mine, start);
        out.finish();
    };
}

/// A writer of a segment that has `value(item)` of each item, which live until then.
template <class Items, class ValueOf>
[[nodiscard]] file_segments::writer for_each_of(Items const& items, ValueOf value) {
    return in_pieces([&items, value](placed_writer& out, std::int64_t, std::int64_t) {
        for (auto const& each : items) out.put(value(each));
    });
}

} // namespace weft
