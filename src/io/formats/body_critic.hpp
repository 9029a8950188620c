/// Complaints about a file that was read and does not hold what it declares. To find the line, the file is
/// read a second time, by one rank.
#pragma once

#include "graph_header.hpp"
#include "io/packed/byte_stream.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace weft::io {

/// The text of the file from its beginning. Throws: `io_error`.
[[nodiscard]] std::unique_ptr<byte_stream> open_text(std::filesystem::path const& file, packing packed);

/// "FILE:LINE: COMPLAINT" for the line in which the character at `offset` of the text stands. Throws:
/// `io_error`.
[[nodiscard]] std::string complaint_at(
    std::filesystem::path const& file, packing packed, std::int64_t offset, std::string const& complaint);

/// "1 edge", "2 edges".
[[nodiscard]] std::string number_of(std::int64_t count, char const* what);

/// Finds the line and throws the `io_error`. Local.
class body_critic {
public:
    body_critic(std::filesystem::path const& file, graph_header const& header) noexcept
        : file_(file), header_(header) {}

    [[noreturn]] void complain_at_header(std::string const& complaint) const;
    [[noreturn]] void complain_at_end(std::string const& expected) const;

    /// Complains about the first line of the body of which `is_culprit`, told its text, says so.
    [[noreturn]] void complain_at_line(
        std::string const& complaint, std::function<bool(std::string_view)> const& is_culprit) const;

private:
    std::filesystem::path const& file_;
    graph_header const& header_;
};

} // namespace weft::io
