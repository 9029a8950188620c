/// Files of blocks: errors name the file and the cause. Private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft {

/// Owns a file descriptor.
class block_file {
public:
    /// A file to write and read that has no name any more. Throws: `io_error`.
    [[nodiscard]] static block_file scratch(std::string const& directory);
    /// Makes a file to write it, or empties it. Throws: `io_error`.
    [[nodiscard]] static block_file create(std::string const& path);
    /// Opens a file that another rank has made. Throws: `io_error`.
    [[nodiscard]] static block_file open_to_write(std::string const& path);
    /// Opens a regular file. Throws: `io_error`.
    [[nodiscard]] static block_file open_to_read(std::string const& path);

    block_file() noexcept = default;
    block_file(block_file&& other) noexcept;
    block_file& operator=(block_file&& other) noexcept;
    block_file(block_file const&) = delete;
    block_file& operator=(block_file const&) = delete;
    ~block_file();

    [[nodiscard]] std::string const& name() const noexcept { return name_; }
    [[nodiscard]] std::uint64_t size() const;
    /// Reads all of `into`. Throws: `io_error`, also where the file ends before.
    void read(std::span<std::byte> into, std::uint64_t at) const;
    /// Writes all of `from`. Throws: `io_error`.
    void write(std::span<std::byte const> from, std::uint64_t at) const;
    /// Cuts off what is beyond; no error, since nothing depends on it.
    void shorten(std::uint64_t size) const noexcept;
    /// Closes, reporting what the system could not write until now. Throws: `io_error`.
    void close();

private:
    block_file(int descriptor, std::string name, char const* what);

    int descriptor_ = -1;
    std::string name_;
};

/// "NAME: cannot WHAT: CAUSE", with the cause of an errno.
[[noreturn]] void throw_file_error(std::string const& name, char const* what, int cause);

} // namespace weft
