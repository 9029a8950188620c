#include <weft/wire/wire.hpp>

#include <algorithm>
#include <string>

namespace weft {

namespace {

/// The common end of all texts: where it happened, and what usually is the cause.
std::string place(std::size_t needed, std::size_t offset, std::size_t total) {
    return " at offset " + std::to_string(offset) + ": it needs " + std::to_string(needed) + " bytes, " +
           std::to_string(total - offset) + " of " + std::to_string(total) +
           " are left; the bytes are truncated, corrupt or of another type";
}

} // namespace

void wire_writer::fill_to(std::size_t end) {
    std::size_t const size = out_.size();
    if (size < end) std::memset(out_.extend(end - size), 0, end - size);
}

void wire_writer::refuse_nesting() {
    throw usage_error("wire: values nest deeper than " + std::to_string(wire_nesting_limit) +
                      " levels; send them as a flat list with indices");
}

void wire_reader::skip_to(std::size_t end) {
    std::size_t const start = position();
    if (start >= end) return;
    std::byte const* const fill = bytes(end - start, "zeros after a list of empty elements");
    if (std::any_of(fill, next_, [](std::byte each) { return each != std::byte{0}; }))
        fail("zeros after a list of empty elements", end - start, start);
}

std::uint64_t wire_reader::long_length() {
    std::size_t const start = position();
    std::uint64_t count = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        auto const group = static_cast<unsigned char>(*bytes(1, "a length"));
        count |= static_cast<std::uint64_t>(group & 0x7f) << shift;
        if ((group & 0x80) != 0) continue;
        bool const too_large = shift == 63 && group > 1;
        bool const too_long = shift != 0 && group == 0; // every length has exactly one form
        if (too_large || too_long) break;
        return count;
    }
    fail("a length of at most 64 bits", position() - start, start);
}

void wire_reader::fail(char const* expected, std::size_t needed, std::size_t offset) const {
    throw wire_error(std::string("wire: expected ") + expected + place(needed, offset, position() + left_));
}

void wire_reader::fail_length(std::uint64_t count, std::size_t least_bytes, std::size_t offset) const {
    // The product may exceed 64 bits, so the text keeps the factors apart.
    throw wire_error("wire: found a length of " + std::to_string(count) + " elements at offset " +
                     std::to_string(offset) + ": they need at least " + std::to_string(least_bytes) +
                     " bytes each, " + std::to_string(left_) + " of " + std::to_string(position() + left_) +
                     " are left; the bytes are truncated, corrupt or of another type");
}

void wire_reader::fail_nesting() const {
    throw wire_error("wire: expected values that nest at most " + std::to_string(wire_nesting_limit) +
                     " levels deep, found more at offset " + std::to_string(position()) + ", " +
                     std::to_string(left_) + " bytes are left; the bytes are corrupt or of another type");
}

void wire_reader::fail_leftover() const {
    throw wire_error("wire: expected the bytes to end with the value at offset " +
                     std::to_string(position()) + ", " + std::to_string(left_) + " of " +
                     std::to_string(position() + left_) +
                     " are left over; the bytes are corrupt or of another type");
}

namespace detail {

void refuse_valueless() {
    throw usage_error("wire: a variant that lost its value to an exception cannot be encoded; assign it one");
}

} // namespace detail

} // namespace weft
