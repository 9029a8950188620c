#include "io/text/csv_record.hpp"
#include "io/text/line_parser.hpp"
#include "io/text/name_table.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

namespace weft::io {

namespace {

/// A record a line; as many fields in each as in the first.
class csv_parser final : public line_parser {
public:
    csv_parser(graph_header const& header, weight_use weights, vertex_naming naming)
        : header_(header), weights_(weights), naming_(naming), record_(header.separator) {}

    void parse(std::string_view lines, edge_list& into) override {
        for (std::string_view rest = lines; !rest.empty();) {
            std::string_view const line = rest.substr(0, rest.find('\n') + 1);
            rest.remove_prefix(line.size());
            if (line.find_first_not_of(" \t\r\n") == line.npos) continue;
            try {
                parse_record(record_.split(line), into);
            } catch (malformed& bad) {
                bad.offset += line.data() - lines.data();
                throw;
            }
        }
    }

private:
    void parse_record(std::vector<csv_field> const& fields, edge_list& into) {
        if (std::ssize(fields) != header_.columns_in_file)
            throw malformed{static_cast<std::int64_t>(fields.back().offset),
                "expected " + std::to_string(header_.columns_in_file) +
                    " fields, as in the first line, found " + std::to_string(fields.size())};
        auto const field = [&](std::int32_t column) -> csv_field const& {
            return fields[static_cast<std::size_t>(column)];
        };
        std::int64_t const source = label(field(header_.source_column), into);
        std::int64_t const target = label(field(header_.target_column), into);
        double weight = 1;
        if (header_.weight_column >= 0 && weights_ != weight_use::none)
            weight = number(field(header_.weight_column));
        into.edges.push_back({source, target});
        if (weights_ != weight_use::none) into.weights.push_back(weight);
    }

    std::int64_t label(csv_field const& field, edge_list& into) {
        if (field.text.empty()) complain(field, "a label");
        for (char const c : field.text)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) complain(field, "a label of text");
        if (naming_ == vertex_naming::text) return table_.index_of(field.text, into.names);
        // A number that would be printed in another way, as 007 or +7, is a label of text.
        std::int64_t value = 0;
        char const* const end = field.text.data() + field.text.size();
        auto const [stop, failure] = std::from_chars(field.text.data(), end, value);
        std::string_view const digits = field.text.substr(field.text.starts_with('-') ? 1 : 0);
        bool const as_printed = digits == "0" ? digits == field.text : !digits.starts_with('0');
        if (stop != end || failure != std::errc{} || !as_printed) throw text_label{};
        return value;
    }

    double number(csv_field const& written) const {
        csv_field field = written;
        std::string with_dot;
        if (header_.decimal != '.') {
            with_dot = field.text;
            std::ranges::replace(with_dot, header_.decimal, '.');
            field.text = with_dot;
        }
        char const* const end = field.text.data() + field.text.size();
        double value = 0;
        auto const [stop, failure] = std::from_chars(field.text.data(), end, value);
        if (stop != end || failure != std::errc{}) { // it may be written as in other formats of text
            std::string const padded = std::string(field.text) + '\n' + std::string(text_padding, ' ');
            char const* at = padded.data();
            if (!scan_number(at, value) || at != padded.data() + field.text.size())
                complain(written, "a weight");
        }
        if (weights_ == weight_use::lengths && !(value >= 0 && value <= std::numeric_limits<double>::max()))
            complain(written, "a weight that is finite and at least 0");
        return value;
    }

    [[noreturn]] static void complain(csv_field const& field, std::string const& expected) {
        throw malformed{static_cast<std::int64_t>(field.offset),
            "expected " + expected + ", found " +
                (field.text.empty() ? "an empty field" : in_quotes(field.text))};
    }

    graph_header header_;
    weight_use weights_;
    vertex_naming naming_;
    csv_record record_;
    name_table table_;
};

} // namespace

std::unique_ptr<line_parser> make_csv_parser(
    graph_header const& header, weight_use weights, vertex_naming naming) {
    return std::make_unique<csv_parser>(header, weights, naming);
}

} // namespace weft::io
