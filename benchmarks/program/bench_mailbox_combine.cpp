#include "bench_mailbox_combine.hpp"

#include <weft/detail/core/hash.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <random>
#include <unordered_map>
#include <vector>

namespace weft::tool {

namespace {

constexpr int combined_scale = 18;

std::vector<std::uint32_t> skewed_vertices(communicator const& comm, std::int64_t items) {
    std::mt19937_64 next(static_cast<std::uint64_t>(comm.rank()) + 1);
    std::vector<std::uint32_t> vertices;
    for (std::int64_t i = 0; i < items; ++i) {
        std::uint32_t vertex = 0;
        for (int bit = 0; bit < combined_scale; ++bit) vertex = 2 * vertex + (next() % 100 >= 76 ? 1 : 0);
        vertices.push_back(vertex);
    }
    return vertices;
}

/// What `add` costs decides whether combining pays: a look into the cache costs as much as a cheap one.
template <class Add>
void combine_case(communicator const& comm, bench_table& table, std::vector<std::uint32_t> const& vertices,
    std::size_t entries, char const* name, Add const& add) {
    struct counted {
        std::uint32_t vertex;
        std::uint32_t times;
    };
    auto const owner = [ranks = static_cast<std::uint64_t>(comm.size())](std::uint64_t vertex) {
        return static_cast<int>(detail::fibonacci_place(vertex, 32) * ranks >> 32);
    };
    mailbox plain(comm);
    auto const each = plain.channel<std::uint32_t>([add](std::uint32_t vertex) { add(vertex, 1); });
    mailbox merging(comm);
    auto const merged = merging.channel<counted>([add](counted const& item) { add(item.vertex, item.times); },
        combine_by{.key = [](counted const& item) { return item.vertex; },
            .merge = [](counted& into, counted const& from) { into.times += from.times; },
            .entries = entries});
    auto const items = static_cast<std::int64_t>(vertices.size());
    table.measure({"mailbox", name, 4, 0, static_cast<double>(items) / 1e6, "M/s a rank"},
        {{"without combine",
             [&] {
                 for (std::uint32_t const v : vertices) each.send(owner(v), v);
                 plain.drain();
             }},
            {"with combine", [&] {
                 for (std::uint32_t const v : vertices) merged.send(owner(v), {v, 1});
                 merging.drain();
             }}});
}

} // namespace

void bench_mailbox_combine(
    communicator const& comm, bench_table& table, std::int64_t items, std::size_t entries) {
    std::vector<std::uint32_t> const vertices = skewed_vertices(comm, items);
    std::vector<std::uint64_t> degrees(std::size_t{1} << combined_scale);
    combine_case(comm, table, vertices, entries, "degrees of R-MAT 18",
        [&degrees](std::uint32_t vertex, std::uint32_t times) { degrees[vertex] += times; });
    std::unordered_map<std::uint32_t, std::uint64_t> found;
    combine_case(comm, table, vertices, entries, "the same, in a hash map",
        [&found](std::uint32_t vertex, std::uint32_t times) { found[vertex] += times; });
}

} // namespace weft::tool
