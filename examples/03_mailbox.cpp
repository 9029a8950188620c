/// Mailbox: small messages to any rank at any time; handlers run where they arrive and may send more.
/// Here the degrees of a ring 0 - 1 - ... - 99 - 0, whose vertex v lives on rank v % P.
/// Run: mpirun -n 4 example_03_mailbox
#include <weft/weft.hpp>

#include <cstdio>
#include <span>
#include <vector>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        // [readme]
        std::vector<int> degree(100);
        weft::mailbox mail{comm};
        auto count = mail.channel<int>([&](std::span<int const> vertices) {
            for (int v : vertices) ++degree[v];
        });
        for (int v = comm.rank(); v < 100; v += comm.size()) {
            int const next = (v + 1) % 100;
            count.send(v % comm.size(), v);
            count.send(next % comm.size(), next);
        }
        mail.drain(); // nothing is in flight anywhere
        // [readme]

        int right = 0;
        for (int v = comm.rank(); v < 100; v += comm.size()) right += degree[v] == 2;
        std::printf("rank %d: %d of its vertices have two neighbours\n", comm.rank(), right);
    });
}
