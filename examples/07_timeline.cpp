/// The same unbalanced work in rounds of exchange and by iexchange, and a picture of both: where a round
/// waits for its slowest block, iexchange goes on. Run: mpirun -n 4 example_07_timeline timeline.html
#include <weft/io/timeline_file.hpp>
#include <weft/weft.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <thread>

struct parcel {
    std::uint64_t random;
    int hops_left;
};

struct station {
    std::int64_t handled = 0;
};

/// Takes from 0.3 to 9 ms, seldom long.
void work_on(std::uint64_t random) {
    auto const some = static_cast<int>(random >> 60);
    std::this_thread::sleep_for(std::chrono::microseconds(300 + some * some * (some > 11 ? 40 : 8)));
}

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        weft::regular_grid const ring{weft::unit_box(1), 12, {.wrap = true}};
        weft::block_set<station> stations{comm, ring, [](weft::block_id) { return station{}; }};

        auto const begin = [&] {
            stations.for_each_port<parcel>([](station&, weft::block_port<parcel>& port) {
                auto const id = static_cast<std::uint64_t>(index_of(port.id()));
                port.send(port.id(), {id * 0x9E3779B97F4A7C15U, 10});
            });
        };
        auto const pass_on = [](station& here, weft::block_port<parcel>& port) {
            for (parcel each : port.received()) {
                each.random = each.random * 6364136223846793005U + 1442695040888963407U;
                work_on(each.random);
                ++here.handled;
                if (--each.hops_left > 0)
                    port.send(port.link()[(each.random >> 33) % port.link().size()], each);
            }
        };

        weft::timeline_file picture{comm, argc > 1 ? argv[1] : "timeline.html", {.title = "parcels"}};
        begin();
        (void)stations.exchange();
        while (stations.exchange<parcel>(pass_on) > 0) {}
        begin();
        stations.iexchange<parcel>(pass_on);
        {
            weft::timeline_span const here{comm, weft::span_kind::compute, "sum up"};
            work_on(static_cast<std::uint64_t>(comm.rank()) << 61);
        }
        picture.write();

        std::int64_t const handled = stations.all_reduce<std::int64_t>(
            [](station const& here, weft::block_id) { return here.handled; },
            [](std::int64_t a, std::int64_t b) { return a + b; });
        if (comm.rank() == 0)
            std::printf("240 parcels were to be handled, %lld were\n", static_cast<long long>(handled));
    });
}
