/// More containers: a set without duplicates, keys with several values, counts, an array by index, a bag, and
/// sets that are united while edges come. Run: mpirun -n 4 example_18_sets
#include <weft/containers/array.hpp>
#include <weft/containers/bag.hpp>
#include <weft/containers/disjoint_set.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/containers/multiset.hpp>
#include <weft/containers/set.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        weft::mailbox mail{comm};
        weft::set<int> seen{mail};
        weft::multiset<int> lengths{mail};
        weft::multimap<int, int> followers{mail};
        weft::disjoint_set<int> groups{mail};
        weft::bag<int> late{mail};
        weft::array<int> degree{mail, 100};
        auto add = degree.visitor<int>([](int& of, int more) { of += more; });

        // The edges v - v + 10 of 100 vertices: ten paths, each vertex' edge on one rank.
        for (int v = comm.rank(); v < 90; v += comm.size()) {
            seen.insert(v % 7);
            lengths.insert(v % 3);
            followers.insert(v % 10, v);
            groups.union_sets(v, v + 10);
            add(v, 1);
            add(v + 10, 1);
            if (v > 85) late.insert(v);
        }

        // Collective: each waits until all that was sent has been handled.
        auto const groups_found = groups.num_sets();
        auto const distinct = seen.size();
        auto const of_length_0 = lengths.count(0);
        auto const keys = followers.num_keys();
        auto const most =
            late.all_reduce([](int v) { return v; }, [](int a, int b) { return std::max(a, b); });
        std::vector<int> const degrees = degree.gather();
        if (comm.rank() == 0)
            std::printf(
                "%lld groups, %lld different, %lld of length 0, %lld keys, the last %d, degree of 50: %d\n",
                static_cast<long long>(groups_found), static_cast<long long>(distinct),
                static_cast<long long>(of_length_0), static_cast<long long>(keys), most.value_or(-1),
                degrees[50]);
    });
}
