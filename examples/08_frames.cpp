/// Frames: tasks with global ids lie on any rank and cost unequally. They move to blocks of equal cost, are
/// done there, and the results come back. The same on any number of ranks. Run: mpirun -n 3 example_08_frames
#include <weft/core/run.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        std::vector<weft::global_id> ids; // 10,000 in all, most of them on rank 0
        std::vector<double> costs;        // one in a hundred costs a thousand times as much
        for (weft::global_id id = 0; id < 10'000; ++id) {
            if ((id % 10 == 9 ? id % comm.size() : 0) != comm.rank()) continue;
            ids.push_back(id * 7919 % 10'000);
            costs.push_back(ids.back() % 100 == 0 ? 1000 : 1);
        }
        // [readme]
        auto const balanced = weft::balance_blocks(comm, ids, costs);
        weft::part_to_block const plan{comm, balanced.blocks, ids};
        std::vector<double> const tasks = plan.lowest(costs); // by id, on the rank that has room for them
        std::vector<std::int64_t> results;
        for (std::size_t i = 0; i < tasks.size(); ++i)
            results.push_back(plan.ids()[i] * static_cast<std::int64_t>(tasks[i]));
        std::vector<std::int64_t> const mine = plan.reverse(results); // in the order of `ids`
        // [readme]
        std::int64_t wrong = 0;
        for (std::size_t i = 0; i < ids.size(); ++i)
            wrong += mine[i] != ids[i] * static_cast<std::int64_t>(costs[i]);
        wrong = weft::sum(comm, wrong);
        if (comm.rank() == 0)
            std::printf("10000 tasks, imbalance below 0.1: %s, %ld wrong results\n",
                balanced.imbalance <= 0.1 ? "yes" : "no", static_cast<long>(wrong));
    });
}
