#include "local_components.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace weft {

namespace {

void check_size(simple_graph const& graph) {
    // Vertices and ghosts of a rank are counted in 32 bits, which halves the memory that joining walks
    // through.
    constexpr auto limit = std::int64_t{std::numeric_limits<std::uint32_t>::max()};
    auto const stored = static_cast<std::int64_t>(graph.stored_others().size());
    if (graph.local_count() + std::min(stored, graph.vertex_count()) >= limit)
        throw usage_error("find_components: a rank holds too large a part of the graph; use more ranks");
}

/// Vertices that are known to be in one set; others may be in it too.
class member_bits {
public:
    explicit member_bits(std::size_t vertices) : bits_(vertices / word_bits + 1, 0) {}

    [[nodiscard]] bool has(global_id vertex) const noexcept {
        auto const i = static_cast<std::size_t>(vertex);
        return (bits_[i / word_bits] >> i % word_bits & 1) != 0;
    }
    void add(global_id vertex) noexcept {
        auto const i = static_cast<std::size_t>(vertex);
        bits_[i / word_bits] |= std::uint64_t{1} << i % word_bits;
    }

private:
    static constexpr std::size_t word_bits = 64;

    std::vector<std::uint64_t> bits_;
};

} // namespace

local_components::local_components(simple_graph const& graph)
    : first_(graph.first_vertex()),
      local_count_(graph.local_count()),
      vertex_count_(graph.vertex_count()),
      all_(vertex_count_ <= std::ssize(graph.stored_others())),
      sets_(static_cast<std::size_t>(all_ ? vertex_count_ : local_count_)) {
    check_size(graph);
    if (all_)
        join_all(graph);
    else
        join_numbered(graph);
}

void local_components::join_all(simple_graph const& graph) {
    constexpr std::int64_t many = 8;
    if (std::ssize(graph.stored_others()) >= many * std::max<std::int64_t>(local_count_, 1)) {
        join_around_most(graph);
        return;
    }
    for (std::int64_t local = 0; local < local_count_; ++local)
        for (global_id const other : graph.stored_neighbors(local))
            sets_.unite(static_cast<index>(local), place_of(other));
}

void local_components::join_around_most(simple_graph const& graph) {
    constexpr std::size_t sampled = 2, rows_ahead = 16, ends_ahead = 8;
    auto const first = graph.first_stored();
    auto const others = graph.stored_others();
    for (std::size_t local = 0; local + 1 < first.size(); ++local) {
        if (local + rows_ahead < first.size()) __builtin_prefetch(others.data() + first[local + rows_ahead]);
        if (local + ends_ahead < first.size() && first[local + ends_ahead] < others.size())
            sets_.prefetch(place_of(others[first[local + ends_ahead]]));
        std::size_t const end = std::min(first[local] + sampled, first[local + 1]);
        for (std::size_t i = first[local]; i < end; ++i)
            sets_.unite(static_cast<index>(local), place_of(others[i]));
    }

    index const root = most_common_root();
    member_bits most(static_cast<std::size_t>(vertex_count_));
    for (std::int64_t i = 0; i < vertex_count_; ++i)
        if (sets_.find(static_cast<index>(i)) == root)
            most.add(first_ + i < vertex_count_ ? first_ + i : first_ + i - vertex_count_);
    // Their parents are on their way into the cache when they join the set.
    std::array<index, 64> waiting{};
    std::size_t waiting_count = 0;
    auto const join_waiting = [&] {
        for (index const each : std::span(waiting).first(waiting_count)) sets_.unite(root, each);
        waiting_count = 0;
    };
    for (std::size_t local = 0; local + 1 < first.size(); ++local) {
        auto const mine = static_cast<index>(local);
        global_id const vertex = first_ + static_cast<global_id>(local);
        std::size_t const begin = std::min(first[local] + sampled, first[local + 1]);
        auto const rest = others.subspan(begin, first[local + 1] - begin);
        if (!most.has(vertex)) {
            for (global_id const other : rest) sets_.unite(mine, place_of(other));
            if (sets_.find(mine) == sets_.find(root)) most.add(vertex);
            continue;
        }
        auto const add_to_most = [&](global_id other) {
            if (most.has(other)) return;
            most.add(other);
            waiting[waiting_count] = place_of(other);
            sets_.prefetch(waiting[waiting_count]);
            if (++waiting_count == waiting.size()) join_waiting();
        };
        std::size_t i = 0;
        for (; i + 4 <= rest.size(); i += 4)
            if (!(most.has(rest[i]) & most.has(rest[i + 1]) & most.has(rest[i + 2]) & most.has(rest[i + 3])))
                for (global_id const other : rest.subspan(i, 4)) add_to_most(other);
        for (global_id const other : rest.subspan(i)) add_to_most(other);
    }
    join_waiting();
}

local_components::index local_components::most_common_root() {
    constexpr std::int64_t sample = 256;
    std::vector<index> roots;
    for (std::int64_t i = 0; i < sample; ++i)
        roots.push_back(sets_.find(static_cast<index>(vertex_count_ * i / sample)));
    std::ranges::sort(roots);
    index most = 0;
    std::ptrdiff_t times = 0;
    for (auto at = roots.begin(); at != roots.end();) {
        auto const end = std::upper_bound(at, roots.end(), *at);
        if (end - at > times) {
            times = end - at;
            most = *at;
        }
        at = end;
    }
    return most;
}

void local_components::join_numbered(simple_graph const& graph) {
    for (std::int64_t local = 0; local < local_count_; ++local)
        for (global_id const other : graph.stored_neighbors(local)) {
            std::int64_t const offset = other - first_;
            if (offset >= 0 && offset < local_count_) {
                sets_.unite(static_cast<index>(local), static_cast<index>(offset));
                continue;
            }
            std::int64_t const ghost = ghosts_.number_of(other) + local_count_;
            if (ghost == static_cast<std::int64_t>(sets_.size())) (void)sets_.add();
            sets_.unite(static_cast<index>(local), static_cast<index>(ghost));
        }
}

} // namespace weft
