#include "body_critic.hpp"

#include "io/text/line_chunks.hpp"
#include "io/text/scan.hpp"

#include <weft/core/error.hpp>

#include <limits>

namespace weft::io {

std::unique_ptr<byte_stream> open_text(std::filesystem::path const& file, packing packed) {
    return open_stream(file_handle::open_to_read(file), packed);
}

std::string complaint_at(
    std::filesystem::path const& file, packing packed, std::int64_t offset, std::string const& complaint) {
    std::int64_t const line = line_number_at(open_text(file, packed), offset);
    return file.string() + ":" + std::to_string(line) + ": " + complaint;
}

std::string number_of(std::int64_t count, char const* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void body_critic::complain_at_header(std::string const& complaint) const {
    throw io_error(complaint_at(file_, header_.packed, header_.header, complaint));
}

void body_critic::complain_at_end(std::string const& expected) const {
    throw io_error(complaint_at(file_, header_.packed, std::numeric_limits<std::int64_t>::max(),
        "expected " + expected + ", found the end of the file"));
}

void body_critic::complain_at_line(
    std::string const& complaint, std::function<bool(std::string_view)> const& is_culprit) const {
    line_chunks lines(open_text(file_, header_.packed));
    while (lines.offset() < header_.body && !lines.next_line().empty()) {}
    while (true) {
        std::int64_t const offset = lines.offset();
        std::string_view const line = lines.next_line();
        if (line.empty()) throw io_error(file_.string() + ": the file changed while it was read");
        if (is_culprit(line)) throw io_error(complaint_at(file_, header_.packed, offset, complaint));
    }
}

} // namespace weft::io
