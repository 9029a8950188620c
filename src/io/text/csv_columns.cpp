#include "csv_columns.hpp"

#include <core/lower_case.hpp>

#include "csv_record.hpp"
#include "malformed.hpp"
#include "scan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace weft::io {

namespace {

using names = std::span<std::string_view const>;
constexpr std::string_view source_names[]{"source", "src", "from", "u", "head", "start", "node1", "sourceid",
    "source_id", "fromnodeid", "node_1", "id1", "i", "origin", "orig", "parent", "sender", "from_id",
    "src_id", "from_node", "source_node"};
constexpr std::string_view target_names[]{"target", "dst", "to", "v", "tail", "end", "node2", "targetid",
    "target_id", "tonodeid", "node_2", "id2", "j", "destination", "dest", "child", "receiver", "to_id",
    "dst_id", "to_node", "target_node"};
constexpr std::string_view weight_names[]{
    "weight", "w", "length", "distance", "cost", "value", "dist", "score", "strength"};

char separator_of(std::string_view line, char decimal) {
    std::string_view const separators = decimal == ',' ? ";\t|" : ",;\t|";
    std::array<int, 4> seen{};
    bool inside = false;
    for (char const c : line) {
        if (c == '"') inside = !inside;
        if (std::size_t const which = separators.find(c); !inside && which != separators.npos) ++seen[which];
    }
    auto const most = std::ranges::max_element(seen);
    if (*most == 0)
        throw malformed{0, "expected fields between commas, semicolons, tabs or bars, found " +
                               in_quotes(line.substr(0, line.find_first_of("\r\n")))};
    return separators[static_cast<std::size_t>(most - seen.begin())];
}

bool is_number(std::string_view written, char decimal) {
    std::string text(written);
    if (decimal != '.') std::ranges::replace(text, decimal, '.');
    double ignored;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), ignored);
    return !text.empty() && end == text.data() + text.size();
}

bool are_positions(std::span<std::string const> wanted) {
    return std::ranges::all_of(wanted, [](std::string const& each) {
        return !each.empty() && each.size() < 9 &&
               std::ranges::all_of(each, [](char c) { return is_digit(c); });
    });
}

class column_finder {
public:
    /// Of the first line, and the second, which may be without fields.
    column_finder(
        std::vector<csv_field> const& first, std::vector<csv_field> const& second, graph_header& header)
        : fields_(first), second_(second), header_(header) {}

    /// Finds the columns, and whether the first line is a header.
    void find(read_options const& options) {
        std::span<std::string const> const wanted = options.columns;
        bool is_header = false;
        if (!options.weight.empty()) {
            is_header = !are_positions(std::span(&options.weight, 1));
            if (is_header) refuse_names(options.header);
            header_.weight_column = is_header ? named(options.weight) : numbered(options.weight);
        }
        is_header |= wanted.empty()          ? by_custom(options.header)
                     : are_positions(wanted) ? by_numbers(wanted)
                                             : by_names(wanted, options.header);
        header_.has_header =
            options.header == csv_header::automatic ? is_header : options.header == csv_header::yes;
    }

private:
    static void refuse_names(csv_header said) {
        if (said == csv_header::no)
            throw malformed{0, "expected numbers of columns where there is no header, found names"};
    }

    /// Returns whether the first line is a header.
    bool by_names(std::span<std::string const> wanted, csv_header said) {
        refuse_names(said);
        header_.source_column = named(wanted[0]);
        header_.target_column = named(wanted[1]);
        if (wanted.size() > 2) header_.weight_column = named(wanted[2]);
        return true;
    }

    bool by_numbers(std::span<std::string const> wanted) {
        header_.source_column = numbered(wanted[0]);
        header_.target_column = numbered(wanted[1]);
        if (wanted.size() > 2) header_.weight_column = numbered(wanted[2]);
        return is_header();
    }

    /// Without being told: the usual names, or else the first columns but that of weights.
    bool by_custom(csv_header said) {
        std::int32_t const weight = header_.weight_column;
        int const source = usual(source_names);
        int const target = usual(target_names);
        if (source >= 0 && target >= 0 && said != csv_header::no) {
            header_.source_column = source;
            header_.target_column = target;
            if (weight < 0) header_.weight_column = usual(weight_names);
            if (header_.weight_column < 0) header_.weight_column = only_other_numbers();
            return true;
        }
        std::size_t const least = weight < 0 ? 2 : 3;
        if (fields_.size() < least)
            throw malformed{0, "expected " + std::string(least == 2 ? "two" : "three") +
                                   " columns at least, found " + std::to_string(fields_.size())};
        header_.source_column = weight == 0 ? 1 : 0;
        header_.target_column = weight == 0 || weight == 1 ? 2 : 1;
        auto const& below = second_.size() == fields_.size() ? second_ : fields_;
        if (weight < 0 && below.size() > 2 && is_number(below[2].text, header_.decimal))
            header_.weight_column = 2;
        return is_header();
    }

    /// The only column of numbers besides both ends; the third column where it has some; -1 elsewhere.
    [[nodiscard]] std::int32_t only_other_numbers() const {
        std::int32_t only = -1;
        int others = 0;
        for (std::size_t i = 0; i < std::min(fields_.size(), second_.size()); ++i) {
            auto const column = static_cast<std::int32_t>(i);
            if (column == header_.source_column || column == header_.target_column) continue;
            if (!is_number(second_[i].text, header_.decimal)) continue;
            only = column;
            ++others;
        }
        return others < 2 ? only : -1;
    }

