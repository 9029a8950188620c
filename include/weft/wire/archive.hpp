/// Encoding and decoding: `wire_writer` appends values to a buffer, and `wire_reader` reads them from
/// received bytes, which it checks. The format is described in weft/wire/wire.hpp.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace weft {

/// The depth to which values of classes with a hook (a function `wire`) may nest. A deeper value is neither
/// written nor read, so that damaged bytes cannot overflow the stack.
inline constexpr int wire_nesting_limit = 1000;

/// Appends values to a buffer, which must outlive the writer. A hook, the function `wire` of a class, calls
/// the writer with the members of a value.
class wire_writer {
public:
    /// Tells a hook that values are written, not read.
    static constexpr bool reading = false;

    /// Makes a writer for a buffer, which must outlive the writer.
    explicit wire_writer(buffer& out) noexcept : out_(out) {}
    wire_writer(wire_writer const&) = delete;
    wire_writer& operator=(wire_writer const&) = delete;
    ~wire_writer() = default;

    /// Appends the values, one after the other. Cost: amortised O(bytes).
    /// Throws: `usage_error` for a variant without a value and for nesting deeper than `wire_nesting_limit`.
    template <class... T>
    void operator()(T const&... values);

    /// Appends bytes without encoding them. Cost: amortised O(count).
    void bytes(void const* source, std::size_t count) { out_.append(source, count); }

    /// Appends a length, a number of elements or bytes. A length below 128 takes 1 byte, a longer length at
    /// most 10 bytes. Cost: O(1).
    void length(std::uint64_t count) {
        while (count >= 0x80) {
            tag(static_cast<unsigned char>(count | 0x80));
            count >>= 7;
        }
        tag(static_cast<unsigned char>(count));
    }

    /// Appends one byte: a bool, or the index of an alternative. Cost: O(1).
    void tag(unsigned char value) { *out_.extend(1) = std::byte{value}; }

    /// Appends zeros up to position `end`; does nothing if the buffer is longer. Cost: O(bytes
    /// filled).
    void fill_to(std::size_t end);

    /// Returns the number of bytes in the buffer.
    [[nodiscard]] std::size_t position() const noexcept { return out_.size(); }

    /// Begins a level of nesting, which `leave` ends. Throws: `usage_error` beyond `wire_nesting_limit`
    /// levels.
    void enter() {
        if (nesting_ == wire_nesting_limit) refuse_nesting();
        ++nesting_;
    }
    /// Ends a level of nesting that `enter` began.
    void leave() noexcept { --nesting_; }

private:
    [[noreturn]] static void refuse_nesting();

    buffer& out_;
    int nesting_ = 0;
};

/// Reads values from bytes, which must outlive the reader. Every step checks the number of remaining bytes
/// before it allocates memory; after an error the position of the reader is unspecified.
class wire_reader {
public:
    static constexpr bool reading = true; ///< Tells a hook that values are read, not written.

    /// Makes a reader of bytes, which must outlive the reader.
    explicit wire_reader(std::span<std::byte const> source) noexcept
        : begin_(source.data()), next_(source.data()), left_(source.size()) {}
    wire_reader(wire_reader const&) = delete;
    wire_reader& operator=(wire_reader const&) = delete;
    ~wire_reader() = default;

    /// Reads the values, one after the other, into existing objects. Cost: O(bytes read).
    /// Throws: `wire_error` if the bytes end early or cannot be an encoding of these types.
    template <class... T>
    void operator()(T&... values);

    /// Returns a pointer to the next `count` bytes in the source, and skips them. `expected` names these
    /// bytes in the text of the error. Cost: O(1). Throws: `wire_error` if fewer bytes are left.
    [[nodiscard]] std::byte const* bytes(std::size_t count, char const* expected) {
        if (count > left_) fail(expected, count, position());
        std::byte const* const start = next_;
        next_ += count;
        left_ -= count;
        return start;
    }

    /// Copies the next `count` bytes to `target`. Cost: O(count). Throws: `wire_error` if fewer bytes are
    /// left.
    void bytes_to(void* target, std::size_t count, char const* expected) {
        std::byte const* const start = bytes(count, expected);
        if (count != 0) std::memcpy(target, start, count);
    }

    /// Reads a number of elements that take at least `least_bytes` bytes each; if `least_bytes` is 0, an
    /// element counts as one byte, since the writer adds zeros by `fill_to`. Cost: O(1). Throws: `wire_error`
    /// if fewer bytes are left, so that a corrupt number allocates no memory.
    [[nodiscard]] std::size_t length(std::size_t least_bytes) {
        std::size_t const start = position();
        std::uint64_t const count =
            left_ != 0 && *next_ < std::byte{0x80} ? tag(0x80, "a length") : long_length();
        std::size_t const each = least_bytes == 0 ? 1 : least_bytes;
        if (count > left_ / each) fail_length(count, each, start);
        return static_cast<std::size_t>(count);
    }

    /// Reads one byte below `bound`. Cost: O(1). Throws: `wire_error` if the byte is missing or not below
    /// `bound`.
    [[nodiscard]] unsigned char tag(unsigned bound, char const* expected) {
        std::size_t const start = position();
        auto const value = static_cast<unsigned char>(*bytes(1, expected));
        if (value >= bound) fail(expected, 1, start);
        return value;
    }

    /// Skips the zeros up to position `end`; does nothing if the reader is already beyond `end`. Cost:
    /// O(bytes skipped). Throws: `wire_error` if bytes are missing or are not zeros.
    void skip_to(std::size_t end);

    /// Throws a `wire_error` if bytes are left over. Cost: O(1).
    void finish() const {
        if (left_ != 0) fail_leftover();
    }

    /// Returns the number of bytes not read yet.
    [[nodiscard]] std::size_t remaining() const noexcept { return left_; }

    /// Returns the number of bytes read.
    [[nodiscard]] std::size_t position() const noexcept { return static_cast<std::size_t>(next_ - begin_); }

    /// Throws a `wire_error` with the text that the bytes at `offset` are not `expected`, which has `needed`
    /// bytes. Hooks that check values call `fail`.
    [[noreturn]] void fail(char const* expected, std::size_t needed, std::size_t offset) const;

    /// Begins a level of nesting, which `leave` ends. Throws: `wire_error` beyond `wire_nesting_limit`
    /// levels.
    void enter() {
        if (nesting_ == wire_nesting_limit) fail_nesting();
        ++nesting_;
    }
    /// Ends a level of nesting that `enter` began.
    void leave() noexcept { --nesting_; }

private:
    [[nodiscard]] std::uint64_t long_length();
    [[noreturn]] void fail_length(std::uint64_t count, std::size_t least_bytes, std::size_t offset) const;
    [[noreturn]] void fail_nesting() const;
    [[noreturn]] void fail_leftover() const;

    std::byte const* begin_;
    std::byte const* next_;
    std::size_t left_;
    int nesting_ = 0;
};

} // namespace weft
