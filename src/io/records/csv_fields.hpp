/// The fields of CSV records, as RFC 4180 has them. Private.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace weft::io {

/// Takes records apart. The texts are valid until the next call, and while that of the record is.
class csv_fields {
public:
    explicit csv_fields(char delimiter) : delimiter_(delimiter) {}

    /// Splits the record at `at`, of a text of whole records that ends at `end`. Returns where the next one
    /// begins. Throws: `text_fault`.
    char const* split(char const* at, char const* end);

    [[nodiscard]] std::vector<std::string_view> const& texts() const noexcept { return texts_; }
    /// Where the fields begin, quotes included.
    [[nodiscard]] std::vector<char const*> const& places() const noexcept { return places_; }
    /// A line without anything.
    [[nodiscard]] bool is_blank() const noexcept {
        return texts_.size() == 1 && texts_[0].empty() && !any_quotes_;
    }

private:
    char const* plain(char const* at);
    char const* quoted(char const* at, char const* end);

    char delimiter_;
    std::vector<std::string_view> texts_;
    std::vector<char const*> places_;
    std::deque<std::string> unescaped_; // of fields with doubled quotes; they never move
    std::size_t escapes_ = 0;
    bool any_quotes_ = false;
};

/// The one of comma, semicolon, tab and bar that a text has most often outside of quotes; a comma where it
/// has none.
[[nodiscard]] char likely_delimiter(std::string_view record);

} // namespace weft::io
