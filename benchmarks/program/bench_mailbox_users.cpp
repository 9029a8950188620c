#include "bench_mailbox_users.hpp"

#include <weft/graph/column_matrix.hpp>
#include <weft/graph/degrees.hpp>
#include <weft/graph/sparse_matrix.hpp>
#include <weft/io/generators.hpp>

#include <fmt/format.h>

#include <vector>

namespace weft::tool {

void bench_mailbox_users(communicator const& comm, bench_table& table, int scale) {
    rmat_options options;
    options.scale = scale;
    sparse_matrix matrix(comm, generate_rmat(comm, options));
    column_matrix by_columns(matrix);
    std::vector<double> const x(static_cast<std::size_t>(matrix.local_columns()), 1.0);
    std::vector<double> y(static_cast<std::size_t>(matrix.local_rows()));
    double const entries = static_cast<double>(matrix.entry_count()) / comm.size();
    table.measure({"mailbox", fmt::format("product, R-MAT {}", scale), 8, 0, entries / 1e6, "M entries/s"},
        {{"exchange plan", [&] { matrix.multiply(x, y); }}, {"mailbox", [&] { by_columns.multiply(x, y); }}});

    simple_graph const graph(comm, generate_rmat(comm, options));
    double const edges = static_cast<double>(graph.edge_count()) / comm.size();
    table.measure({"mailbox", fmt::format("degrees, R-MAT {}", scale), 8, 0, edges / 1e6, "M edges/s"},
        {{"exchange", [&] { (void)find_degrees(graph, degree_engine::exchange); }},
            {"mailbox", [&] { (void)find_degrees(graph, degree_engine::mailbox); }}});
}

} // namespace weft::tool
