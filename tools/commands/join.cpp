#include "command.hpp"
#include "json_scalar.hpp"
#include "options/delimiter_option.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "options/text_inputs.hpp"
#include "report/reporting_command.hpp"
#include "report/table_file.hpp"
#include "texts/examples.hpp"

#include <weft/containers/bag.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/io/read_csv.hpp>
#include <weft/io/read_ndjson.hpp>
#include <weft/io/write_text.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace weft::tool {

namespace {

/// A record, and where it stands: its file and the byte there. One of JSON has its text as its only field.
struct joined_row {
    std::int64_t file = 0;
    std::int64_t offset = 0;
    std::vector<std::string> fields = {};
    bool has_key = true;

    static void wire(auto& archive, auto& self) {
        archive(self.file, self.offset, self.fields, self.has_key);
    }
    [[nodiscard]] bool stands_before(joined_row const& other) const noexcept {
        return file != other.file ? file < other.file : offset < other.offset;
    }
};

/// Texts as one, in which lengths tell where each ends.
std::string joined_key(std::span<std::string_view const> texts) {
    if (texts.size() == 1) return std::string(texts[0]);
    std::string key;
    for (std::string_view const each : texts) (key += std::to_string(each.size()) += ':') += each;
    return key;
}

/// The fields of the key columns as one text.
std::string key_of(csv_row const& row, std::vector<std::size_t> const& columns) {
    std::vector<std::string_view> texts;
    for (std::size_t const each : columns) texts.push_back(row[each]);
    return joined_key(texts);
}

/// The values at the paths as one text; none where a value is null or not there.
std::optional<std::string> key_of(json_row const& row) {
    std::vector<std::string_view> texts;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i].empty()) return std::nullopt;
        json_value const& value = row.one(i);
        if (value.kind == json_kind::null) return std::nullopt;
        texts.push_back(json_scalar(value));
    }
    return joined_key(texts);
}

class join_command final : public reporting_command {
public:
    explicit join_command(CLI::App& app)
        : reporting_command(app, "join", "Join the records of two CSV or JSON files that have equal fields") {
        parser_
            ->add_option(
                "LEFT", left_, "A CSV file, also compressed (.gz, .bz2, .xz, .zst); - for standard input")
            ->required();
        parser_->add_option("RIGHT", right_, "Another file")->required();
        parser_->add_flag("--ndjson", json_,
            "The files have a JSON text on each line, and --on names paths in it, as in user.id=id. A record "
            "whose value at a path is null or missing has no match");
        parser_
            ->add_option("--on", on_,
                "The columns that must be equal, separated by commas: names, or numbers from 1; NAME=NAME if "
                "a column has another name in RIGHT than in LEFT")
            ->delimiter(',')
            ->required();
        add_preset(*parser_, "--keep", keep_,
            "inner: pairs of matching records; left: also records of LEFT without a match, with empty "
            "fields; semi: records of LEFT with a match, each once; anti: records of LEFT without a match",
            CLI::IsMember({"inner", "left", "semi", "anti"}));
        add_preset(*parser_, "--header", header_, "CSV files begin with the names of their columns",
            CLI::IsMember({"yes", "no"}));
        add_delimiter(*parser_, delimiter_,
            "in each file the most frequent of comma, semicolon, tab and bar in the first line");
        names_table(parser_->add_option("--out", out_,
            "Write the joined records with a header. Records are in the order of LEFT; if a record of LEFT "
            "matches several records of RIGHT, its joined records are in the order of RIGHT. The output is "
            "TSV if the name ends in .tsv, Parquet if the name ends in .parquet, otherwise CSV. If columns "
            "of LEFT and RIGHT have the same name, the column of RIGHT gets the suffix _right. With "
            "--ndjson, the output has lines {\"left\": ..., \"right\": ...}, or, with --keep semi and --keep "
            "anti, lines of LEFT"));
        common_.add_watched_to(*parser_);
        parser_->footer(examples_of("join"));
        parser_->callback([this] {
            if (json_ && (header_ != "yes" || !delimiter_.empty()))
                throw CLI::ValidationError("--ndjson", "excludes --header and --delimiter, which CSV has");
            if (json_ && style_of_table(out_, table_style::another) != table_style::another)
                throw CLI::ValidationError("--out", "--ndjson writes lines of JSON; name a file .ndjson");
            if (style_of_table(out_) == table_style::numpy)
                throw CLI::ValidationError(
                    "--out", "an array of NumPy has no room for texts; write .csv or .parquet");
            for (std::string const& each : on_) {
                std::size_t const equals = each.find('=');
                left_keys_.push_back(each.substr(0, equals));
                right_keys_.push_back(equals == each.npos ? each : each.substr(equals + 1));
                if (left_keys_.back().empty() || right_keys_.back().empty())
                    throw CLI::ValidationError("--on", "expected COLUMN or LEFT=RIGHT, found " + each);
            }
        });
    }

private:
    using keyed_row = std::pair<std::string, joined_row>;

