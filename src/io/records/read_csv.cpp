#include <weft/io/read_csv.hpp>

#include "io/formats/body_critic.hpp"
#include "io/records/csv_fields.hpp"
#include "io/records/record_ends.hpp"
#include "io/records/text_files.hpp"
#include "io/text/line_chunks.hpp"
#include "io/text/scan.hpp"

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <charconv>
#include <new>
#include <system_error>
#include <tuple>

namespace weft {

namespace {

using namespace io;

constexpr std::string_view order_mark = "\xef\xbb\xbf";

/// Where a text begins, without the mark that some programs put at the begin of a file.
char const* begin_of(std::string_view text, std::int64_t offset) {
    return text.data() + (offset == 0 && text.starts_with(order_mark) ? order_mark.size() : 0);
}

std::vector<std::string> numbers_to(std::size_t columns) {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= columns; ++i) names.push_back(std::to_string(i));
    return names;
}

/// The place of a column that is asked for by its name or its number.
std::size_t column_of(std::vector<std::string> const& names, std::string const& asked, bool header) {
    auto const named = std::ranges::find(names, asked);
    if (named != names.end()) {
        if (header && std::find(named + 1, names.end(), asked) != names.end())
            throw text_fault{nullptr,
                "expected one column " + in_quotes(asked) + ", found two (ask for it by its number)"};
        return static_cast<std::size_t>(named - names.begin());
    }
    std::size_t number = 0;
    auto const [stop, failure] = std::from_chars(asked.data(), asked.data() + asked.size(), number);
    if (failure == std::errc() && stop == asked.data() + asked.size() && number >= 1 &&
        number <= names.size())
        return number - 1;
    std::string all;
    for (std::string const& each : names) all.append(all.empty() ? "" : ", ") += each;
    throw text_fault{nullptr, "expected a column " + in_quotes(asked) + ", found " + all};
}

csv_head head_of(std::vector<std::string> const& files, csv_options const& options) {
    text_file const first = list_text_files(files).front();
    line_chunks lines(open_stream(file_handle::open_to_read(first.path), first.packed));
    std::string_view const text = next_records(lines, std::size_t{1} << 16, record_kind::quoted);
    csv_head head;
    char const* at = begin_of(text, 0);
    char const* const end = text.data() + text.size();
    try {
        while (at != end && (*at == '\n' || (*at == '\r' && at[1] == '\n'))) at += *at == '\n' ? 1 : 2;
        std::string_view const rest(at, static_cast<std::size_t>(end - at));
        head.delimiter =
            options.delimiter != '\0' ? options.delimiter : likely_delimiter(rest.substr(0, rest.find('\n')));
        if (at == end) {
            if (options.header)
                throw text_fault{
                    at, "expected a header with the names of columns, found the end of the file"};
            return head;
        }
        csv_fields fields(head.delimiter);
        (void)fields.split(at, end);
        if (options.header)
            head.names.assign(fields.texts().begin(), fields.texts().end());
        else
            head.names = numbers_to(fields.texts().size());
        for (std::string const& each : options.columns)
            head.asked.push_back(column_of(head.names, each, options.header));
        if (options.columns.empty())
            for (std::size_t i = 0; i < head.names.size(); ++i) head.asked.push_back(i);
    } catch (text_fault const& bad) {
        throw io_error(place_in_file(first, (bad.at == nullptr ? at : bad.at) - text.data()) + bad.complaint);
    }
    return head;
}

/// The bodies of files with that head.
class csv_body {
public:
    csv_body(csv_head const& head, bool header, std::function<void(csv_row const&)> const& body)
        : head_(head), has_header_(header), body_(body), fields_(head.delimiter) {
        texts_.resize(head.asked.size());
        places_.resize(head.asked.size());
    }

    void operator()(text_part const& part) {
        char const* at = begin_of(part.text, part.offset);
        char const* const end = part.text.data() + part.text.size();
        bool is_header = has_header_ && part.offset == 0;
        while (at != end) {
            char const* const begin = at;
            at = fields_.split(at, end);
            if (fields_.is_blank()) continue;
            if (std::exchange(is_header, false)) {
                if (!std::ranges::equal(fields_.texts(), head_.names))
                    throw text_fault{begin, "expected the same names of columns as in the first file, found "
                                            "others (give one table a call)"};
                continue;
            }
            if (fields_.texts().size() != head_.names.size())
                throw text_fault{begin, "expected " + number_of(std::ssize(head_.names), "field") +
                                            ", found " + std::to_string(fields_.texts().size())};
            for (std::size_t i = 0; i < texts_.size(); ++i) {
                texts_[i] = fields_.texts()[head_.asked[i]];
                places_[i] = fields_.places()[head_.asked[i]];
            }
            body_(csv_row(texts_, places_, part.file, part.offset + (begin - part.text.data())));
        }
    }

private:
    csv_head const& head_;
    bool has_header_;
    std::function<void(csv_row const&)> const& body_;
    csv_fields fields_;
    std::vector<std::string_view> texts_;
    std::vector<char const*> places_;
};

/// A field that is a whole number of 64 bits.
bool read_whole(std::string_view field, std::int64_t& value) noexcept {
    if (field.starts_with('+')) field.remove_prefix(1);
    auto const [stop, failure] = std::from_chars(field.data(), field.data() + field.size(), value);
    return failure == std::errc() && stop == field.data() + field.size();
}
/// A field that is a number; infinities and NaN are.
bool read_real(std::string_view field, double& value) noexcept {
    if (field.starts_with('+')) field.remove_prefix(1);
    auto const [stop, failure] = std::from_chars(field.data(), field.data() + field.size(), value);
    return failure == std::errc() && stop == field.data() + field.size();
}

} // namespace

