#include "bench_table.hpp"

#include "report/terminal.hpp"
#include <files/csv_row.hpp>

#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace weft::tool {

namespace {

/// With the digits that a time of some microseconds justifies.
std::string rate_as_text(double rate) {
    return fmt::format("{:.6g}", rate);
}

} // namespace

double bench_table::time_once(bench_subject const& subject) const {
    (void)max(comm_, 0); // all begin together
    double const start = transport_of(comm_).seconds();
    subject.run();
    double const took = transport_of(comm_).seconds() - start;
    auto const nanoseconds = static_cast<std::int64_t>((subject.seconds ? subject.seconds() : took) * 1e9);
    return static_cast<double>(max(comm_, nanoseconds)) / 1e9; // the closest number has few digits
}

std::vector<double> bench_table::measure(bench_case const& what, std::vector<bench_subject> const& subjects) {
    std::vector<std::vector<double>> seconds(subjects.size());
    for (bench_subject const& each : subjects) (void)time_once(each);
    // In another order each time, the same on all ranks: what one leaves behind (in caches, in the allocator,
    // of the time that the scheduler owes it) must not always be charged to the same next one.
    std::vector<std::size_t> order(subjects.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(static_cast<unsigned>(rows_.size()));
    for (int repeat = 0; repeat < repeats_; ++repeat) {
        std::ranges::shuffle(order, random);
        for (std::size_t const i : order) seconds[i].push_back(time_once(subjects[i]));
    }
    last_runs_ = seconds;
    std::vector<double> medians;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        std::ranges::sort(seconds[i]);
        double const median = seconds[i][seconds[i].size() / 2];
        medians.push_back(median);
        rows_.push_back({what, subjects[i].name, median, seconds[i].front(), median / medians[0]});
    }
    return medians;
}

std::string bench_table::text() const {
    std::string table = fmt::format("{:<12} {:<24} {:<20} {:>10} {:>10} {:>18} {:>8}\n", "bench", "case",
        "subject", "median", "least", "rate", "ratio");
    for (row const& each : rows_)
        table += fmt::format("{:<12} {:<24} {:<20} {:>10} {:>10} {:>18} {:>8.2f}\n", each.what.bench,
            each.what.name, each.subject, seconds_as_text(each.median), seconds_as_text(each.least),
            fmt::format("{:.4g} {}", each.what.work / each.median, each.what.unit), each.ratio);
    return table + notes_ +
           fmt::format("medians of {} interleaved runs on {} ranks; ratio: to the first subject, by "
                       "time\n",
               repeats_, comm_.size());
}

nlohmann::ordered_json bench_table::json() const {
    auto rows = nlohmann::ordered_json::array();
    for (row const& each : rows_)
        rows.push_back({{"bench", each.what.bench}, {"case", each.what.name}, {"subject", each.subject},
            {"ranks", comm_.size()}, {"bytes", each.what.bytes}, {"degree", each.what.degree},
            {"median_s", each.median}, {"min_s", each.least},
            {"rate", std::stod(rate_as_text(each.what.work / each.median))}, {"unit", each.what.unit}});
    return rows;
}

void bench_table::write_csv(std::string const& file) const {
    std::string lines;
    if (comm_.rank() == 0) {
        lines = "bench,case,subject,ranks,bytes,degree,median_s,min_s,rate,unit\n";
        for (row const& each : rows_)
            append_csv_row(lines, each.what.bench, each.what.name, each.subject, comm_.size(),
                each.what.bytes, each.what.degree, fmt::format("{}", each.median),
                fmt::format("{}", each.least), rate_as_text(each.what.work / each.median), each.what.unit);
    }
    write_text(comm_, file, lines);
}

} // namespace weft::tool
