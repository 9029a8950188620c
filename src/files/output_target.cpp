#include "output_target.hpp"

#include "partial_files.hpp"

#include <weft/core/error.hpp>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft {

namespace {

bool is_standard_output(std::filesystem::path const& file) {
    return file == "-";
}

[[noreturn]] void refuse(std::filesystem::path const& file, int cause) {
    throw io_error(system_complaint(is_standard_output(file) ? "standard output" : file, "write", cause));
}

/// Returns the status, or nothing if there is no such file.
std::optional<struct stat> status_of(std::filesystem::path const& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) == 0) return status;
    if (errno != ENOENT) refuse(file, errno);
    return std::nullopt;
}

class descriptor {
public:
    explicit descriptor(std::filesystem::path const& file) {
        if (is_standard_output(file)) {
            std::fflush(stdout); // the text of the command that came before
            fd_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        } else {
            do fd_ = ::open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
            while (fd_ < 0 && errno == EINTR);
        }
        if (fd_ < 0) refuse(file, errno);
    }
    descriptor(descriptor const&) = delete;
    descriptor& operator=(descriptor const&) = delete;
    ~descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }

    void write(std::filesystem::path const& file, char const* from, std::size_t bytes) const {
        while (bytes > 0) {
            ssize_t const put = ::write(fd_, from, bytes);
            if (put > 0) {
                from += put;
                bytes -= static_cast<std::size_t>(put);
            } else if (errno != EINTR) {
                refuse(file, errno);
            }
        }
    }

    /// Reports delayed errors of writing.
    void close(std::filesystem::path const& file) {
        if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) refuse(file, errno);
    }

private:
    int fd_ = -1;
};

void copy_into(std::filesystem::path const& part, std::filesystem::path const& file) {
    file_handle const from = file_handle::open_to_read(part);
    descriptor into(file);
    std::vector<char> piece(std::size_t{1} << 20);
    std::int64_t at = 0;
    while (std::size_t const got = from.read(piece.data(), piece.size(), at)) {
        into.write(file, piece.data(), got);
        at += static_cast<std::int64_t>(got);
    }
    into.close(file);
}

} // namespace

delivery delivery_to(std::filesystem::path const& file) {
    if (is_standard_output(file)) {
        if (::fcntl(STDOUT_FILENO, F_GETFD) < 0) refuse(file, errno);
        return delivery::stream;
    }
    auto const status = status_of(file);
    if (!status) return delivery::replace;
    if (S_ISDIR(status->st_mode)) refuse(file, EISDIR);
    // A rename would replace a file that may not be written.
    if (::access(file.c_str(), W_OK) != 0) refuse(file, errno);
    if (!S_ISREG(status->st_mode)) return delivery::stream;
    return status->st_nlink > 1 ? delivery::copy : delivery::replace;
}

std::filesystem::path behind_links(std::filesystem::path file) {
    constexpr int most_links = 40; // as Linux
    std::error_code failure;
    for (int followed = 0; std::filesystem::is_symlink(file, failure); ++followed) {
        if (followed == most_links) refuse(file, ELOOP);
        std::filesystem::path const next = std::filesystem::read_symlink(file, failure);
        if (failure) refuse(file, failure.value());
        file = file.parent_path() / next; // an absolute one takes the place of all
    }
    return file;
}

std::filesystem::path partial_path(std::filesystem::path const& file, delivery how, std::int64_t mark,
    std::filesystem::path const& spool_folder) {
    std::filesystem::path part = how == delivery::stream ? spool_folder / "weft-output" : behind_links(file);
    return part += ".part" + std::to_string(mark);
}

delivery make_partial(std::filesystem::path const& part, std::filesystem::path const& file, delivery how) {
    std::remove(part.c_str()); // left over from a process of the same number that was killed
    int opened = -1;
    // A spool contains data of a user in a folder that other users may read.
    mode_t const mode = how == delivery::stream ? 0600 : 0666;
    do opened = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    while (opened < 0 && errno == EINTR);
    if (opened < 0) refuse(file, errno);
    auto const before = how == delivery::replace ? status_of(file) : std::nullopt;
    if (before) {
        struct stat made {};
        bool kept = ::fstat(opened, &made) == 0;
        if (kept && (made.st_uid != before->st_uid || made.st_gid != before->st_gid))
            kept = ::fchown(opened, before->st_uid, before->st_gid) == 0;
        if (!kept || ::fchmod(opened, before->st_mode & 07777) != 0) how = delivery::copy;
    }
    ::close(opened);
    return how;
}

void deliver(std::filesystem::path const& part, std::filesystem::path const& file, delivery how) {
    if (how == delivery::replace) {
        std::error_code failure;
        std::filesystem::rename(part, behind_links(file), failure);
        if (failure) refuse(file, failure.value());
        return;
    }
    copy_into(part, file);
    std::remove(part.c_str());
}

void make_folder(std::filesystem::path const& folder) {
    std::error_code failure;
    if (std::filesystem::is_directory(folder, failure)) return;
    std::filesystem::create_directory(folder, failure);
    if (failure) throw io_error(system_complaint(folder, "make the folder", failure.value()));
}

void write_output(std::filesystem::path const& file, std::string_view bytes) {
    delivery how = delivery_to(file);
    if (how != delivery::replace) {
        descriptor into(file);
        into.write(file, bytes.data(), bytes.size());
        into.close(file);
        return;
    }
    partial_file part(partial_path(file, how, ::getpid(), {}));
    how = make_partial(part.path(), file, how);
    file_handle opened = file_handle::open_to_write(part.path(), file);
    opened.write(bytes.data(), bytes.size(), 0);
    opened.close();
    deliver(part.path(), file, how);
    part.keep();
}

} // namespace weft
