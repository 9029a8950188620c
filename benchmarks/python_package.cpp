// What benchmarks/python_package.py does, in C++: seconds of one round a line, the median of some.
#include <weft/graph/components.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr std::size_t item_count = 1'000'000;
constexpr std::int64_t bin_count = 1 << 16;
constexpr std::int64_t vertex_count = 1 << 20;
constexpr int round_count = 15;

template <class Round>
void measure(weft::communicator const& comm, char const* name, Round&& round) {
    std::vector<double> seconds;
    for (int i = 0; i <= round_count; ++i) {
        (void)weft::all_reduce(comm, 0, std::plus<>()); // all begin together
        auto const begin = std::chrono::steady_clock::now();
        round();
        (void)weft::all_reduce(comm, 0, std::plus<>());
        if (i > 0)
            seconds.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::ranges::nth_element(seconds, seconds.begin() + round_count / 2);
    if (comm.rank() == 0) std::printf("%s %.9f\n", name, seconds[round_count / 2]);
}

} // namespace

int main(int argc, char** argv) {
    weft::environment const env(argc, argv);
    weft::communicator const comm = env.world();
    std::mt19937_64 random(static_cast<std::uint64_t>(comm.rank()));
    std::vector<int> destinations(item_count);
    std::vector<double> items(item_count);
    std::vector<std::int64_t> bins(item_count);
    for (int& each : destinations)
        each = static_cast<int>(random() % static_cast<std::uint64_t>(comm.size()));
    for (double& each : items) each = static_cast<double>(random()) * 0x1p-64;
    for (std::int64_t& each : bins) each = static_cast<std::int64_t>(random() % bin_count);

    measure(comm, "exchange", [&] { (void)weft::exchange(comm, destinations, items); });

    std::vector<std::int64_t> counts(bin_count);
    weft::mailbox mail(comm);
    auto const count = mail.channel<std::int64_t>([&](std::span<std::int64_t const> batch) {
        for (std::int64_t const each : batch) ++counts[static_cast<std::size_t>(each)];
    });
    measure(comm, "histogram", [&] {
        count.send(std::span<int const>(destinations), std::span<std::int64_t const>(bins));
        mail.drain();
    });

    std::vector<weft::edge> edges(item_count);
    for (weft::edge& each : edges)
        each = {static_cast<std::int64_t>(random() % vertex_count),
            static_cast<std::int64_t>(random() % vertex_count)};
    measure(comm, "components", [&] {
        weft::edge_list list;
        list.edges = edges; // which the caller keeps, as in Python
        list.naming = weft::vertex_naming::declared;
        list.vertices = list.rows = list.columns = vertex_count;
        weft::simple_graph const graph(comm, std::move(list));
        (void)weft::find_components(graph);
    });
}
