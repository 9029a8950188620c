/// One line of a CSV file, taken apart into fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::io {

/// A field without its quotes and the blanks around it; and where it stands in the line.
struct csv_field {
    std::string_view text;
    std::size_t offset = 0;
};

/// Fields as RFC 4180 has them: in quotes where they hold separators, a quote inside doubled. A line is a
/// record: no field goes on in the next line, as lines are shared out to ranks.
class csv_record {
public:
    explicit csv_record(char separator) noexcept : separator_(separator) {}

    /// Takes a line apart; its end of line is no part of a field. The fields are valid until the next call,
    /// and while the line is. Throws: `malformed`, with the offset in the line, for a quote that is not
    /// closed or that something follows.
    std::vector<csv_field> const& split(std::string_view line);

private:
    csv_field quoted(std::string_view line, std::size_t& at);

    char separator_;
    std::vector<csv_field> fields_;
    std::vector<std::string> unescaped_; ///< of fields with doubled quotes; as many as were ever in a line
    std::size_t escapes_ = 0;
};

} // namespace weft::io