    void compute(session const& now) override {
        mailbox mail(now.comm);
        multimap<std::string, joined_row> right(mail);
        bag<keyed_row> left(mail);
        std::int64_t right_records = 0;
        csv_head const right_head = read(now, right_, right_keys_, [&](keyed_row const& row) {
            ++right_records;
            if (row.second.has_key) right.insert(row.first, row.second);
        });
        csv_head const left_head =
            read(now, left_, left_keys_, [&](keyed_row row) { left.insert(std::move(row)); });
        auto& result = now.report["result"];
        result["left"] = left.size();
        result["right"] = sum(now.comm, right_records);
        now.watch.lap("read");

        now.progress.phase("joining");
        left.sort([](keyed_row const& a, keyed_row const& b) { return a.second.stands_before(b.second); });
        table_rows rows(out_, style_of_table(out_), columns_of(left_head, right_head));
        std::string lines;
        join_all(now, left, right, [&](joined_row const& of_left, joined_row const* partner) {
            if (out_.empty()) return;
            json_ ? append_line(of_left, partner, lines) : append_row(of_left, partner, right_head, rows);
        });
        now.watch.lap("compute");
        if (out_.empty()) return;
        now.progress.phase("writing " + out_);
        json_ ? write_text(now.comm, out_, lines) : rows.write(now.comm);
        now.watch.lap("write");
    }

    /// Calls `use` with the records of a file, on the rank that reads them.
    csv_head read(session const& now, std::string const& file, std::vector<std::string> const& keys,
        std::function<void(keyed_row)> const& use) const {
        text_inputs const inputs(now.comm, {file});
        auto const show = [&](std::int64_t done, std::int64_t total) {
            now.progress.show("reading " + short_name_of(file), done, total);
        };
        auto& input = now.report["input"][&file == &left_ ? "left" : "right"];
        return inputs.naming_it([&]() -> csv_head {
            if (json_) {
                text_totals const totals = read_ndjson(now.comm, inputs.names(),
                    [&](json_row const& row) {
                        auto key = key_of(row);
                        use({key.value_or(""), {static_cast<std::int64_t>(row.file()), row.offset(),
                                                   {std::string(row.text())}, key.has_value()}});
                    },
                    {.paths = keys, .progress = show});
                input = {{"file", file}, {"bytes", totals.bytes}};
                return {};
            }
            csv_options options{.columns = keys,
                .header = header_ == "yes",
                .delimiter = delimiter_named(delimiter_).value_or('\0')};
            csv_head head = read_csv_head(now.comm, inputs.names(), options);
            options.columns = {};
            options.progress = show;
            csv_table const table = read_csv(
                now.comm, inputs.names(),
                [&](csv_row const& row) {
                    joined_row made{static_cast<std::int64_t>(row.file()), row.offset(), {}};
                    for (std::size_t i = 0; i < row.size(); ++i) made.fields.emplace_back(row[i]);
                    use({key_of(row, head.asked), std::move(made)});
                },
                options);
            input = {{"file", file}, {"bytes", table.bytes}};
            return head;
        });
    }

    [[nodiscard]] bool keeps_right() const { return keep_ == "inner" || keep_ == "left"; }

