/// The output of the command on standard output and standard error, and its success.
#pragma once

#include <string>

namespace weft::tool {

/// Occupies standard descriptors that the caller has closed, so that no other file takes their numbers;
/// writing to them fails. Call before anything opens a file.
void occupy_standard_streams();

/// A line "weft: error: TEXT" on standard error. Where that cannot be written nothing more can be done.
void say_error(std::string const& text) noexcept;

/// A line "weft: warning: TEXT" on standard error.
void say_warning(std::string const& text) noexcept;

/// Text on standard output. Throws: `io_error` where it cannot be written.
void print(std::string const& text);

/// Flushes standard output. Throws: `io_error` where something could not be written.
void finish_standard_output();

} // namespace weft::tool