    /// Names stand above numbers, or are the usual ones.
    [[nodiscard]] bool is_header() const {
        if (usual(source_names) == header_.source_column && usual(target_names) == header_.target_column)
            return true;
        if (second_.size() != fields_.size()) return false;
        return std::ranges::any_of(
            std::array{header_.source_column, header_.target_column, header_.weight_column},
            [&](std::int32_t column) {
                auto const place = static_cast<std::size_t>(column);
                return column >= 0 && !is_number(fields_[place].text, header_.decimal) &&
                       is_number(second_[place].text, header_.decimal);
            });
    }

    [[nodiscard]] std::int32_t named(std::string const& name) const {
        auto const found = std::ranges::find(fields_, std::string_view(name), &csv_field::text);
        if (found != fields_.end()) return static_cast<std::int32_t>(found - fields_.begin());
        std::string there;
        for (csv_field const& each : fields_) there += (there.empty() ? "" : ", ") + in_quotes(each.text);
        throw malformed{0, "expected a column " + in_quotes(name) + ", found " + there};
    }

    [[nodiscard]] std::int32_t numbered(std::string const& text) const {
        std::int32_t number = 0;
        (void)std::from_chars(text.data(), text.data() + text.size(), number);
        if (number < 1 || number > std::ssize(fields_))
            throw malformed{
                0, "expected a column " + text + ", found " + std::to_string(fields_.size()) + " columns"};
        return number - 1;
    }

    [[nodiscard]] std::int32_t usual(names known) const {
        for (std::size_t i = 0; i < fields_.size(); ++i)
            if (std::ranges::find(known, in_lower_case(fields_[i].text)) != known.end())
                return static_cast<std::int32_t>(i);
        return -1;
    }

    std::vector<csv_field> const& fields_;
    std::vector<csv_field> const& second_;
    graph_header& header_;
};

/// None where the line cannot be taken apart: the parser reports the error.
std::vector<csv_field> fields_of_second(csv_record& record, std::string_view line) {
    try {
        return record.split(line);
    } catch (malformed const&) { return {}; }
}

/// True if both labels of the first line are words that no end of the next lines has, of which there are
/// three or more: of a graph in a file that would be an edge apart from all others.
bool is_unlike_others(
    std::vector<csv_field> const& first, std::string_view below, graph_header const& header) {
    std::string_view const source = first[static_cast<std::size_t>(header.source_column)].text;
    std::string_view const target = first[static_cast<std::size_t>(header.target_column)].text;
    if (is_number(source, '.') || is_number(target, '.')) return false;
    csv_record record(header.separator);
    int lines = 0;
    for (std::size_t end; (end = below.find('\n')) != below.npos; below.remove_prefix(end + 1)) {
        std::vector<csv_field> const fields = fields_of_second(record, below.substr(0, end + 1));
        if (std::ssize(fields) != header.columns_in_file) continue;
        ++lines;
        for (std::int32_t const column : {header.source_column, header.target_column})
            for (std::string_view const label : {source, target})
                if (fields[static_cast<std::size_t>(column)].text == label) return false;
    }
    return lines > 2;
}

} // namespace

bool are_column_names(std::string_view source, std::string_view target) {
    auto const is_one_of = [](names known, std::string_view word) {
        return word.size() > 1 && std::ranges::find(known, in_lower_case(word)) != known.end();
    };
    return is_one_of(source_names, source) && is_one_of(target_names, target);
}

void read_csv_header(line_chunks& lines, read_options const& options, graph_header& header) {
    header.decimal = options.decimal;
    std::string_view text = lines.peek(std::size_t{1} << 16);
    while (!text.empty()) {
        std::string_view const line = text.substr(0, text.find('\n') + 1);
        if (line.empty())
            throw malformed{lines.offset(), "expected lines of less than 64 KiB, found a longer one"};
        bool const comment = line.starts_with('#');
        if (!comment && line.find_first_not_of(" \t\r\n") != line.npos) break;
        text.remove_prefix(line.size());
        lines.skip(line.size());
    }
    header.header = lines.offset();
    if (text.empty()) {
        if (!options.columns.empty() || !options.weight.empty())
            throw malformed{lines.offset(), "expected a header with the columns, found the end of the file"};
        header.separator = options.delimiter != '\0' ? options.delimiter : ',';
        return;
    }
    std::string_view const line = text.substr(0, text.find('\n') + 1);
    try {
        header.separator =
            options.delimiter != '\0' ? options.delimiter : separator_of(line, options.decimal);
        csv_record record(header.separator);
        auto const& fields = record.split(line);
        header.columns_in_file = static_cast<std::int32_t>(fields.size());
        std::string_view const second = text.substr(line.size(), text.substr(line.size()).find('\n') + 1);
        csv_record record_of_second(header.separator);
        auto const fields_below = fields_of_second(record_of_second, second);
        column_finder(fields, fields_below, header).find(options);
        if (!header.has_header && options.header == csv_header::automatic)
            header.may_have_header = is_unlike_others(fields, text.substr(line.size()), header);
    } catch (malformed& bad) {
        bad.offset += lines.offset();
        throw;
    }
    header.weighted = header.weight_column >= 0;
    if (header.has_header) lines.skip(line.size());
}

} // namespace weft::io
