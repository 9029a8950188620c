// A program that reads a graph and finds its components: weft::io, which brings weft::graph.
#include <weft/core/error.hpp>
#include <weft/graph/components.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/io/write_text.hpp>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    weft::write_text(comm, "two_edges.txt", comm.rank() == 0 ? "1 2\n2 3\n" : "4 5\n");
    weft::simple_graph const graph{comm, weft::read_graph(comm, "two_edges.txt")};
    if (weft::find_components(graph).components != comm.size()) return 1;
    try { // thrown in one library, caught in this program
        (void)weft::read_graph(comm, "no_such_file.txt");
        return 1;
    } catch (weft::io_error const&) { return 0; }
}
