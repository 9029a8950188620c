/// Sparse exchange: any rank may send to any other, and the exchange finds the senders.
/// Run: mpirun -n 4 example_01_exchange
#include <weft/weft.hpp>

#include <cstdio>
#include <string>

// [readme]
int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        weft::outbox<int> out{comm};
        for (int d = 1; d * d <= comm.size(); ++d) out[(comm.rank() + d * d) % comm.size()].push_back(d);

        std::string heard;
        for (auto [source, items] : weft::exchange(std::move(out)))
            for (int d : items) heard += " " + std::to_string(d) + " from " + std::to_string(source);
        std::printf("rank %d hears%s\n", comm.rank(), heard.c_str());
    });
}
// [readme]
