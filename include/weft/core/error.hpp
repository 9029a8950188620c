/// The exceptions of Weft. An error on one rank is thrown on all ranks, or ends the job.
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

namespace weft {

/// Base of every exception that Weft throws.
class error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The call breaks its contract: an argument out of range, an unsupported combination, calls in a wrong
/// order. The exception is thrown before the first message, on all ranks, even if only one rank sees the
/// mistake.
class usage_error : public error {
public:
    using error::error;
};

/// MPI reported an error. The text has the name of the MPI call and MPI's own message.
class mpi_error : public error {
public:
    /// Makes an error with this text and MPI's error code.
    mpi_error(std::string const& text, int code) : error(text), code_(code) {}

    /// Returns the error code that the MPI call returned.
    [[nodiscard]] int code() const noexcept { return code_; }

private:
    int code_;
};

/// Bytes that do not decode to a value of the expected type: truncated, corrupt, or encoded from another
/// type.
class wire_error : public error {
public:
    using error::error;
};

/// A file that cannot be opened, read or written, or whose content breaks its format. The text is one line:
/// the file, the line number if it is known, the expected text, and the text that was found.
class io_error : public error {
public:
    using error::error;
};

/// Another rank has failed: thrown on the ranks that did not fail.
class remote_error : public error {
public:
    /// Makes an error with this text, for an exception that `rank` has thrown.
    remote_error(std::string const& text, int rank) : error(text), rank_(rank) {}

    /// Returns the rank, in the communicator of the failed operation, that threw the original exception.
    [[nodiscard]] int rank() const noexcept { return rank_; }

private:
    int rank_;
};

/// The kind of an exception, as it is sent to other ranks.
enum class error_kind : std::uint8_t {
    none,  ///< Nothing was thrown.
    usage, ///< `usage_error`
    mpi,   ///< `mpi_error`
    wire,  ///< `wire_error`
    io,    ///< `io_error`
    other  ///< Any other exception.
};

/// Returns the kind of a caught exception; `other` for an exception that is not one of Weft's, `none` for a
/// null pointer. Local.
[[nodiscard]] error_kind kind_of(std::exception_ptr const& thrown) noexcept;

/// Returns the text of a caught exception; "unknown exception" if it has no text. Local.
[[nodiscard]] std::string text_of(std::exception_ptr const& thrown);

/// Throws the error that another rank, `rank`, has reported: a `usage_error` or an `io_error` with
/// the same text, and a `remote_error` that names the rank for any other exception. Local.
[[noreturn]] void throw_remote(error_kind kind, int rank, std::string const& text);

} // namespace weft
