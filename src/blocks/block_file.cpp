#include "block_file.hpp"

#include <weft/core/error.hpp>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft {

void throw_file_error(std::string const& name, char const* what, int cause) {
    throw io_error(name + ": cannot " + what + ": " + std::generic_category().message(cause));
}

block_file::block_file(int descriptor, std::string name, char const* what)
    : descriptor_(descriptor), name_(std::move(name)) {
    if (descriptor_ < 0) throw_file_error(name_, what, errno);
}

block_file block_file::scratch(std::string const& directory) {
    std::string name = directory + "/weft-blocks-XXXXXX";
    int const descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    int const cause = errno;
    if (descriptor >= 0) ::unlink(name.c_str());
    errno = cause;
    return {descriptor, std::move(name), "make a scratch file"};
}

block_file block_file::create(std::string const& path) {
    return {::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path, "write"};
}

block_file block_file::open_to_write(std::string const& path) {
    return {::open(path.c_str(), O_WRONLY | O_CLOEXEC), path, "write"};
}

block_file block_file::open_to_read(std::string const& path) {
    // Without O_NONBLOCK, opening a FIFO that nobody writes would wait for ever before it could be refused.
    block_file opened(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), path, "read");
    struct stat status;
    if (::fstat(opened.descriptor_, &status) != 0) throw_file_error(path, "read", errno);
    if (S_ISDIR(status.st_mode)) throw_file_error(path, "read", EISDIR);
    if (!S_ISREG(status.st_mode)) throw io_error(path + ": cannot read: it is not a regular file");
    return opened;
}

block_file::block_file(block_file&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)) {
}

block_file& block_file::operator=(block_file&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(name_, other.name_);
    return *this;
}

block_file::~block_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t block_file::size() const {
    struct stat status;
    if (::fstat(descriptor_, &status) != 0) throw_file_error(name_, "read", errno);
    return static_cast<std::uint64_t>(status.st_size);
}

void block_file::read(std::span<std::byte> into, std::uint64_t at) const {
    while (!into.empty()) {
        ssize_t const got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw_file_error(name_, "read", errno);
        if (got == 0) throw io_error(name_ + ": cannot read: it ends at byte " + std::to_string(at));
        into = into.subspan(static_cast<std::size_t>(got));
        at += static_cast<std::uint64_t>(got);
    }
}

void block_file::write(std::span<std::byte const> from, std::uint64_t at) const {
    while (!from.empty()) {
        ssize_t const put = ::pwrite(descriptor_, from.data(), from.size(), static_cast<off_t>(at));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) throw_file_error(name_, "write", put < 0 ? errno : ENOSPC);
        from = from.subspan(static_cast<std::size_t>(put));
        at += static_cast<std::uint64_t>(put);
    }
}

void block_file::shorten(std::uint64_t size) const noexcept {
    [[maybe_unused]] int const ignored = ::ftruncate(descriptor_, static_cast<off_t>(size));
}

void block_file::close() {
    // The descriptor is gone even where close reports an error.
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
        throw_file_error(name_, "write", errno);
}

} // namespace weft
