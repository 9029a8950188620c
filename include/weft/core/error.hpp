/// The exceptions of Weft, and how an error crosses ranks (law 3: agreed or fatal).
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
/// order. Thrown before the first message; where only one rank sees it, the ranks agree and all throw.
class usage_error : public error {
public:
    using error::error;
};

/// MPI reported an error. The text names the MPI call and carries MPI's own words.
class mpi_error : public error {
public:
    mpi_error(std::string const& text, int code) : error(text), code_(code) {}

    /// Returns the error code that the MPI call returned.
    [[nodiscard]] int code() const noexcept { return code_; }

private:
    int code_;
};

/// Bytes that do not decode to the expected value: truncated, corrupt, or of another type.
class wire_error : public error {
public:
    using error::error;
};

/// A file that cannot be opened, read or written, or whose content breaks its format. The text is one line:
/// file, line number where there is one, what was expected, what stood there.
class io_error : public error {
public:
    using error::error;
};

/// Another rank threw: the ranks that did not fail throw this after agreement.
class remote_error : public error {
public:
    remote_error(std::string const& text, int rank) : error(text), rank_(rank) {}

    /// Returns the rank, in the communicator of the failed operation, that threw the original exception.
    [[nodiscard]] int rank() const noexcept { return rank_; }

private:
    int rank_;
};

/// The kind of an exception, as agreement transmits it.
enum class error_kind : std::uint8_t { none, usage, mpi, wire, io, other };

/// Returns the kind of a caught exception; `other` for what is not Weft's, `none` for a null pointer. Local.
[[nodiscard]] error_kind kind_of(std::exception_ptr const& thrown) noexcept;

/// Returns the text of a caught exception; "unknown exception" where it has none. Local.
[[nodiscard]] std::string text_of(std::exception_ptr const& thrown);

/// Throws on a rank that did not fail what `rank` reported: a `usage_error` or an `io_error` is the same
/// statement about the common call on every rank and is thrown as such with the same text; everything else
/// becomes a `remote_error` that names the rank. Local.
[[noreturn]] void throw_remote(error_kind kind, int rank, std::string const& text);

} // namespace weft
