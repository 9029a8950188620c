/// Connected components of a graph file, through the library.
/// Run: mpirun -n 4 example_02_components my_graph.mtx
#include <weft/graph/components.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/weft.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        if (argc != 2) throw weft::usage_error("expected a file with a graph");
        weft::simple_graph graph{comm, weft::read_graph(comm, argv[1])};
        weft::component_labels found = weft::find_components(graph);
        if (comm.rank() == 0)
            std::printf("%lld vertices, %lld edges, %lld components, the largest of %lld\n",
                static_cast<long long>(graph.vertex_count()), static_cast<long long>(graph.edge_count()),
                static_cast<long long>(found.components),
                static_cast<long long>(found.largest.empty() ? 0 : found.largest.front()));
    });
}
