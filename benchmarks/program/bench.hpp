/// The benchmarks of `weft-bench`: each declares its options and fills a table.
#pragma once

#include "bench_table.hpp"
#include "command.hpp"

#include <memory>

namespace weft::tool {

class benchmark : public selectable {
public:
    /// Measures its cases. Collective.
    virtual void run(communicator const& comm, bench_table& table) = 0;
};

std::unique_ptr<benchmark> make_bench_blocks(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_containers(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_plan(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_read(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_reduce(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_exchange(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_frames(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_languages(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_mailbox(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_termination(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_trace(CLI::App& bench);
std::unique_ptr<benchmark> make_bench_watching(CLI::App& bench);

} // namespace weft::tool
