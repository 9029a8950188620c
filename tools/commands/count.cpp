#include "command.hpp"
#include "item_counter.hpp"
#include "item_input.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "report/doubling_rows.hpp"
#include "report/reporting_command.hpp"
#include "report/table_file.hpp"
#include "texts/examples.hpp"
#include "texts/shown_text.hpp"

#include <weft/containers/bag.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace weft::tool {

namespace {

using counted_item = std::pair<std::string, std::int64_t>;

/// The most frequent first.
bool is_more_frequent(counted_item const& a, counted_item const& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
}

class count_command final : public reporting_command {
public:
    explicit count_command(CLI::App& app)
        : reporting_command(app, "count", "Count how often lines, words or fields of text files occur") {
        files_.add_to(*parser_);
        parser_->add_option("--top", top_, "The number of items to show, the most frequent first")
            ->check(at_least(0))
            ->capture_default_str();
        parser_->add_flag("--histogram", histogram_,
            "Also print the numbers of items that occur once, twice, three times ...");
        names_table(parser_->add_option("--out", out_,
            std::string("Write all items with their counts, the most frequent first. ") + table_help));
        common_.add_watched_to(*parser_);
        parser_->footer(examples_of("count"));
    }

private:
    void compute(session const& now) override {
        mailbox mail(now.comm);
        item_counter counter(mail);
        std::int64_t const records =
            files_.read(now, [&counter](std::string_view item) { counter.add(item); });
        now.progress.phase("counting");
        counter.send();
        auto const& counts = counter.counts();
        auto& result = now.report["result"];
        if (files_.item() != std::string_view("word")) result["records"] = records;
        result["items"] = counts.total();
        result["distinct"] = counts.size();
        auto& top = result["top"] = nlohmann::ordered_json::array();
        for (auto const& [item, count] : counts.gather_top_k(top_))
            top.push_back({{"item", item}, {"count", count}});
        if (histogram_) report_histogram(counts, result);
        now.watch.lap("compute");
        now.report["options"]["top"] = top_;
        if (!out_.empty()) write(now, mail, counts);
    }

    void report_histogram(counting_set<std::string> const& counts, nlohmann::ordered_json& result) {
        using histogram = std::map<std::int64_t, std::int64_t>;
        auto const all = counts.all_reduce(
            [](std::string const&, std::int64_t count) {
                return histogram{{count, 1}};
            },
            [](histogram a, histogram const& b) {
                for (auto const& [count, items] : b) a[count] += items;
                return a;
            });
        drawn_ = all.value_or(histogram());
        auto& rows = result["histogram"] = nlohmann::ordered_json::object();
        for (auto const& [count, items] : drawn_) rows[std::to_string(count)] = items;
    }

    void write(session const& now, mailbox& mail, counting_set<std::string> const& counts) const {
        now.progress.phase("writing " + out_);
        now.report["options"]["out"] = out_;
        bag<counted_item> sorted(mail);
        counts.for_each_local(
            [&](std::string const& item, std::int64_t count) { sorted.insert(counted_item(item, count)); });
        sorted.sort(is_more_frequent);
        table_rows rows(
            out_, style_of_table(out_), {{files_.item(), column_kind::words}, {"count", column_kind::whole}});
        for (auto const& [item, count] : sorted.local()) rows.append(item, count);
        rows.write(now.comm);
        now.watch.lap("write");
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const&) const override {
        return files_.short_name();
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const items = result["items"].get<std::int64_t>();
        std::string rows;
        if (result.contains("records"))
            rows += table_row("records", grouped(result["records"].get<std::int64_t>()));
        rows += table_row(std::string(files_.item()) + "s", grouped(items)) +
                table_row("distinct", grouped(result["distinct"].get<std::int64_t>()));
        if (!result["top"].empty()) rows += "\n  most frequent\n";
        for (auto const& each : result["top"]) {
            auto const count = each["count"].get<std::int64_t>();
            rows += fmt::format("  {:>15}  {:5.1f} %  {}\n", grouped(count),
                100.0 * static_cast<double>(count) / static_cast<double>(std::max<std::int64_t>(items, 1)),
                shown_text(each["item"].get<std::string>()));
        }
        if (histogram_) rows += "\n" + draw_doubling(drawn_, "times", "distinct");
        return rows;
    }

    item_input files_;
    std::int64_t top_ = 10;
    bool histogram_ = false;
    std::string out_;
    std::map<std::int64_t, std::int64_t> drawn_;
};

} // namespace

std::unique_ptr<command> make_count(CLI::App& app) {
    return std::make_unique<count_command>(app);
}

} // namespace weft::tool
