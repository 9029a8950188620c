/// Containers: any rank inserts, each key lives on one rank. Here the words of a verse are counted, and the
/// length of the longest line of each first letter is kept.
/// Run: mpirun -n 4 example_13_containers
#include <weft/containers/counting_set.hpp>
#include <weft/containers/map.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        char const* const verse[] = {"the weft goes over", "the warp goes under",
            "and the weft goes over the warp", "a cloth is made of both"};

        // [readme]
        weft::mailbox mail{comm};
        weft::counting_set<std::string> words{mail};
        weft::map<char, std::size_t> longest{mail};
        auto keep_longer = longest.reducer([](std::size_t a, std::size_t b) { return std::max(a, b); });

        for (int i = comm.rank(); i < 4; i += comm.size()) { // the lines of this rank
            std::istringstream line{verse[i]};
            for (std::string word; line >> word;) words.insert(word);
            keep_longer(verse[i][0], std::string(verse[i]).size());
        }

        auto const top = words.gather_top_k(2); // collective: waits until all words have arrived
        auto const of_a = longest.find('a');
        // [readme]

        if (comm.rank() == 0)
            std::printf("%s %lld, %s %lld; the longest line with a: %zu\n", top[0].first.c_str(),
                static_cast<long long>(top[0].second), top[1].first.c_str(),
                static_cast<long long>(top[1].second), of_a.value_or(0));
    });
}
