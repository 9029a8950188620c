/// The fields of one line, read one by one with complaints: for headers, where clarity counts and speed does
/// not.
#pragma once

#include "malformed.hpp"
#include "scan.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::io {

class line_fields {
public:
    /// `line` ends in a newline, or is empty where the text ended; `offset` says where it starts.
    line_fields(std::string_view line, std::int64_t offset) noexcept
        : begin_(line.data()), at_(line.empty() ? nullptr : skip_blanks(begin_)), offset_(offset) {}

    [[nodiscard]] bool at_end() const noexcept { return at_ == nullptr || *at_ == '\n'; }

    /// The next field, empty at the end of the line, not taken.
    [[nodiscard]] std::string_view peek() const noexcept {
        return at_ == nullptr ? std::string_view() : field_at(at_);
    }

    /// The next field, empty at the end of the line.
    std::string_view word() noexcept {
        std::string_view const field = peek();
        if (at_ != nullptr) at_ = skip_blanks(at_ + field.size());
        return field;
    }

    /// The next field, a count: 0 to 2^62, so that two of them can be added. Throws: `malformed`.
    std::int64_t count(char const* what) {
        char const* behind = at_;
        std::int64_t value;
        if (at_ == nullptr || !scan_integer(behind, value) || value < 0 || value > std::int64_t{1} << 62)
            complain(what);
        at_ = skip_blanks(behind);
        return value;
    }

    /// Throws: `malformed`, unless the line ends here.
    void end() const {
        if (!at_end()) complain("the end of the line");
    }

    /// Throws: `malformed`, "expected ..., found " and what stands here.
    [[noreturn]] void complain(std::string const& expected) const {
        throw malformed{offset_ + (at_ == nullptr ? 0 : at_ - begin_),
            "expected " + expected + ", found " + (at_ == nullptr ? "the end of the file" : found_at(at_))};
    }

private:
    char const* begin_;
    char const* at_;
    std::int64_t offset_;
};

} // namespace weft::io
