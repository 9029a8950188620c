/// Decodes base64 text in files of VTK.
#pragma once

#include <files/file_handle.hpp>
#include <grids/values/value_reader.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace weft {

/// The bytes of base64 text from a place of a file on, possibly with blanks. Moves forward, and back to kept
/// places. Source: RFC 4648.
class base64_bytes final : public byte_reader {
public:
    base64_bytes(std::filesystem::path const& file, std::int64_t first);

    void read_all(std::span<std::byte> into, std::int64_t offset) override;

    /// Returns the offset in the file at which the text of the first `bytes` bytes ends.
    [[nodiscard]] std::int64_t behind(std::int64_t bytes);

private:
    /// Returns the next character that is not a blank; -1 at the end of the file.
    int letter();
    void go_to(std::int64_t group);
    /// Returns the number of bytes in the next four characters.
    std::size_t take_group(std::array<std::byte, 3>& into);
    [[noreturn]] void fail(char const* why) const;
    [[nodiscard]] std::int64_t place() const noexcept { return start_ + static_cast<std::int64_t>(next_); }

    file_handle file_;
    std::vector<char> piece_;
    std::int64_t start_; // offset of the piece in the file
    std::size_t size_ = 0;
    std::size_t next_ = 0;
    std::int64_t group_ = 0;           // next group; a group has four characters
    std::vector<std::int64_t> places_; // offset in the file of each `groups_between_places`-th group
};

} // namespace weft
