#include <weft/io/read_ndjson.hpp>

#include "io/records/json_values.hpp"
#include "io/text/scan.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <charconv>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

namespace weft {

namespace {

constexpr std::string_view blanks_of_json = " \t\r\n";

template <class Number>
bool read_number_of(json_value const& from, Number& value) noexcept {
    if (from.kind != json_kind::number) return false;
    char const* const end = from.text.data() + from.text.size();
    auto const [stop, failure] = std::from_chars(from.text.data(), end, value);
    return failure == std::errc() && stop == end;
}

/// The records of parts of files.
class ndjson_body {
public:
    ndjson_body(std::vector<std::string> const& paths, std::function<void(json_row const&)> const& body)
        : paths_(paths), values_(std::make_shared<io::json_values>(io::json_paths(paths))), body_(body) {}

    void operator()(text_part const& part) const {
        constexpr std::string_view order_mark = "\xef\xbb\xbf";
        std::string_view rest = part.text;
        if (part.offset == 0 && rest.starts_with(order_mark)) rest.remove_prefix(order_mark.size());
        for_each_line(rest, [&](std::string_view line) {
            std::size_t const begin = line.find_first_not_of(blanks_of_json);
            if (begin == line.npos) return;
            line = line.substr(begin, line.find_last_not_of(blanks_of_json) + 1 - begin);
            auto const values = values_->read(line);
            body_(json_row(paths_, values, line, part.file, part.offset + (line.data() - part.text.data())));
        });
    }

private:
    std::vector<std::string> const& paths_;
    std::shared_ptr<io::json_values> values_; // std::function wants what can be copied
    std::function<void(json_row const&)> const& body_;
};

} // namespace

std::int64_t json_value::whole() const {
    std::int64_t value = 0;
    if (!read_number_of(*this, value))
        throw text_fault{place, "expected a whole number of 64 bits, found " + io::in_quotes(text)};
    return value;
}

double json_value::real() const {
    double value = 0;
    if (!read_number_of(*this, value))
        throw text_fault{place, "expected a number, found " + io::in_quotes(text)};
    return value;
}

json_value const& json_row::one(std::size_t path) const {
    auto const& found = values_[path];
    if (found.size() == 1) return found.front();
    throw text_fault{found.empty() ? text_.data() : found[1].place,
        "expected one value at " + paths_[path] + ", found " +
            (found.empty() ? "none" : std::to_string(found.size()))};
}

text_totals read_ndjson(communicator const& comm, std::vector<std::string> const& files,
    std::function<void(json_row const&)> const& body, ndjson_options const& options) try {
    gate call(comm, "read_ndjson");
    std::string all;
    std::function<void(text_part const&)> parse;
    call.guard([&] {
        for (std::string const& each : options.paths) (all += each) += '\n';
    });
    call.same("the paths", all);
    agreed(call, [&] { parse = ndjson_body(options.paths, body); });
    return read_text(comm, files, parse, {.block_bytes = options.block_bytes, .progress = options.progress});
} catch (std::bad_alloc const&) {
    alone_unless_agreed("read_ndjson");
    throw;
}

} // namespace weft
