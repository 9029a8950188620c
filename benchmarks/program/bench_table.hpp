/// Measuring side by side: every benchmark interleaves its subjects and prints medians and ratios.
#pragma once

#include <weft/core/communicator.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft::tool {

/// One thing that is timed. The first subject of a case is the one that the others are compared with.
struct bench_subject {
    std::string name;
    std::function<void()> run; ///< collective
    /// The time of the last run, where not all of it counts; not given: the time of `run`. Of this rank.
    std::function<double()> seconds = {};
};

/// A measurement: the row heads of the table and the columns of the CSV file.
struct bench_case {
    std::string bench;
    std::string name;
    std::int64_t bytes = 0;  ///< of a message or an item; 0 where they differ
    std::int64_t degree = 0; ///< messages a rank, where that means something
    double work = 0;         ///< a rank, in `unit` times seconds, so that rate = work / seconds
    std::string unit;
};

/// Times cases and keeps the results.
class bench_table {
public:
    bench_table(communicator comm, int repeats) : comm_(std::move(comm)), repeats_(repeats) {}

    /// Runs each subject once without timing it, then all of them, `repeats` times, each time in another
    /// order. A time is that of the slowest rank. Returns the medians, by subject. Collective.
    std::vector<double> measure(bench_case const& what, std::vector<bench_subject> const& subjects);

    /// The seconds of each run of the last case, by subject; those at one place were made one after the
    /// other.
    [[nodiscard]] std::vector<std::vector<double>> const& last_runs() const noexcept { return last_runs_; }

    /// A line below the table. On rank 0 alone is enough.
    void note(std::string line) { notes_ += line + "\n"; }

    /// A table of medians, rates and ratios to the first subject of each case.
    [[nodiscard]] std::string text() const;
    /// The rows of the CSV file as objects, with the same names. On rank 0.
    [[nodiscard]] nlohmann::ordered_json json() const;
    /// Writes `bench,case,subject,ranks,bytes,degree,median_s,min_s,rate,unit`. Collective. Throws:
    /// `io_error`.
    void write_csv(std::string const& file) const;

private:
    struct row {
        bench_case what;
        std::string subject;
        double median;
        double least;
        double ratio;
    };

    [[nodiscard]] double time_once(bench_subject const& subject) const;

    communicator comm_;
    int repeats_;
    std::vector<row> rows_;
    std::vector<std::vector<double>> last_runs_;
    std::string notes_;
};

} // namespace weft::tool
