/// The byte buffer in which Weft stores messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace weft {

/// A growable array of uninitialised bytes, aligned to a cache line. A buffer can be moved, not copied. Any
/// trivially copyable item whose alignment is at most `buffer::alignment` can be stored in the buffer
/// directly.
class buffer {
public:
    static constexpr std::size_t alignment = 64; ///< The alignment of the first byte, in bytes.

    buffer() noexcept = default;
    /// Makes a buffer of `bytes` bytes, which are not initialised.
    explicit buffer(std::size_t bytes) { resize(bytes); }
    /// Returns a read-only view of bytes, which their owner must keep unchanged as long as the view lives.
    /// The view copies the bytes when it grows, and in `make_own`.
    [[nodiscard]] static buffer view_of(std::byte const* bytes, std::size_t size) noexcept {
        buffer made;
        made.data_ = const_cast<std::byte*>(bytes);
        made.size_ = size;
        return made; // its capacity is 0: that tells it apart, and makes it grow before it is written to
    }
    buffer(buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    buffer& operator=(buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    buffer(buffer const&) = delete;
    buffer& operator=(buffer const&) = delete;
    ~buffer();

    [[nodiscard]] std::byte* data() noexcept { return data_; }             ///< Returns the first byte.
    [[nodiscard]] std::byte const* data() const noexcept { return data_; } ///< Returns the first byte.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }      ///< Returns the number of bytes.
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; } ///< Returns true if there are no bytes.
    /// Returns all bytes.
    [[nodiscard]] std::span<std::byte> bytes() noexcept { return {data_, size_}; }
    /// Returns all bytes.
    [[nodiscard]] std::span<std::byte const> bytes() const noexcept { return {data_, size_}; }

    /// Allocates memory for at least `bytes` bytes in total. The size does not change.
    void reserve(std::size_t bytes) {
        if (bytes > capacity_) grow(bytes);
    }

    /// Changes the size; new bytes are not initialised.
    void resize(std::size_t bytes) {
        reserve(bytes);
        size_ = bytes;
    }

    void clear() noexcept { size_ = 0; } ///< Removes all bytes and keeps the memory.

    /// Returns true if the bytes belong to another object, so that the buffer neither grows nor frees them.
    [[nodiscard]] bool is_view() const noexcept { return capacity_ == 0 && data_ != nullptr; }
    /// Copies the bytes into memory of its own if the buffer is a view.
    void make_own() {
        if (is_view()) grow(size_);
    }

    /// Appends `bytes` bytes from `source`. Cost: amortised O(bytes).
    void append(void const* source, std::size_t bytes) {
        if (bytes != 0) std::memcpy(extend(bytes), source, bytes);
    }

    /// Appends `bytes` uninitialised bytes and returns a pointer to the first. Cost: amortised O(1).
    std::byte* extend(std::size_t bytes) {
        if (size_ + bytes > capacity_) grow(size_ + bytes);
        std::byte* const start = data_ + size_;
        size_ += bytes;
        return start;
    }

private:
    void grow(std::size_t at_least);

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace weft
