#include <weft/graph/tree_check.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/halo.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

bool has_distance(std::int64_t distance) noexcept {
    return distance >= 0;
}
bool has_distance(double distance) noexcept {
    return distance >= 0 && distance < std::numeric_limits<double>::infinity();
}

template <class Distance>
class tree_checker {
public:
    tree_checker(arc_graph const& graph, global_id source, std::span<global_id const> parent,
        std::span<Distance const> known) noexcept
        : graph_(graph), source_(source), parent_(parent), known_(known) {}

    tree_faults check() {
        for (std::int64_t local = 0; local < graph_.local_count(); ++local) check_vertex(local);
        return found_;
    }

private:
    void check_vertex(std::int64_t local) {
        Distance const distance = known_[static_cast<std::size_t>(local)];
        global_id const parent = parent_[static_cast<std::size_t>(local)];
        bool const reached = has_distance(distance);
        found_.halves += reached != (parent >= 0);
        bool const is_source = graph_.vertices().first_local() + local == source_;
        if (is_source) found_.source += parent != source_ || distance != 0;
        bool joined = is_source || parent < 0;
        std::size_t const end = graph_.first_neighbors()[static_cast<std::size_t>(local) + 1];
        for (std::size_t arc = graph_.first_neighbors()[static_cast<std::size_t>(local)]; arc < end; ++arc) {
            std::uint32_t const neighbor = graph_.all_neighbors()[arc];
            Distance const other = known_[neighbor];
            found_.left += reached && !has_distance(other);
            found_.shorter += reached && has_distance(other) && other > distance + weight(arc);
            if (joined || number_of(neighbor) != parent) continue;
            joined = true;
            found_.steps += !has_distance(other) || distance != other + weight(arc);
        }
        found_.strange += !joined;
    }

    [[nodiscard]] Distance weight(std::size_t arc) const noexcept {
        if constexpr (std::is_floating_point_v<Distance>)
            if (graph_.weighted()) return graph_.all_weights()[arc];
        return 1;
    }
    [[nodiscard]] global_id number_of(std::uint32_t local) const noexcept {
        std::int64_t const ghost = local - graph_.local_count();
        return ghost < 0 ? graph_.vertices().first_local() + local
                         : graph_.ghosts()[static_cast<std::size_t>(ghost)];
    }

    arc_graph const& graph_;
    global_id source_;
    std::span<global_id const> parent_;
    std::span<Distance const> known_; // of own vertices and ghosts
    tree_faults found_;
};

void check_arguments(arc_graph const& graph, global_id source, std::size_t distances, std::size_t parents) {
    if (graph.direction() != arc_direction::both)
        throw usage_error("check_tree: expected a graph whose arcs go both ways, found one of a direction");
    if (source < 0 || source >= graph.vertex_count())
        throw usage_error("check_tree: " + std::to_string(source) + " is no vertex; vertices are 0.." +
                          std::to_string(graph.vertex_count() - 1));
    auto const own = static_cast<std::size_t>(graph.local_count());
    if (distances != own || parents != own)
        throw usage_error("check_tree: expected a distance and a parent for each of the " +
                          std::to_string(own) + " vertices of the rank, found " + std::to_string(distances) +
                          " and " + std::to_string(parents));
}

template <class Distance>
tree_faults check_by(arc_graph const& graph, global_id source, std::span<Distance const> distance,
    std::span<global_id const> parent) {
    gate call(graph.comm(), "check_tree");
    call.same("the source", source);
    agreed(call, [&] { check_arguments(graph, source, distance.size(), parent.size()); });
    halo<Distance> known(graph.comm(), graph.vertices().owners(), graph.ghosts());
    std::ranges::copy(distance, known.own().begin());
    known.start();
    known.finish();
    tree_faults found = tree_checker<Distance>(graph, source, parent, std::as_const(known).values()).check();
    std::int64_t* const counts[] = {
        &found.source, &found.halves, &found.strange, &found.steps, &found.shorter, &found.left};
    for (std::size_t i = 0; i < std::size(counts);) { // a census has room for fewer
        census_value totals = census_value::identity();
        std::size_t const some = std::min(totals.sum.size(), std::size(counts) - i);
        for (std::size_t k = 0; k < some; ++k) totals.sum[k] = *counts[i + k];
        totals = call.agree(totals);
        for (std::size_t k = 0; k < some; ++k) *counts[i + k] = totals.sum[k];
        i += some;
    }
    return found;
}

} // namespace

tree_faults check_tree(arc_graph const& graph, global_id source, std::span<std::int64_t const> distance,
    std::span<global_id const> parent) {
    return check_by(graph, source, distance, parent);
}

tree_faults check_tree(arc_graph const& graph, global_id source, std::span<double const> distance,
    std::span<global_id const> parent) {
    return check_by(graph, source, distance, parent);
}

} // namespace weft
