#include "mailed_union_find.hpp"

#include "local_components.hpp"

#include <weft/detail/core/id_table.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace weft {

namespace {

/// Two vertices of one component; the receiver owns the first.
struct pair_to_unite {
    global_id vertex;
    global_id other;
};

/// This rank's part of the trees. A parent is smaller than its children, so it lies on this rank or a lower
/// one.
class forest {
public:
    forest(simple_graph const& graph, local_components& parts, mailbox& mail)
        : owners_(graph.vertices()),
          first_(graph.first_vertex()),
          count_(graph.local_count()),
          unions_(mail.channel<pair_to_unite>([this](std::span<pair_to_unite const> pairs) {
              for (pair_to_unite const& each : pairs) unite(each.vertex, each.other);
          })) {
        parent_.resize(static_cast<std::size_t>(count_));
        for (std::int64_t local = 0; local < count_; ++local)
            parent_[static_cast<std::size_t>(local)] = parts.root_of(local);
    }

    /// Unites each ghost with its root on this rank.
    void unite_ghosts(local_components& parts) {
        parts.for_each_ghost([&](global_id ghost, global_id root) { unite(root, ghost); });
    }

    [[nodiscard]] bool owns(global_id vertex) const noexcept {
        return vertex >= first_ && vertex < first_ + count_;
    }
    [[nodiscard]] global_id parent_of(global_id own) const noexcept {
        return parent_[static_cast<std::size_t>(own - first_)];
    }

private:
    [[nodiscard]] global_id& parent(global_id own) noexcept {
        return parent_[static_cast<std::size_t>(own - first_)];
    }

    /// The last ancestor on this rank; halves the path to it.
    global_id climb(global_id own) noexcept {
        while (true) {
            global_id const above = parent(own);
            if (above == own || !owns(above)) return own;
            global_id const next = parent(above);
            parent(own) = next;
            if (!owns(next)) return own;
            own = next;
        }
    }

    /// Rem's algorithm over ranks: the walk goes up on the side of the larger vertex, and replaces parents
    /// on its way by the smaller vertex, until it comes to a root or both sides meet.
    void unite(global_id own, global_id other) {
        while (own != other) {
            own = climb(own);
            global_id const above = parent(own);
            if (above == other) return;
            global_id upper = above; // still to be united: upper and lower
            global_id lower = other;
            if (other < above) {
                parent(own) = other;
                if (above == own) return; // it was a root
            } else {
                upper = other;
                lower = above;
            }
            if (!owns(upper)) {
                unions_.send(owners_.owner(upper), {upper, lower});
                return;
            }
            own = upper;
            other = lower;
        }
    }

    uniform_distribution owners_;
    global_id first_;
    std::int64_t count_;
    channel<pair_to_unite> unions_;
    std::vector<global_id> parent_;
};

/// Asks the owners of parents for the parents' labels. A question waits at the owner until it knows the
/// answer. Each parent is smaller than its children, so at least one rank can always answer.
class labelling {
public:
    labelling(simple_graph const& graph, mailbox& mail)
        : owners_(graph.vertices()),
          first_(graph.first_vertex()),
          answers_(mail.channel<answer>([this](std::span<answer const> here) {
              for (answer const& each : here) settle(each);
          })),
          questions_(mail.channel<question>([this](int source, std::span<question const> asked) {
              for (question const& each : asked) reply(source, each);
          })) {}

    /// Sends the questions. Call it before a message of the phase arrives.
    void ask(forest const& trees, std::int64_t count) {
        detail::id_table<std::int64_t> elsewhere;
        top_.resize(static_cast<std::size_t>(count));
        for (std::int64_t local = 0; local < count; ++local) { // parents come first
            global_id const above = trees.parent_of(first_ + local);
            std::int64_t& top = top_[static_cast<std::size_t>(local)];
            if (!trees.owns(above))
                top = ~elsewhere.number_of(above);
            else
                top = above == first_ + local ? local : top_[static_cast<std::size_t>(above - first_)];
        }
        label_.assign(elsewhere.ids().size(), unknown);
        waiting_.assign(elsewhere.ids().size(), {});
        for (std::size_t i = 0; i < elsewhere.ids().size(); ++i) {
            global_id const above = elsewhere.ids()[i];
            questions_.send(owners_.owner(above), {above, static_cast<std::int64_t>(i)});
        }
    }

    /// The label of each vertex. Call it after the phase.
    [[nodiscard]] std::vector<global_id> labels() const {
        std::vector<global_id> all(top_.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = label_of(top_[i]);
        return all;
    }

private:
    struct question {
        global_id vertex;
        std::int64_t place; ///< of the answer, in the list of the rank that asks
    };
    struct answer {
        std::int64_t place;
        global_id label;
    };
    struct waiting_question {
        int source;
        std::int64_t place;
    };
    static constexpr global_id unknown = -1;

    [[nodiscard]] global_id label_of(std::int64_t top) const noexcept {
        return top >= 0 ? first_ + top : label_[static_cast<std::size_t>(~top)];
    }

    void reply(int source, question const& asked) {
        std::int64_t const top = top_[static_cast<std::size_t>(asked.vertex - first_)];
        if (global_id const label = label_of(top); label != unknown)
            answers_.send(source, {asked.place, label});
        else
            waiting_[static_cast<std::size_t>(~top)].push_back({source, asked.place});
    }

    void settle(answer const& here) {
        auto const place = static_cast<std::size_t>(here.place);
        label_[place] = here.label;
        for (waiting_question const& each : std::exchange(waiting_[place], {}))
            answers_.send(each.source, {each.place, here.label});
    }

    uniform_distribution owners_;
    global_id first_;
    channel<answer> answers_;
    channel<question> questions_;
    std::vector<std::int64_t> top_;                      // a local root, or ~i: the i-th parent elsewhere
    std::vector<global_id> label_;                       // of the parents elsewhere
    std::vector<std::vector<waiting_question>> waiting_; // for these
};

} // namespace

std::vector<global_id> label_by_union_find(gate& call, simple_graph const& graph) {
    std::optional<local_components> parts;
    agreed(call, [&] { parts.emplace(graph); });
    mailbox mail(graph.comm());
    forest trees(graph, *parts, mail);
    labelling labels(graph, mail);
    trees.unite_ghosts(*parts);
    mail.drain();
    labels.ask(trees, graph.local_count());
    mail.drain();
    std::vector<global_id> found;
    call.guard([&] { found = labels.labels(); });
    return found;
}

} // namespace weft
