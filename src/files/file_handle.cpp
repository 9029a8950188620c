#include "file_handle.hpp"

#include <weft/core/error.hpp>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft {

namespace {

char const* cure_of(int cause) {
    switch (cause) {
    case ENOENT:
        return "check the path; every rank must see the file";
    case EACCES:
    case EPERM:
    case EROFS:
        return "check the permissions of the file and its folders";
    case EISDIR:
    case ENOTDIR:
        return "give the path of a file";
    case ENOSPC:
    case EDQUOT:
        return "free some space or write elsewhere";
    case EFBIG:
        return "raise the limit on file sizes or write elsewhere";
    case EMFILE:
    case ENFILE:
        return "raise the limit on open files";
    default:
        return nullptr;
    }
}

[[noreturn]] void fail(std::filesystem::path const& file, char const* what, int cause) {
    throw io_error(system_complaint(file, what, cause));
}

} // namespace

std::string system_complaint(std::filesystem::path const& file, char const* what, int cause) {
    std::string text = file.string() + ": cannot " + what + ": " + std::generic_category().message(cause);
    if (char const* const cure = cure_of(cause)) text.append(" (").append(cure).append(")");
    return text;
}

file_handle::file_handle(
    std::filesystem::path const& file, int flags, char const* what, std::filesystem::path shown)
    : path_(std::move(shown)) {
    constexpr mode_t all_may = 0666; // the umask applies
    do descriptor_ = ::open(file.c_str(), flags | O_CLOEXEC, all_may);
    while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) fail(path_, what, errno);
}

file_handle::file_handle(std::filesystem::path file, int descriptor) noexcept
    : path_(std::move(file)), descriptor_(descriptor) {
}

file_handle file_handle::open_to_read(std::filesystem::path const& file) {
    // Without O_NONBLOCK, opening a FIFO without a writer would wait for ever instead of being refused.
    file_handle opened(file, O_RDONLY | O_NONBLOCK, "read", file);
    struct stat status;
    if (::fstat(opened.descriptor_, &status) != 0) fail(file, "read", errno);
    if (S_ISDIR(status.st_mode)) fail(file, "read", EISDIR);
    if (!S_ISREG(status.st_mode))
        throw io_error(file.string() + ": cannot read: expected a regular file, found a pipe or a device "
                                       "(write its content to a file first)");
    return opened;
}

file_handle file_handle::open_to_write(std::filesystem::path const& file, std::filesystem::path shown) {
    return {file, O_WRONLY, "write", std::move(shown)};
}

file_handle file_handle::open_to_append(std::filesystem::path const& file) {
    return {file, O_WRONLY | O_CREAT, "write", file};
}

file_handle file_handle::scratch(std::filesystem::path const& folder) {
    std::string name = (folder / "weft-XXXXXX").string();
    int const descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) fail(folder, "make a scratch file", errno);
    ::unlink(name.c_str());
    return {std::move(name), descriptor};
}

file_handle::file_handle(file_handle&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {
}

file_handle& file_handle::operator=(file_handle&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

file_handle::~file_handle() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::int64_t file_handle::size() const {
    struct stat status;
    if (::fstat(descriptor_, &status) != 0) fail(path_, "read", errno);
    return status.st_size;
}

std::size_t file_handle::read(char* into, std::size_t bytes, std::int64_t offset) const {
    std::size_t done = 0;
    while (done < bytes) {
        ssize_t const got = ::pread(descriptor_, into + done, bytes - done,
            static_cast<off_t>(offset + static_cast<std::int64_t>(done)));
        if (got == 0) break;
        if (got > 0)
            done += static_cast<std::size_t>(got);
        else if (errno != EINTR)
            fail(path_, "read", errno);
    }
    return done;
}

void file_handle::read_all(std::span<std::byte> into, std::int64_t offset) const {
    std::size_t const got = read(reinterpret_cast<char*>(into.data()), into.size(), offset);
    if (got < into.size())
        throw io_error(path_.string() + ": cannot read: it ends at byte " +
                       std::to_string(offset + static_cast<std::int64_t>(got)));
}

void file_handle::write(char const* from, std::size_t bytes, std::int64_t offset) const {
    std::size_t done = 0;
    while (done < bytes) {
        ssize_t const put = ::pwrite(descriptor_, from + done, bytes - done,
            static_cast<off_t>(offset + static_cast<std::int64_t>(done)));
        if (put >= 0)
            done += static_cast<std::size_t>(put);
        else if (errno != EINTR)
            fail(path_, "write", errno);
    }
}

void file_handle::shorten(std::int64_t size) const noexcept {
    [[maybe_unused]] int const ignored = ::ftruncate(descriptor_, static_cast<off_t>(size));
}

void file_handle::close() {
    // The descriptor is closed even if close reports an error.
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail(path_, "write", errno);
}

} // namespace weft
