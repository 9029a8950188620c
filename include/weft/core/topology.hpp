/// The ranks of each node.
#pragma once

#include <weft/detail/core/shared.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace weft {

/// The nodes of a communicator, and the node of every rank. Nodes are numbered from 0 in the order of their
/// lowest ranks. The core of a rank is its number, from 0, on its node. Nodes may be of unequal size and
/// ranks may be placed in any way. Memory: three integers per rank. All members are local and O(1).
class topology {
public:
    /// Makes a topology. `node_of_rank[r]` is any number that identifies the node of rank r; `rank` is this
    /// rank.
    topology(int rank, std::span<int const> node_of_rank);
    topology(topology const& other) = default; // a move is a copy
    topology& operator=(topology const& other) = default;
    /// Returns the topology as another rank sees it. The result and all copies share their memory.
    [[nodiscard]] topology seen_by(int rank) const {
        topology other = *this;
        other.rank_ = rank;
        return other;
    }

    /// Returns the number of nodes.
    [[nodiscard]] int node_count() const noexcept { return static_cast<int>(all_->first.size()) - 1; }
    /// Returns the node of this rank.
    [[nodiscard]] int node() const noexcept { return node_of(rank_); }
    /// Returns the core of this rank on its node.
    [[nodiscard]] int core() const noexcept { return core_of(rank_); }
    /// Returns the node of a rank, from 0.
    [[nodiscard]] int node_of(int rank) const noexcept { return all_->node[static_cast<std::size_t>(rank)]; }
    /// Returns the core of a rank on its node, from 0.
    [[nodiscard]] int core_of(int rank) const noexcept { return all_->core[static_cast<std::size_t>(rank)]; }
    /// Returns the ranks of a node, ascending.
    [[nodiscard]] std::span<int const> ranks_of(int node) const noexcept;
    /// Returns the lowest rank of a node.
    [[nodiscard]] int leader_of(int node) const noexcept { return ranks_of(node).front(); }
    /// Returns the number of ranks of the largest node.
    [[nodiscard]] int largest_node() const noexcept;

private:
    struct tables : detail::counted {
        std::vector<int> node;    // by rank
        std::vector<int> core;    // by rank
        std::vector<int> members; // ranks by node, ascending
        std::vector<int> first;   // where each node starts in members, one more at the end
    };

    int rank_;
    detail::shared<tables> all_;
};

/// Returns the node of each of `size` ranks, for nodes whose sizes a text gives. The text "4" means four
/// ranks per node, "3,2" nodes of 3 and 2 ranks in turn, filled one after the other, and "cyclic:3,2" the
/// same nodes, to which ranks are dealt in turn. The last nodes may have fewer ranks. Throws `usage_error` if
/// `ranks_per_node` is invalid. Local, O(size).
[[nodiscard]] std::vector<int> pretend_nodes(std::string_view ranks_per_node, int size);

} // namespace weft
