/// Both directions of the arcs of a graph. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// For each vertex of this rank where its arcs lead and where arcs to it come from, by local numbers as in
/// `arc_graph`, with one list of ghosts. Of a graph in which arcs go both ways these are the same, and stay
/// where they are: the graph must outlive this.
class two_way_arcs {
public:
    /// Collective: yes, within a gate. Cost: nothing where arcs go both ways; else one exchange of the arcs,
    /// O(arcs / P) time and memory. Throws: `usage_error` where 32 bits do not suffice, and what the gate has
    /// kept, agreed. The gate keeps what fails in the end.
    two_way_arcs(gate& call, arc_graph const& graph);

    [[nodiscard]] std::span<std::uint32_t const> targets(std::size_t local) const noexcept {
        return targets_.subspan(first_target_[local], first_target_[local + 1] - first_target_[local]);
    }
    [[nodiscard]] std::span<std::uint32_t const> sources(std::size_t local) const noexcept {
        return sources_.subspan(first_source_[local], first_source_[local + 1] - first_source_[local]);
    }
    /// Asks for what `targets`, or `sources`, will read: first for the place, and some vertices later for the
    /// arcs that lie there.
    void fetch_place_of_targets(std::size_t local) const noexcept {
        __builtin_prefetch(first_target_.data() + local);
    }
    void fetch_targets(std::size_t local) const noexcept {
        __builtin_prefetch(targets_.data() + first_target_[local]);
    }
    void fetch_place_of_sources(std::size_t local) const noexcept {
        __builtin_prefetch(first_source_.data() + local);
    }
    void fetch_sources(std::size_t local) const noexcept {
        __builtin_prefetch(sources_.data() + first_source_[local]);
    }
    /// Returns the sources of all vertices, one after the other.
    [[nodiscard]] std::span<std::uint32_t const> all_sources() const noexcept { return sources_; }
    [[nodiscard]] std::span<global_id const> ghosts() const noexcept { return ghosts_; }

private:
    std::vector<std::uint32_t>
        numbers_; // of those that the graph lists, then of those that were turned round
    std::vector<std::size_t> first_turned_;
    std::vector<global_id> all_ghosts_;
    std::span<std::size_t const> first_target_;
    std::span<std::uint32_t const> targets_;
    std::span<std::size_t const> first_source_;
    std::span<std::uint32_t const> sources_;
    std::span<global_id const> ghosts_;
};

} // namespace weft
