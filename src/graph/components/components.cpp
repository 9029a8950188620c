#include <weft/graph/components.hpp>

#include "component_summary.hpp"
#include "contracted_graph.hpp"
#include "label_propagation.hpp"
#include "local_components.hpp"
#include "mailed_union_find.hpp"

#include <exchange/gated_exchange.hpp>
#include <weft/core/error.hpp>

#include <weft/detail/core/id_table.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace weft {

namespace {

/// A set of ghosts that have the same root: those of 64 consecutive vertices whose bits are set. Vertices
/// and roots are counted from the first vertex of their owner.
struct joined_ghosts {
    static constexpr std::uint32_t most = 64;

    std::uint32_t first;
    std::uint32_t root;
    std::uint64_t members;
};

/// Tells the owners of ghosts which of their vertices the edges of this rank join, and with which root.
class ghost_teller {
public:
    ghost_teller(simple_graph const& graph, outbox<joined_ghosts>& out)
        : owners_(graph.vertices()), first_(graph.first_vertex()), out_(out) {}

    /// Successive ghosts with one root become one item; each ghost between them that has another root
    /// becomes an item of its own.
    void tell(global_id ghost, global_id root) {
        if (ghost < begin_ || ghost >= end_) {
            close();
            owner_ = owners_.owner(ghost);
            begin_ = owners_.begin(owner_);
            end_ = owners_.end(owner_);
        }
        joined_ghosts const one{
            static_cast<std::uint32_t>(ghost - begin_), static_cast<std::uint32_t>(root - first_), 1};
        bool const again = one.root == last_root_;
        last_root_ = one.root;
        if (!again) roots_.push_back(root);
        bool const near =
            open_.members != 0 && one.first >= open_.first && one.first - open_.first < joined_ghosts::most;
        if (near && one.root == open_.root) {
            open_.members |= std::uint64_t{1} << (one.first - open_.first);
        } else if (near || !again) {
            out_[owner_].push_back(one);
        } else {
            close();
            open_ = one;
        }
    }
    /// Sends the last item. Call it after the last ghost.
    void close() {
        if (open_.members != 0) out_[owner_].push_back(open_);
        open_.members = 0;
    }
    /// The roots that were sent; some occur more than once.
    [[nodiscard]] std::vector<global_id> const& roots() const noexcept { return roots_; }

private:
    uniform_distribution const& owners_;
    global_id first_;
    outbox<joined_ghosts>& out_;
    int owner_ = 0;
    global_id begin_ = 0; // of the owner's vertices
    global_id end_ = 0;
    joined_ghosts open_{};
    std::uint32_t last_root_ = UINT32_MAX; // no root
    std::vector<global_id> roots_;
};

/// Joins all vertices of this rank that another rank has joined with the same root there, and makes one
/// edge for each such root.
void join_as_told(local_components& parts, std::span<joined_ghosts const> joined, global_id begin_of_other,
    std::vector<edge>& edges) {
    detail::id_table<std::int64_t> numbers;
    std::vector<std::uint32_t> member; // by root: the first of its set on this rank
    std::uint32_t last = UINT32_MAX;
    std::size_t number = 0;
    for (joined_ghosts const& each : joined) {
        if (each.root != last) number = static_cast<std::size_t>(numbers.number_of(each.root));
        last = each.root;
        if (number == member.size()) member.push_back(each.first); // the first of an item has a bit
        for (std::uint64_t bits = each.members; bits != 0; bits &= bits - 1)
            parts.join(member[number], each.first + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
    for (std::size_t i = 0; i < member.size(); ++i)
        edges.push_back({member[i], begin_of_other + numbers.ids()[i]});
}

/// The edges between local components of different ranks. Each ghost now belongs to a local component, and
/// its owner is told the root of that component. The owner joins all of its vertices that have the same
/// root on another rank. Vertices without edges on their own rank therefore do not become vertices of the
/// remaining problem. A root that was sent and is a root no longer gets an edge to its new root.
std::vector<edge> edges_between_ranks(
    gate& call, simple_graph const& graph, std::optional<local_components>& parts) {
    auto const& owners = graph.vertices();
    outbox<joined_ghosts> out(call.comm());
    std::optional<ghost_teller> teller;
    call.guard([&] {
        parts.emplace(graph);
        teller.emplace(graph, out);
        parts->for_each_ghost([&](global_id ghost, global_id root) { teller->tell(ghost, root); });
        teller->close();
    });
    auto const received = exchange(call, std::move(out));
    std::vector<edge> edges;
    call.guard([&] {
        for (auto const& [from, joined] : received) join_as_told(*parts, joined, owners.begin(from), edges);
        for (edge& each : edges) each.source = parts->root_of(each.source);
        for (global_id const told : teller->roots())
            if (global_id const root = parts->root_of(told - graph.first_vertex()); root != told)
                edges.push_back({root, told});
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    });
    return edges;
}

/// The label of each vertex of this rank. The gate keeps what fails in the end.
std::vector<global_id> contract(
    gate& call, simple_graph const& graph, components_options const& options, int& contractions) {
    auto const& owners = graph.vertices();
    std::optional<local_components> parts;
    std::vector<edge> const edges = edges_between_ranks(call, graph, parts);
    contracted_graph between{&owners, {}, {}, with_both_directions(call, owners, edges)};
    std::vector<global_id> roots;
    call.guard([&] {
        list_sources(between);
        between.smallest = between.vertices; // a root is the smallest vertex of its local component
        roots = between.vertices;
    });

    auto const solved = solve(call, std::move(between), options, contractions);
    std::vector<global_id> label;
    call.guard([&] {
        global_id const first = graph.first_vertex();
        label.resize(static_cast<std::size_t>(graph.local_count()));
        std::iota(label.begin(), label.end(), first);
        for (std::size_t i = 0; i < roots.size(); ++i)
            label[static_cast<std::size_t>(roots[i] - first)] = solved[i];
        for (std::size_t i = 0; i < label.size(); ++i) // a root comes before all others of its set
            if (auto const root =
                    static_cast<std::size_t>(parts->root_of(static_cast<std::int64_t>(i)) - first);
                root != i)
                label[i] = label[root];
    });
    return label;
}

} // namespace

component_labels find_components(simple_graph const& graph, components_options const& options) {
    gate call(graph.comm(), "find_components");
    call.same("method", options.method).same("gather_below", options.gather_below);
    call.same("seed", options.seed).same("delegate_threshold", options.delegate_threshold);
    agreed(call, [&] {
        if (options.delegate_threshold < 0)
            throw usage_error("find_components: expected a delegate threshold of at least 0, found " +
                              std::to_string(options.delegate_threshold));
    });
    component_labels found;
    switch (options.method) {
    case components_method::union_find:
        found.label = label_by_union_find(call, graph);
        break;
    case components_method::propagation:
        found.label = label_by_propagation(call, graph, options.delegate_threshold, found.delegates);
        break;
    default:
        found.label = contract(call, graph, options, found.contractions);
    }
    summarise(call, graph, found);
    return found;
}

} // namespace weft
