/// An open file of the operating system, whose errors say what to do. Private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace weft {

/// "FILE: cannot WHAT: CAUSE (CURE)", with the cause and, where there is one, the cure of an errno.
[[nodiscard]] std::string system_complaint(std::filesystem::path const& file, char const* what, int cause);

/// Owns a file descriptor.
class file_handle {
public:
    /// Opens a regular file to read it. Throws: `io_error` where it cannot be opened or is none.
    [[nodiscard]] static file_handle open_to_read(std::filesystem::path const& file);

    /// Opens a file that exists, to write it; errors call it `shown`. Throws: `io_error`.
    [[nodiscard]] static file_handle open_to_write(
        std::filesystem::path const& file, std::filesystem::path shown);

    /// Opens a file to write it, and makes it if there is none. Throws: `io_error`.
    [[nodiscard]] static file_handle open_to_append(std::filesystem::path const& file);

    /// Makes a file to write and read in a folder; it has no name any more, so nothing is left behind.
    /// Throws: `io_error`.
    [[nodiscard]] static file_handle scratch(std::filesystem::path const& folder);

    file_handle(file_handle&& other) noexcept;
    file_handle& operator=(file_handle&& other) noexcept;
    file_handle(file_handle const&) = delete;
    file_handle& operator=(file_handle const&) = delete;
    ~file_handle();

    [[nodiscard]] std::filesystem::path const& path() const noexcept { return path_; }
    [[nodiscard]] std::int64_t size() const;

    /// Reads up to `bytes` at `offset`; fewer only at the end of the file. Throws: `io_error`.
    [[nodiscard]] std::size_t read(char* into, std::size_t bytes, std::int64_t offset) const;

    /// Reads all of `into`. Throws: `io_error`, also where the file ends before.
    void read_all(std::span<std::byte> into, std::int64_t offset) const;

    /// Writes all of `bytes` at `offset`. Throws: `io_error`.
    void write(char const* from, std::size_t bytes, std::int64_t offset) const;

    void write(std::span<std::byte const> bytes, std::int64_t offset) const {
        write(reinterpret_cast<char const*>(bytes.data()), bytes.size(), offset);
    }

    /// Cuts off what is beyond; no error, since nothing depends on it.
    void shorten(std::int64_t size) const noexcept;

    /// Closes, reporting what the system could not write until now. Throws: `io_error`.
    void close();

private:
    file_handle(std::filesystem::path const& file, int flags, char const* what, std::filesystem::path shown);
    file_handle(std::filesystem::path file, int descriptor) noexcept;

    std::filesystem::path path_;
    int descriptor_ = -1;
};

} // namespace weft
