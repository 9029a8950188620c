/// Memory for text that is read, cut into whole lines and carried over.
#pragma once

#include "scan.hpp"

#include <weft/core/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace weft::io {

/// Text in a row: taken from the front, filled at the back, always with `text_padding` behind.
class text_buffer {
public:
    [[nodiscard]] std::string_view text() const noexcept {
        return {reinterpret_cast<char const*>(bytes_.data()) + begin_, size()};
    }
    [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }

    /// Gives up the first `bytes`, which stay readable until the next `room`.
    void take(std::size_t bytes) noexcept { begin_ += bytes; }

    /// Room for `bytes` more at the back; moves what is left to the front.
    [[nodiscard]] char* room(std::size_t bytes) {
        if (begin_ != 0) {
            std::memmove(data(), data() + begin_, size());
            end_ -= std::exchange(begin_, 0);
        }
        bytes_.resize(std::max(bytes_.size(), end_ + bytes + text_padding));
        return data() + end_;
    }

    /// Makes the first `bytes` of the room part of the text.
    void put(std::size_t bytes) noexcept {
        end_ += bytes;
        std::fill_n(data() + end_, text_padding, '\0');
    }

private:
    [[nodiscard]] char* data() noexcept { return reinterpret_cast<char*>(bytes_.data()); }

    buffer bytes_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

} // namespace weft::io
