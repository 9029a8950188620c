/// Simulated ranks that pass over a graph with delegates through mailboxes: the applications of the YGM
/// paper.
#pragma once

#include "delegated_graph.hpp"
#include "mailbox_choice.hpp"

#include <weft/core/topology.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/transport/simulated_machine.hpp>
#include <weft/mailbox/channel.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace weft::tool {

/// The parts of the work that all ranks know.
struct graph_work {
    delegated_graph const& graph;
    double edge_seconds = 0;   ///< of the processor, to look at an edge
    double item_seconds = 0;   ///< and to send an item, or to handle one
    double reduce_seconds = 0; ///< of an all-reduction of what delegates have
    simulated_mailbox mailbox;
    mutable std::size_t passes = 0; ///< in which a rank has changed a value, up to now
};

/// One rank: its course is a series of stages, each of which sends items and ends with a drain.
class graph_rank {
public:
    graph_rank(simulated_machine& machine, topology const& nodes, int rank, graph_work const& work);
    virtual ~graph_rank() = default;

    progress step();

    /// Returns the value of a vertex of this rank, or the part of a delegate that is here.
    [[nodiscard]] std::int64_t value(std::int64_t vertex) const;

protected:
    struct item {
        std::int64_t vertex;
        std::int64_t value;
    };

    /// Sends some of what the stage still has to send: none if there is no room, done if that was all.
    virtual progress send() = 0;
    virtual void handle(item const& got) = 0;
    /// After a drain: begins the next stage, or is false if there is no further one.
    virtual bool begin_next() = 0;

    /// What `send` returns when it has looked at the edges from `begin` to `next` and wanted to come to
    /// `end`.
    [[nodiscard]] progress looked_at(std::int64_t begin, std::int64_t next, std::int64_t end);
    /// False if there is no room now.
    [[nodiscard]] bool send_to(int rank, item const& what);
    void broadcast(item const& what);
    void compute(double seconds) { machine_.compute(rank_, seconds); }
    [[nodiscard]] int owner(std::int64_t vertex) const { return static_cast<int>(vertex % mail_.size()); }
    /// The place of what a vertex has, which must be here: a delegate, or one of this rank.
    [[nodiscard]] std::int64_t& at(std::int64_t vertex);
    [[nodiscard]] bool is_here(std::int64_t vertex) const {
        return work_.graph.delegate(vertex) >= 0 || owner(vertex) == rank_;
    }
    [[nodiscard]] std::vector<edge> const& edges() const {
        return work_.graph.edges_of[static_cast<std::size_t>(rank_)];
    }

    simulated_machine& machine_;
    int rank_;
    graph_work const& work_;
    std::vector<std::int64_t> values_;    ///< of vertices that this rank owns
    std::vector<std::int64_t> delegates_; ///< the copy of what delegates have

private:
    topology nodes_;
    mail_engine mail_;
    detail::item_receiver<item, std::function<void(std::span<item const>)>> receiver_;
    int channel_;
    bool sent_ = false;
};

/// A rank that finds components: each pass sends labels over all edges, then synchronises those of delegates.
/// Source: section V.B.
[[nodiscard]] std::unique_ptr<graph_rank> make_components_rank(
    simulated_machine& machine, topology const& nodes, int rank, graph_work const& work);

/// A rank of y = A x, by columns, with all entries and x equal to 1: y has the degrees. Source: section V.C.
[[nodiscard]] std::unique_ptr<graph_rank> make_spmv_rank(
    simulated_machine& machine, topology const& nodes, int rank, graph_work const& work);

} // namespace weft::tool
