/// `weft-bench`: Weft and its baselines side by side.
#include "bench.hpp"
#include "launch/program.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"

#include <cstdio>
#include <vector>

namespace weft::tool {

namespace {

class bench_command final : public command {
public:
    explicit bench_command(CLI::App& app) {
        parser_ = &app;
        for (auto const make :
            {make_bench_blocks, make_bench_containers, make_bench_exchange, make_bench_frames,
                make_bench_languages, make_bench_mailbox, make_bench_plan, make_bench_read, make_bench_reduce,
                make_bench_termination, make_bench_trace, make_bench_watching}) {
            benchmarks_.push_back(make(*parser_));
            CLI::App& parser = benchmarks_.back()->parser();
            parser.add_option("--repeats", repeats_, "Number of runs of each subject of a comparison")
                ->check(above_zero())
                ->capture_default_str();
            names_output(
                parser.add_option("--csv", csv_, "Write the results to a file, or - for standard output"));
            common_.add_output_to(parser);
        }
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        bench_table table(comm, repeats_);
        for (auto const& each : benchmarks_)
            if (each->parser().parsed()) each->run(comm, table);
        if (!csv_.empty()) table.write_csv(csv_);
        auto report = make_report("bench", comm);
        report["options"]["repeats"] = repeats_;
        report["result"]["rows"] = table.json();
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table()) print(table.text());
    }

private:
    std::vector<std::unique_ptr<benchmark>> benchmarks_;
    common_options common_;
    std::string csv_;
    int repeats_ = 5;
};

std::unique_ptr<command> make_bench(CLI::App& app) {
    return std::make_unique<bench_command>(app);
}

constexpr command_row bench_commands[] = {{"bench", make_bench}};

} // namespace

} // namespace weft::tool

int main(int argc, char** argv) {
    return weft::tool::run_program({.name = "weft-bench",
                                       .description = "Compare the times of Weft with those of other code",
                                       .footer = "Examples:\n  weft-bench -n 2 exchange --rounds 10 --csv "
                                                 "exchange.csv\n  weft-bench -n 2 blocks --case halo",
                                       .commands = weft::tool::bench_commands},
        argc, argv);
}