std::int64_t csv_row::whole(std::size_t column) const {
    std::int64_t value = 0;
    if (!read_whole(fields_[column], value))
        throw text_fault{
            places_[column], "expected a whole number of 64 bits, found " + in_quotes(fields_[column])};
    return value;
}

double csv_row::real(std::size_t column) const {
    double value = 0;
    if (!read_real(fields_[column], value))
        throw text_fault{places_[column], "expected a number, found " + in_quotes(fields_[column])};
    return value;
}

csv_head read_csv_head(
    communicator const& comm, std::vector<std::string> const& files, csv_options const& options) {
    gate call(comm, "read_csv_head");
    std::string names;
    std::string columns;
    call.guard([&] {
        for (std::string const& each : files) names.append(each) += '\n';
        for (std::string const& each : options.columns) columns.append(each) += '\n';
    });
    call.same("the files", names).same("the columns", columns);
    call.same("header", options.header).same("delimiter", static_cast<int>(options.delimiter));
    std::tuple<std::vector<std::string>, std::vector<std::uint64_t>, char> told;
    agreed(call, [&] {
        if (files.empty()) throw usage_error("read_csv: expected files, found none");
        if (options.delimiter == '"' || options.delimiter == '\n' || options.delimiter == '\r')
            throw usage_error("read_csv: expected a delimiter that is no quote and no newline");
        if (comm.rank() != 0) return;
        csv_head const head = head_of(files, options);
        told = {head.names, {head.asked.begin(), head.asked.end()}, head.delimiter};
    });
    told = broadcast(call, std::move(told));
    csv_head head;
    agreed(call, [&] {
        auto const& [all, asked, delimiter] = told;
        head = {all, {asked.begin(), asked.end()}, delimiter};
    });
    return head;
}

csv_table read_csv(communicator const& comm, std::vector<std::string> const& files,
    std::function<void(csv_row const&)> const& body, csv_options const& options) try {
    csv_head const head = read_csv_head(comm, files, options);
    gate call(comm, "read_csv");
    csv_table table;
    std::function<void(text_part const&)> parse;
    call.guard([&] {
        for (std::size_t const each : head.asked) table.names.push_back(head.names[each]);
        table.delimiter = head.delimiter;
        parse = csv_body(head, options.header, body);
    });
    call.agree();
    text_totals const read = read_text(comm, files, parse,
        {.quoted = true, .block_bytes = options.block_bytes, .progress = options.progress});
    table.files = read.files;
    table.bytes = read.bytes;
    table.in_order = read.in_order;
    return table;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("read_csv");
    throw;
}

std::vector<csv_kind> find_csv_kinds(
    communicator const& comm, std::vector<std::string> const& files, csv_options const& options) try {
    constexpr std::uint8_t nothing = 0; // all fields are empty; the others count from 1
    std::vector<std::uint8_t> kinds;
    auto const columns = read_csv(
        comm, files,
        [&](csv_row const& row) {
            if (kinds.empty()) kinds.resize(row.size(), nothing);
            for (std::size_t i = 0; i < row.size(); ++i) {
                std::int64_t whole = 0;
                double real = 0;
                if (kinds[i] == 3 || row[i].empty()) continue;
                if (kinds[i] < 2 && read_whole(row[i], whole))
                    kinds[i] = 1;
                else
                    kinds[i] = read_real(row[i], real) ? 2 : 3;
            }
        },
        options)
                             .names.size();
    gate call(comm, "find_csv_kinds");
    agreed(call, [&] { kinds.resize(columns, nothing); });
    kinds = all_reduce(
        comm, std::move(kinds), [](std::vector<std::uint8_t> a, std::vector<std::uint8_t> const& b) {
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
            return a;
        });
    std::vector<csv_kind> found;
    agreed(call, [&] {
        for (std::uint8_t const each : kinds)
            found.push_back(each == 1 ? csv_kind::whole : each == 2 ? csv_kind::real : csv_kind::text);
    });
    return found;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("find_csv_kinds");
    throw;
}

} // namespace weft
