/// Containers of YGM, filled with the inputs of `weft-bench containers`: containers_ygm CASE ITEMS SCALE
/// REPEATS. Prints an answer, and the seconds of each run on the slowest rank.
/// `benchmarks/containers_vs_ygm.py` builds and runs it.
#include "../program/container_inputs.hpp"

#include <ygm/comm.hpp>
#include <ygm/container/array.hpp>
#include <ygm/container/counting_set.hpp>
#include <ygm/container/disjoint_set.hpp>
#include <ygm/container/map.hpp>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>

namespace {

using namespace container_inputs;

/// Runs `fill` once and then `repeats` times, each followed by `clear`, which does not count.
template <class Fill, class Answer, class Clear>
void measure(ygm::comm& world, int repeats, Fill fill, Answer answer, Clear clear) {
    for (int run = 0; run <= repeats; ++run) {
        world.barrier();
        auto const start = std::chrono::steady_clock::now();
        fill();
        world.barrier();
        double const seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        double const slowest = ygm::max(seconds, world);
        auto const found = answer();
        if (world.rank0())
            std::cout << (run == 0 ? "answer " : "seconds ")
                      << (run == 0 ? static_cast<double>(found) : slowest) << std::endl;
        clear();
    }
}

} // namespace

int main(int argc, char** argv) {
    ygm::comm world(&argc, &argv);
    if (argc != 5) return 2;
    std::string const name = argv[1];
    std::int64_t const each = std::atoll(argv[2]) / world.size();
    int const scale = std::atoi(argv[3]);
    int const repeats = std::atoi(argv[4]);
    std::int64_t const first = each * world.rank();
    std::cout.precision(9);
    if (name == "words") {
        std::string const text = zipf_text(each, world.rank());
        std::vector<std::string> words; // its containers take no views
        for_each_word(text, [&](std::string_view word) { words.emplace_back(word); });
        ygm::container::counting_set<std::string> counts(world);
        measure(
            world, repeats,
            [&] {
                for (auto const& word : words) counts.async_insert(word);
            },
            [&] { return counts.size(); }, [&] { counts.clear(); });
    } else if (name == "keys") {
        std::vector<std::string> keys;
        for (std::int64_t i = 0; i < each; ++i) keys.push_back(text_key(first + i));
        ygm::container::map<std::string, std::int64_t> entries(world);
        measure(
            world, repeats,
            [&] {
                for (auto const& key : keys) entries.async_insert(key, 1);
            },
            [&] { return entries.size(); }, [&] { entries.clear(); });
    } else if (name == "sets") {
        std::int64_t const edges = (std::int64_t{16} << scale) / world.size();
        auto const mine = rmat_edges(scale, edges * world.rank(), edges * (world.rank() + 1));
        ygm::container::disjoint_set<std::int64_t> sets(world);
        measure(
            world, repeats,
            [&] {
                for (auto const& [a, b] : mine) sets.async_union(a, b);
            },
            [&] { return sets.num_sets(); }, [&] { sets.clear(); });
    } else if (name == "array") {
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < each; ++i) places.push_back(array_place(first + i));
        ygm::container::array<std::int64_t> all(world, array_items);
        measure(
            world, repeats,
            [&] {
                for (std::int64_t const place : places)
                    all.async_binary_op_update_value(
                        static_cast<std::size_t>(place), 1, std::plus<std::int64_t>());
            },
            [&] {
                double squares = 0;
                all.for_all([&](auto const, auto const& value) {
                    squares += static_cast<double>(value) * static_cast<double>(value);
                });
                return ygm::sum(squares, world);
            },
            [&] { all.for_all([](auto const, auto& value) { value = 0; }); });
    } else {
        return 2;
    }
}
