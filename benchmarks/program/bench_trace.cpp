#include "bench.hpp"
#include "options/number_check.hpp"

#include <tracing/synthetic_flow.hpp>
#include <tracing/tracer.hpp>

#include <fmt/format.h>

#include <array>

namespace weft::tool {

namespace {

class bench_trace final : public benchmark {
public:
    explicit bench_trace(CLI::App& bench) {
        parser_ = bench.add_subcommand("trace",
            "Trace particles in the synthetic flow of the iexchange paper (LDAV 2021, section 4.1.1) by "
            "exchange and by iexchange, and compare with its Table 1 for this number of ranks");
        parser_->add_option("--blocks", blocks_, "Blocks of a rank")
            ->check(above_zero())
            ->capture_default_str();
        parser_
            ->add_option("--imbalance", imbalances_,
                "Speed outside of the blocks on the diagonal of the cube divided by the speed inside of them")
            ->check(between(1.0, 1e6))
            ->capture_default_str();
        parser_->add_option("--cells", cells_, "Number of cells along an edge of the cube")
            ->check(between(1, 4096))
            ->capture_default_str();
        parser_
            ->add_option("--seeds-per-cell", seeds_,
                "Number of particles in each cell along y and along z; they start at x = 0")
            ->check(between(1, 64))
            ->capture_default_str();
        parser_
            ->add_option("--fast", fast_,
                "Number of cells through which a particle moves in a unit of time where the flow is fast")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--step-size", step_, "Time of a step")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--threads", threads_, "Blocks that a rank works on at once")
            ->capture_default_str();
        parser_
            ->add_option(
                "--assignment", assignment_, "Assignment of blocks to ranks: contiguous along x, or in turn")
            ->check(CLI::IsMember({"contiguous", "round-robin"}))
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        table_1_ = fmt::format("\n{:<12}{:>10}", "", "blocks");
        for (double const imbalance : imbalances_)
            table_1_ += fmt::format("{:>16}", fmt::format("time (s) {:g}:1", imbalance));
        table_1_ += fmt::format("\n{:<12}{:>10}", "protocol", "a rank");
        for (std::size_t i = 0; i < imbalances_.size(); ++i)
            table_1_ +=
                fmt::format("{:>16}", fmt::format("{} rank{}", comm.size(), comm.size() == 1 ? "" : "s"));
        std::array<std::vector<std::vector<double>>, 2> medians; // by engine, blocks, imbalance
        for (std::int64_t const blocks : blocks_) {
            for (auto& of_engine : medians) of_engine.emplace_back();
            for (double const imbalance : imbalances_) {
                std::vector<double> const found = measure(comm, table, blocks, imbalance);
                for (std::size_t e = 0; e < 2; ++e) medians[e].back().push_back(found[e]);
            }
        }
        for (std::size_t e = 0; e < 2; ++e)
            for (std::size_t b = 0; b < blocks_.size(); ++b) {
                table_1_ += fmt::format("\n{:<12}{:>10}",
                    b > 0    ? ""
                    : e == 0 ? "exchange"
                             : "iexchange",
                    blocks_[b]);
                for (double const median : medians[e][b]) table_1_ += fmt::format("{:>16.4f}", median);
            }
        table.note(table_1_ + "\n");
    }

private:
    [[nodiscard]] std::vector<double> measure(
        communicator const& comm, bench_table& table, std::int64_t blocks, double imbalance) const {
        synthetic_flow const field({.fast = fast_, .slow = fast_ / imbalance, .n = cells_});
        tracer with(comm, field,
            {.blocks = blocks * comm.size(),
                .threads = threads_,
                .round_robin = assignment_ == "round-robin"});
        std::int64_t const along = seeds_ * cells_;
        std::vector<seed> const seeds =
            make_seeds(comm, field, fmt::format("plane:x=0,{},{}", along, along), 1);
        trace_options options;
        options.rule.step = step_;
        options.rule.max_steps = std::int64_t{1} << 40;
        double seconds = 0;
        std::int64_t steps = 0;
        auto const by = [&](trace_engine engine) {
            return [&, engine] {
                options.engine = engine;
                traces const found = with.trace(seeds, options);
                seconds = found.seconds;
                steps = found.totals.steps;
            };
        };
        by(trace_engine::exchange)(); // to know how many steps there are
        return table.measure({"trace", fmt::format("{} blocks, {:g}:1", blocks, imbalance), 0, 0,
                                 static_cast<double>(steps) / 1e6 / comm.size(), "M steps/s a rank"},
            {{"exchange", by(trace_engine::exchange), [&] { return seconds; }},
                {"iexchange", by(trace_engine::iexchange), [&] { return seconds; }}});
    }

    std::vector<std::int64_t> blocks_{1, 2, 4, 8, 16};
    std::vector<double> imbalances_{1, 10};
    std::int64_t cells_ = 32;
    std::int64_t seeds_ = 4;
    double fast_ = 10;
    double step_ = 0.1;
    int threads_ = 1;
    std::string assignment_ = "contiguous";
    std::string table_1_;
};

} // namespace

std::unique_ptr<benchmark> make_bench_trace(CLI::App& bench) {
    return std::make_unique<bench_trace>(bench);
}

} // namespace weft::tool
