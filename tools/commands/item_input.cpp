#include "item_input.hpp"

#include "json_scalar.hpp"
#include "options/delimiter_option.hpp"
#include "options/preset.hpp"
#include "options/text_inputs.hpp"

#include <weft/io/read_csv.hpp>
#include <weft/protocol/collectives.hpp>

#include <array>

namespace weft::tool {

namespace {

/// Blanks, and all that ends a line.
constexpr std::array<bool, 256> make_blanks() {
    std::array<bool, 256> blanks{};
    for (char const c : {' ', '\t', '\n', '\v', '\f', '\r'}) blanks[static_cast<unsigned char>(c)] = true;
    return blanks;
}
constexpr std::array<bool, 256> is_blank_byte = make_blanks();

/// The text ends in a newline.
void for_each_word(std::string_view text, std::function<void(std::string_view)> const& use) {
    char const* at = text.data();
    char const* const end = at + text.size();
    auto const blank = [](char c) { return is_blank_byte[static_cast<unsigned char>(c)]; };
    while (true) {
        while (at != end && blank(*at)) ++at;
        if (at == end) return;
        char const* const begin = at;
        while (!blank(*at)) ++at;
        use({begin, static_cast<std::size_t>(at - begin)});
    }
}

} // namespace

void item_input::add_to(CLI::App& command) {
    command
        .add_option("FILE", files_,
            "Files of text or folders of them, also compressed (.gz, .bz2, .xz, .zst); - for standard input")
        ->required();
    auto* const words = command.add_flag("--words", words_, "Items are words between blanks, not lines");
    auto* const field = command.add_option("--field", field_,
        "Items are the fields of this column of CSV files, by its name or its number from 1");
    auto* const json = command.add_option("--json-path", json_,
        "For files with a JSON text on each line: items are the values at this path, such as a.b for the "
        "member b of a, or a[] for the elements of the list a");
    words->excludes(field)->excludes(json);
    field->excludes(json);
    add_preset(command, "--header", header_, "CSV files begin with the names of their columns",
        CLI::IsMember({"yes", "no"}));
    add_delimiter(
        command, delimiter_, "the most frequent of comma, semicolon, tab and bar in the first line");
    command.callback([this] {
        if (!field_.empty()) return;
        if (header_ != "yes") throw CLI::ValidationError("--header", "needs --field");
        if (!delimiter_.empty()) throw CLI::ValidationError("--delimiter", "needs --field");
    });
}

char const* item_input::item() const noexcept {
    return words_ ? "word" : !field_.empty() ? "field" : !json_.empty() ? "value" : "line";
}

std::string item_input::short_name() const {
    std::string const first = short_name_of(files_.front());
    return files_.size() == 1 ? first : first + " and " + std::to_string(files_.size() - 1) + " more";
}

std::int64_t item_input::read(session const& now, std::function<void(std::string_view)> const& use) const {
    std::string const name = short_name();
    auto const show = [&](std::int64_t done, std::int64_t total) {
        now.progress.show("reading " + name, done, total);
    };
    std::int64_t records = 0;
    text_inputs const inputs(now.comm, files_);
    text_totals const totals = inputs.naming_it([&]() -> text_totals {
        if (!field_.empty()) {
            csv_table const table = read_csv(now.comm, inputs.names(),
                [&](csv_row const& row) {
                    ++records;
                    use(row[0]);
                },
                {.columns = {field_},
                    .header = header_ == "yes",
                    .delimiter = delimiter_named(delimiter_).value_or('\0'),
                    .progress = show});
            return {table.files, table.bytes, table.in_order};
        }
        if (!json_.empty())
            return read_ndjson(now.comm, inputs.names(),
                [&](json_row const& row) {
                    ++records;
                    for (json_value const& each : row[0])
                        if (each.kind != json_kind::null) use(json_scalar(each));
                },
                {.paths = {json_}, .progress = show});
        return read_text(now.comm, inputs.names(),
            [&](text_part const& part) {
                if (words_) return for_each_word(part.text, use);
                for_each_line(part.text, [&](std::string_view line) {
                    ++records;
                    use(line);
                });
            },
            {.progress = show});
    });
    records = sum(now.comm, records);
    now.watch.lap("read");

    auto& input = now.report["input"];
    input["files"] = files_;
    input["bytes"] = totals.bytes;
    auto& options = now.report["options"];
    options["item"] = item();
    if (!field_.empty()) options["field"] = field_;
    if (!json_.empty()) options["json_path"] = json_;
    if (header_ != "yes") options["header"] = header_;
    if (!delimiter_.empty()) options["delimiter"] = delimiter_;
    return records;
}

} // namespace weft::tool
