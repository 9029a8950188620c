#include "bench.hpp"
#include "report/terminal.hpp"

#include <weft/core/buffer.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/io/generators.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/io/write_graph.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace weft::tool {

namespace {

/// Parsing a graph file, against reading its bytes and against copying them in memory: the parser's limits.
class bench_read final : public benchmark {
public:
    explicit bench_read(CLI::App& bench) {
        parser_ = bench.add_subcommand(
            "read", "Compare parsing a graph file with reading its bytes and with copying them in memory");
        parser_->add_option(
            "GRAPH", file_, "A plain graph file (default: an R-MAT edge list of about 100 MB)");
    }

    void run(communicator const& comm, bench_table& table) override {
        if (!file_.empty()) {
            measure(comm, file_, table);
            return;
        }
        auto const made = (std::filesystem::temp_directory_path() / "weft-bench-read.txt").string();
        write_graph(comm, generate_rmat(comm, {.scale = 19, .edge_factor = 14}), made);
        measure(comm, made, table);
        if (comm.rank() == 0) std::filesystem::remove(made);
    }

private:
    static void measure(communicator const& comm, std::string const& file, bench_table& table) {
        std::int64_t bytes = 0;
        agreed(comm, [&] {
            std::error_code failed;
            bytes = static_cast<std::int64_t>(std::filesystem::file_size(file, failed));
            if (failed) throw io_error(file + ": cannot read its size: " + failed.message());
        });
        auto const [first, last] = detail::even_shares(bytes, comm.size())[comm.rank()];
        auto const share = static_cast<std::size_t>(last - first);
        constexpr std::size_t block = std::size_t{1} << 20;
        buffer from(share);
        buffer into(std::max(share, block));
        std::memset(from.data(), 1, from.size());
        std::memset(into.data(), 1, into.size());
        auto const read_bytes = [&] {
            std::ifstream stream(file, std::ios::binary);
            stream.seekg(first);
            for (std::size_t done = 0; done < share; done += block)
                stream.read(reinterpret_cast<char*>(into.data()),
                    static_cast<std::streamsize>(std::min(block, share - done)));
        };
        table.measure({"read", bytes_as_text(bytes), 0, 0, static_cast<double>(bytes) / comm.size() / 1e6,
                          "MB/s a rank"},
            {{"read_graph", [&] { (void)read_graph(comm, file); }}, {"bytes of the file", read_bytes},
                {"memory copy", [&] { std::memcpy(into.data(), from.data(), share); }}});
    }

    std::string file_;
};

} // namespace

std::unique_ptr<benchmark> make_bench_read(CLI::App& bench) {
    return std::make_unique<bench_read>(bench);
}

} // namespace weft::tool
