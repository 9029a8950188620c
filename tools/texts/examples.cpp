#include "texts/examples.hpp"

#include <array>

namespace weft::tool {

namespace {

struct example {
    std::string_view command;
    std::string_view line;
};

// In the order in which they are shown; tests/tools/documents_test.py runs all of them.
constexpr std::array examples = {
    example{"describe", "weft describe brain.nii.gz"},
    example{"describe", "weft -n 4 describe wind.nc --json -"},
    example{"describe", "weft describe my_graph.mtx"},
    example{"contour", "weft -n 4 contour brain.nii.gz --iso 89.5 --out brain.vtp --out brain.stl"},
    example{"contour",
        "weft -n 4 contour part.vtk --field temperature --iso 300,350 --carry pressure --image part.png"},
    example{"slice", "weft -n 4 slice brain.nii.gz --plane z=3.5 --image slice.png"},
    example{"slice", "weft -n 2 slice part.vtk --field temperature --plane 1,1,0,0.75 --out slice.vtp"},
    example{"threshold", "weft -n 4 threshold part.vtk --field temperature --least 300 --any --out hot.vtu"},
    example{"generate rmat", "weft -n 4 generate rmat --scale 12 --out graph.txt"},
    example{"generate erdos-renyi",
        "weft generate erdos-renyi --vertices 1000 --average-degree 8 --out graph.txt"},
    example{"generate graph", "weft -n 4 generate graph rgg:10000:8,dimensions=3 --out graph.txt"},
    example{"generate plummer", "weft -n 4 generate plummer --particles 1000 --out cluster.dat"},
    example{"convert", "weft -n 4 convert roads.gr.xz roads.wgraph"},
    example{"convert", "weft -n 2 convert rmat:16 my_graph.mtx"},
    example{"graph", "weft -n 4 graph my_graph.mtx components bfs:1 pagerank"},
    example{"graph", "weft -n 2 graph roads.gr.xz sssp:1,directed,distances=lengths.csv cores,top=3"},
    example{"graph500", "weft -n 4 graph500 --scale 18 --json report.json"},
    example{"count", "weft -n 4 count book.txt --words --top 5"},
    example{"count", "weft -n 2 count people.csv --field city --histogram --out counts.csv"},
    example{"count", "weft count events.ndjson --json-path user.name"},
    example{"distinct", "weft -n 4 distinct book.txt --words --out words.txt"},
    example{"join", "weft -n 4 join people.csv cities.csv --on city=name --out joined.csv"},
    example{"join", "weft join people.csv cities.csv --on city=name --keep anti --out unknown.csv"},
    example{"join", "weft join events.ndjson users.ndjson --ndjson --on user.name=name --out joined.ndjson"},
    example{"info", "weft -n 4 info"},
    example{"info", "weft info --json -"},
    example{"tune", "weft -n 4 tune --seconds 5 --dry-run"},
    example{"top", "weft top --once"},
    example{"top", "weft top --once --json -"},
    example{"weft-bench exchange", "weft-bench -n 2 exchange --rounds 10 --csv exchange.csv"},
    example{"weft-bench mailbox", "weft-bench -n 2 mailbox --case histogram --items 10000"},
    example{"weft-bench blocks", "weft-bench -n 2 blocks --case halo"},
    example{"weft-bench reduce", "weft-bench -n 2 reduce --bytes 65536 --operator sum"},
    example{"weft-bench termination", "weft-bench -n 2 termination --case empty"},
    example{
        "simulate exchange", "weft simulate exchange --machine jaguar --ranks 64 1024 --plot exchange.png"},
    example{"simulate mailbox", "weft simulate mailbox --machine jaguar --ranks 36 --items 200 --csv -"},
    example{"simulate reduce",
        "weft simulate reduce --machine intrepid --ranks 64 1024 --bytes 4194304 --plot reduce.png"},
    example{"simulate frames", "weft simulate frames --machine jaguar --ranks 64 --plot frames.png"},
    example{"simulate iexchange", "weft simulate iexchange --machine jaguar --ranks 32"},
    example{"simulate bfs", "weft simulate bfs --machine bigred --ranks 64 256"},
    example{"reproduce", "weft reproduce"},
    example{"reproduce", "weft reproduce dsde figure-2 --small --plot figure_2.png"},
};

} // namespace

std::string examples_of(std::string_view command) {
    std::string text;
    for (example const& each : examples)
        if (each.command == command)
            text += (text.empty() ? "Examples:\n  " : "\n  ") + std::string(each.line);
    return text;
}

} // namespace weft::tool
