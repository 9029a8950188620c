#include "command.hpp"
#include "item_counter.hpp"
#include "item_input.hpp"
#include "options/output_option.hpp"
#include "report/reporting_command.hpp"
#include "report/table_file.hpp"
#include "texts/examples.hpp"

#include <weft/containers/bag.hpp>
#include <weft/io/write_text.hpp>
#include <weft/mailbox/mailbox.hpp>

namespace weft::tool {

namespace {

class distinct_command final : public reporting_command {
public:
    explicit distinct_command(CLI::App& app)
        : reporting_command(app, "distinct", "List the distinct lines, words or fields of text files") {
        files_.add_to(*parser_);
        names_table(parser_->add_option("--out", out_,
            "Write the items, each once, in the order of their bytes: one per line, or a table with a header "
            "if the name ends in .csv, .tsv or .parquet"));
        common_.add_watched_to(*parser_);
        parser_->footer(examples_of("distinct"));
    }

private:
    void compute(session const& now) override {
        mailbox mail(now.comm);
        item_counter counter(mail);
        std::int64_t const records =
            files_.read(now, [&counter](std::string_view item) { counter.add(item); });
        now.progress.phase("finding what differs");
        counter.send();
        auto const& counts = counter.counts();
        auto& result = now.report["result"];
        if (files_.item() != std::string_view("word")) result["records"] = records;
        result["items"] = counts.total();
        result["distinct"] = counts.size();
        result["once"] =
            counts
                .all_reduce(
                    [](std::string const&, std::int64_t count) -> std::int64_t { return count == 1 ? 1 : 0; },
                    [](std::int64_t a, std::int64_t b) { return a + b; })
                .value_or(0);
        now.watch.lap("compute");
        if (!out_.empty()) write(now, mail, counts);
    }

    void write(session const& now, mailbox& mail, counting_set<std::string> const& counts) const {
        now.progress.phase("writing " + out_);
        now.report["options"]["out"] = out_;
        bag<std::string> sorted(mail);
        counts.for_each_local([&](std::string const& item, std::int64_t) { sorted.insert(item); });
        sorted.sort();
        table_style const style = style_of_table(out_, table_style::another);
        if (style == table_style::another) {
            std::string lines;
            for (std::string const& each : sorted.local()) (lines += each) += '\n';
            write_text(now.comm, out_, lines);
        } else {
            table_rows rows(out_, style, {{files_.item(), column_kind::words}});
            for (std::string const& each : sorted.local()) rows.append(each);
            rows.write(now.comm);
        }
        now.watch.lap("write");
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const&) const override {
        return files_.short_name();
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const row = [&](std::string const& name, char const* of) {
            return result.contains(of) ? table_row(name, grouped(result[of].get<std::int64_t>())) : "";
        };
        return row("records", "records") + row(std::string(files_.item()) + "s", "items") +
               row("distinct", "distinct") + row("once", "once");
    }

    item_input files_;
    std::string out_;
};

} // namespace

std::unique_ptr<command> make_distinct(CLI::App& app) {
    return std::make_unique<distinct_command>(app);
}

} // namespace weft::tool
