#include <weft/graph/communities.hpp>

#include "graph/components/component_summary.hpp"
#include "graph/tell_round.hpp"
#include "graph/two_way_arcs.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/halo.hpp>

#include <algorithm>
#include <bit>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace weft {

namespace {

/// The labels of a vertex's neighbours, counted in a hash table of twice their number.
class ballot {
public:
    explicit ballot(std::size_t most) : votes_(std::bit_ceil(2 * most + 1)) {}

    /// Empties the table, for up to `voters` labels (at most `most`).
    void open(std::size_t voters) noexcept {
        mask_ = std::bit_ceil(2 * voters + 1) - 1;
        std::fill_n(votes_.begin(), mask_ + 1, vote{});
        best_ = {};
    }
    void cast(global_id label) noexcept {
        std::size_t at = detail::mixed(static_cast<std::uint64_t>(label)) & mask_;
        while (votes_[at].count > 0 && votes_[at].label != label) at = (at + 1) & mask_;
        vote& counted = votes_[at];
        counted.label = label;
        ++counted.count;
        if (counted.count > best_.count || (counted.count == best_.count && label < best_.label))
            best_ = counted;
    }
    [[nodiscard]] global_id winner() const noexcept { return best_.label; }

private:
    struct vote {
        global_id label = -1;
        std::int64_t count = 0;
    };
    std::vector<vote> votes_;
    std::size_t mask_ = 0;
    vote best_;
};

std::vector<global_id> propagate(
    gate& call, arc_graph const& graph, std::int64_t most, community_labels& found) {
    two_way_arcs const arcs(call, graph);
    call.agree(); // before a pattern of the ghosts is made
    halo<global_id> labels(graph.comm(), graph.vertices().owners(), arcs.ghosts());
    std::span<global_id> const current = labels.own();
    bool const both = graph.direction() == arc_direction::both;
    std::vector<global_id> next;
    std::vector<global_id> last; // before the latest iteration
    std::optional<ballot> votes;
    call.guard([&] {
        next.resize(current.size());
        last.assign(current.size(), -1);
        std::size_t widest = 0;
        for (std::size_t i = 0; i < current.size(); ++i)
            widest = std::max(widest, arcs.targets(i).size() + (both ? 0 : arcs.sources(i).size()));
        votes.emplace(widest);
    });
    call.agree(); // before runs among neighbours
    std::iota(current.begin(), current.end(), graph.vertices().first_local());
    while (!found.converged && found.iterations < most) {
        labels.start();
        labels.finish();
        census_value differences = census_value::identity();
        for (std::size_t i = 0; i < current.size(); ++i) {
            auto const targets = arcs.targets(i);
            auto const sources = both ? std::span<std::uint32_t const>() : arcs.sources(i);
            next[i] = current[i];
            if (targets.size() + sources.size() > 0) {
                votes->open(targets.size() + sources.size());
                for (std::uint32_t const each : targets) votes->cast(labels.values()[each]);
                for (std::uint32_t const each : sources) votes->cast(labels.values()[each]);
                next[i] = votes->winner();
            }
            differences.sum[0] += next[i] != current[i];
            differences.sum[1] += next[i] != last[i];
        }
        differences = call.agree(differences);
        std::ranges::copy(current, last.begin());
        std::ranges::copy(next, current.begin());
        found.converged = differences.sum[0] == 0;
        tell_round(call.comm(), ++found.iterations);
        if (found.converged || differences.sum[1] > 0) continue;
        // The labels are the same as two iterations ago, so two sets of labels would take turns from now
        // on.
        bool const turns = (most - found.iterations) % 2 != 0;
        found.iterations = most;
        return turns ? last : next;
    }
    std::ranges::copy(current, next.begin());
    return next;
}

} // namespace

community_labels find_communities(arc_graph const& graph, communities_options const& options) try {
    gate call(graph.comm(), "find_communities");
    call.same("max_iterations", options.max_iterations);
    agreed(call, [&] {
        if (options.max_iterations < 0)
            throw usage_error("find_communities: expected at least 0 iterations, found " +
                              std::to_string(options.max_iterations));
    });
    community_labels found;
    found.label = propagate(call, graph, options.max_iterations, found);
    component_sizes sizes =
        count_members(call, graph.vertices().owners(), found.label, graph.all_neighbors().size());
    found.communities = sizes.components;
    found.largest = std::move(sizes.largest);
    return found;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("find_communities");
    throw;
}

} // namespace weft
