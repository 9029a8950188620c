/// Files for tests: one folder for all ranks of a run.
#pragma once

#include <harness/mpi_test.hpp>

#include <weft/exchange/exchange.hpp>
#include <weft/graph/edge_list.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <unistd.h>

namespace weft_test {

/// Returns when all ranks have called.
inline void meet() {
    (void)weft::sum(world(), 0);
}

/// A test with a folder that is empty at its beginning, and removed at its end.
class with_folder : public testing::Test {
protected:
    void SetUp() override {
        auto const mark = weft::max(world(), rank() == 0 ? ::getpid() : 0);
        folder_ = std::filesystem::temp_directory_path() / ("weft_io_test." + std::to_string(mark));
        if (rank() == 0) std::filesystem::create_directories(folder_);
        meet();
    }
    void TearDown() override {
        meet();
        if (rank() == 0) std::filesystem::remove_all(folder_);
    }

    [[nodiscard]] std::filesystem::path path(std::string const& name) const { return folder_ / name; }

    /// Makes a file with this content, for all ranks.
    std::filesystem::path file(std::string const& name, std::string_view content) const {
        std::filesystem::path const made = path(name);
        meet(); // no rank still reads a file of the same name
        if (rank() == 0) {
            std::ofstream out(made, std::ios::binary);
            out.write(content.data(), static_cast<std::streamsize>(content.size()));
        }
        meet();
        return made;
    }

    static std::string content_of(std::filesystem::path const& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    std::filesystem::path folder_;
};

struct weighted_edge {
    std::int64_t source;
    std::int64_t target;
    double weight;
    friend bool operator==(weighted_edge const&, weighted_edge const&) = default;
    friend auto operator<=>(weighted_edge const&, weighted_edge const&) = default;
};

/// Returns the edges of all ranks, in the order of ranks, on all ranks; without weights they have weight 1.
inline std::vector<weighted_edge> edges_of_all(weft::edge_list const& graph) {
    weft::outbox<weighted_edge> out{world()};
    for (int to = 0; to < size(); ++to)
        for (std::size_t i = 0; i < graph.edges.size(); ++i)
            out[to].push_back(
                {graph.edges[i].source, graph.edges[i].target, graph.weights.empty() ? 1 : graph.weights[i]});
    return weft::exchange(std::move(out)).concatenate();
}

inline std::vector<weighted_edge> sorted(std::vector<weighted_edge> edges) {
    std::sort(edges.begin(), edges.end());
    return edges;
}

/// Returns the labels of the edges of all ranks as "source target", in the order of ranks.
inline std::vector<std::string> labels_of_all(weft::edge_list const& graph) {
    weft::outbox<std::string> out{world()};
    for (int to = 0; to < size(); ++to)
        for (weft::edge const& each : graph.edges)
            out[to].push_back(graph.names[static_cast<std::size_t>(each.source)] + " " +
                              graph.names[static_cast<std::size_t>(each.target)]);
    return weft::exchange(std::move(out)).concatenate();
}

} // namespace weft_test
