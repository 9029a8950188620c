/// Random walks over blocks, which `simulated_vs_measured.py` runs with MPI and, unchanged, on simulated
/// ranks.
///
/// weft-walks SIDE WALKERS HOPS TIMES: a cube of SIDE blocks a side; WALKERS start in each block and make
/// HOPS hops. Prints the median seconds of the walks in rounds of exchanges, and by iexchange.
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct walker {
    std::uint64_t random;
    std::int64_t hops;
};

struct walks {
    std::int64_t side;
    std::int64_t walkers;
    std::int64_t hops;
    std::int64_t times;
};

using port_of_block = weft::block_port<walker>;

/// The seconds of the slowest rank.
template <class Subject>
double seconds_of(weft::communicator const& comm, Subject&& subject) {
    weft::transport const& clock = weft::transport_of(comm); // real, or simulated
    (void)weft::max(comm, 0);
    double const start = clock.seconds();
    subject();
    return 1e-9 *
           static_cast<double>(weft::max(comm, static_cast<std::int64_t>(1e9 * (clock.seconds() - start))));
}

double median(std::vector<double>& values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

void walk(weft::communicator const& comm, walks const& what) {
    weft::regular_grid<double> const grid(
        weft::unit_box(3), weft::per_dimension<std::int64_t>(what.side), {.wrap = true});
    weft::block_set<std::int64_t> blocks(comm, grid, [](weft::block_id) { return std::int64_t{0}; });
    auto const begin = [&] {
        blocks.for_each_port<walker>([&](std::int64_t&, port_of_block& port) {
            for (std::int64_t i = 0; i < what.walkers; ++i)
                port.send(port.id(), {static_cast<std::uint64_t>(index_of(port.id()) * 1000 + i), what.hops});
        });
    };
    auto const hop = [](std::int64_t& visits, port_of_block& port) {
        for (walker each : port.received()) {
            ++visits;
            if (--each.hops < 0) continue;
            each.random = each.random * 6364136223846793005U + 1442695040888963407U;
            port.send(port.link()[(each.random >> 33) % port.link().size()], each);
        }
    };
    std::vector<double> by_exchange;
    std::vector<double> by_iexchange;
    for (std::int64_t i = 0; i < what.times; ++i) {
        begin();
        by_exchange.push_back(seconds_of(comm, [&] {
            (void)blocks.exchange();
            while (blocks.exchange<walker>(hop) > 0) {}
        }));
        begin();
        by_iexchange.push_back(seconds_of(comm, [&] { blocks.iexchange<walker>(hop); }));
    }
    if (comm.rank() == 0)
        std::printf("exchange,%.9f\niexchange,%.9f\n", median(by_exchange), median(by_iexchange));
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::int64_t> numbers;
    for (int i = 1; i < argc; ++i) numbers.push_back(std::atoll(argv[i]));
    if (numbers.size() != 4 || std::ranges::min(numbers) < 1) {
        std::fputs("usage: weft-walks SIDE WALKERS HOPS TIMES\n", stderr);
        return 2;
    }
    return weft::run(argc, argv, [&](weft::communicator comm) {
        walk(comm, {numbers[0], numbers[1], numbers[2], numbers[3]});
    });
}
