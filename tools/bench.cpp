#include "bench_table.hpp"
#include "command.hpp"

#include <weft/core/buffer.hpp>
#include <weft/core/error.hpp>
#include <weft/io/generators.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/io/write_graph.hpp>
#include <weft/protocol/agreement.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace weft::tool {

namespace {

/// Reading a graph file, against reading its bytes and against copying them in memory: the parser's limits.
class bench_command final : public command {
public:
    explicit bench_command(CLI::App& app) {
        parser_ = app.add_subcommand("bench", "Measure Weft and its baselines side by side");
        parser_->require_subcommand(1);
        read_ = parser_->add_subcommand(
            "read", "Parse a graph file, against reading its bytes and copying them in memory");
        read_->add_option("GRAPH", file_, "A plain graph file; not given: an RMAT edge list of about 100 MB");
        read_->add_option("--repeats", repeats_, "Runs of each subject")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        read_->add_option("--csv", csv_, "Write the results to a file");
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        bool const generated = file_.empty();
        if (generated) {
            file_ = (std::filesystem::temp_directory_path() / "weft-bench-read.txt").string();
            write_graph(comm, generate_rmat(comm, {.scale = 19, .edge_factor = 14}), file_);
        }
        bench_table table(comm, repeats_);
        measure_read(comm, table);
        if (generated && comm.rank() == 0) std::filesystem::remove(file_);
        if (!csv_.empty()) table.write_csv(csv_);
        if (comm.rank() == 0) std::fputs(table.text().c_str(), stdout);
    }

private:
    void measure_read(communicator const& comm, bench_table& table) const {
        std::int64_t bytes = 0;
        agreed(comm, [&] {
            std::error_code failed;
            bytes = static_cast<std::int64_t>(std::filesystem::file_size(file_, failed));
            if (failed) throw io_error(file_ + ": cannot read its size: " + failed.message());
        });
        std::int64_t const first = bytes * comm.rank() / comm.size();
        auto const share = static_cast<std::size_t>(bytes * (comm.rank() + 1) / comm.size() - first);
        constexpr std::size_t block = std::size_t{1} << 20;
        buffer from(share);
        buffer into(std::max(share, block));
        std::memset(from.data(), 1, from.size());
        std::memset(into.data(), 1, into.size());
        auto const read_bytes = [&] {
            std::ifstream file(file_, std::ios::binary);
            file.seekg(first);
            for (std::size_t done = 0; done < share; done += block)
                file.read(reinterpret_cast<char*>(into.data()),
                    static_cast<std::streamsize>(std::min(block, share - done)));
        };
        table.measure({"read", fmt::format("{}", bytes_as_text(bytes)), bytes / comm.size(), 0,
                          static_cast<double>(bytes) / comm.size() / 1e6, "MB/s a rank"},
            {{"read_graph", [&] { (void)read_graph(comm, file_); }}, {"bytes of the file", read_bytes},
                {"memory copy", [&] { std::memcpy(into.data(), from.data(), share); }}});
    }

    CLI::App* read_ = nullptr;
    std::string file_;
    std::string csv_;
    int repeats_ = 5;
};

} // namespace

std::unique_ptr<command> make_bench(CLI::App& app) {
    return std::make_unique<bench_command>(app);
}

} // namespace weft::tool