    /// All columns of LEFT, and those of RIGHT that are no keys.
    [[nodiscard]] std::vector<table_column> columns_of(csv_head const& left, csv_head const& right) const {
        std::vector<table_column> columns;
        for (std::string const& each : left.names) columns.push_back({each, column_kind::words});
        for (std::size_t i = 0; keeps_right() && i < right.names.size(); ++i) {
            if (is_in(right.asked, i)) continue;
            bool const is_taken = std::ranges::find(left.names, right.names[i]) != left.names.end();
            columns.push_back({right.names[i] + (is_taken ? "_right" : ""), column_kind::words});
        }
        return columns;
    }
    [[nodiscard]] static bool is_in(std::vector<std::size_t> const& places, std::size_t place) {
        return std::ranges::find(places, place) != places.end();
    }

    /// Takes a record of LEFT, and a partner if there is one.
    using use_of_pair = std::function<void(joined_row const&, joined_row const*)>;

    /// Asks for the records of each key of a share of LEFT, once a key, and calls `use` with what to keep.
    void join_all(session const& now, bag<keyed_row> const& left,
        multimap<std::string, joined_row> const& right, use_of_pair const& use) const {
        constexpr std::size_t at_a_time = std::size_t{1} << 16;
        std::span<keyed_row const> rest = left.local();
        std::int64_t matched = 0;
        std::int64_t written = 0;
        while (max(now.comm, rest.empty() ? 0 : 1) != 0) {
            auto const some = rest.subspan(0, std::min(at_a_time, rest.size()));
            rest = rest.subspan(some.size());
            std::vector<std::string> keys;
            std::unordered_map<std::string_view, std::size_t> place_of;
            for (auto const& [key, row] : some)
                if (row.has_key && place_of.emplace(key, keys.size()).second) keys.push_back(key);
            auto found = right.collect(keys);
            for (auto& each : found)
                std::ranges::sort(each, [](auto const& a, auto const& b) { return a.stands_before(b); });
            for (auto const& [key, row] : some) {
                std::span<joined_row const> partners;
                if (row.has_key) partners = found[place_of.at(key)];
                matched += partners.empty() ? 0 : 1;
                written += keep(row, partners, use);
            }
        }
        auto& result = now.report["result"];
        result["matched"] = sum(now.comm, matched);
        result["records"] = sum(now.comm, written);
    }

    /// Returns the number of records that are kept.
    std::int64_t keep(
        joined_row const& left, std::span<joined_row const> partners, use_of_pair const& use) const {
        if (!keeps_right()) {
            bool const is_kept = (keep_ == "semi") != partners.empty();
            if (is_kept) use(left, nullptr);
            return is_kept ? 1 : 0;
        }
        for (joined_row const& each : partners) use(left, &each);
        if (!partners.empty()) return std::ssize(partners);
        if (keep_ == "inner") return 0;
        use(left, nullptr);
        return 1;
    }

    void append_row(joined_row const& left, joined_row const* partner, csv_head const& right_head,
        table_rows& rows) const {
        std::vector<std::string_view> fields(left.fields.begin(), left.fields.end());
        for (std::size_t i = 0; keeps_right() && i < right_head.names.size(); ++i)
            if (!is_in(right_head.asked, i))
                fields.push_back(partner == nullptr ? std::string_view() : partner->fields[i]);
        rows.append_row(fields);
    }

    void append_line(joined_row const& left, joined_row const* partner, std::string& lines) const {
        if (!keeps_right()) {
            (lines += left.fields[0]) += '\n';
            return;
        }
        (lines += "{\"left\": ") += left.fields[0];
        (lines += ", \"right\": ") += partner == nullptr ? "null" : partner->fields[0];
        lines += "}\n";
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const&) const override {
        return short_name_of(left_) + " and " + short_name_of(right_);
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const row = [&](char const* name, char const* of) {
            return table_row(name, grouped(report["result"][of].get<std::int64_t>()));
        };
        return row("left", "left") + row("right", "right") + row("matched", "matched") +
               row("records", "records");
    }

    std::string left_;
    std::string right_;
    std::vector<std::string> on_;
    std::vector<std::string> left_keys_;
    std::vector<std::string> right_keys_;
    std::string keep_ = "inner";
    bool json_ = false;
    std::string header_ = "yes";
    std::string delimiter_;
    std::string out_;
};

} // namespace

std::unique_ptr<command> make_join(CLI::App& app) {
    return std::make_unique<join_command>(app);
}

} // namespace weft::tool
