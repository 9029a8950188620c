/// Values of all ranks: reductions by any operator in the order of the ranks, arrays in place, sorting,
/// numbers for ids, and a directory that says where an id lies. Run: mpirun -n 4 example_16_collectives
#include <weft/collective/arrays.hpp>
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/frames/directory.hpp>
#include <weft/frames/numbering.hpp>
#include <weft/frames/sort_by_key.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        int const rank = comm.rank();
        std::string const letter(1, static_cast<char>('a' + rank % 26));
        std::string const word = weft::all_reduce(comm, letter, std::plus<>{}); // "abc": not commutative
        std::string const until = weft::scan(comm, letter, std::plus<>{});      // "ab" on rank 1
        std::vector<std::string> const letters = weft::all_gather(comm, letter);
        double const step = weft::broadcast(comm, rank == 0 ? 0.25 : 0.0);

        std::vector<double> field(1000, rank);
        weft::all_reduce(comm, std::span(field), [](double a, double b) { return std::max(a, b); });
        auto const share = weft::reduce_scatter(comm, std::span(field), std::plus<>{}); // a part per rank

        // Items 3, 13, 23, ... of rank 3: sorted over all ranks, each rank with about as many.
        std::vector<weft::global_id> keys;
        for (int i = 0; i < 10; ++i) keys.push_back(weft::global_id{10 * i + rank});
        weft::sorted_items<int> const sorted =
            weft::sort_by_key<int>(comm, keys, std::vector<int>(keys.size(), rank));
        weft::global_numbers const numbers = weft::number_ids(comm, keys); // 0, 1, 2, ... for the ids in use
        weft::directory const where{comm, keys};
        std::vector<weft::global_id> const asked{weft::global_id{90}};
        weft::item_location const found = where.find(asked)[0].front();

        // Of many ranks the last may have no share of the field, and no keys.
        double const greatest = share.empty() ? 0 : share.front() / comm.size();
        auto const last_key = sorted.keys.empty() ? weft::global_id{-1} : sorted.keys.back();
        if (rank == comm.size() - 1)
            std::printf("%s, up to here %s, from %zu ranks; step %.2f; greatest %.0f in a share of %zu; "
                        "keys up to %lld of %lld; id 90 is on rank %d at %lld\n",
                word.c_str(), until.c_str(), letters.size(), step, greatest, share.size(),
                static_cast<long long>(last_key), static_cast<long long>(numbers.count), found.rank,
                static_cast<long long>(found.position));
    });
}
