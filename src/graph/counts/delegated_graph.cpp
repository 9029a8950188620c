#include "delegated_graph.hpp"

#include "delegate_places.hpp"
#include "mailed_degrees.hpp"

#include <frames/owner_cursor.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <algorithm>
#include <new>
#include <span>
#include <utility>

namespace weft {

namespace {

/// An edge, and the vertex or delegate that lists it.
struct listed_end {
    std::int64_t at;
    edge_end end;
};

end_lists sort_into_lists(std::vector<listed_end> const& listed, std::int64_t lists) {
    end_lists made;
    made.first.assign(static_cast<std::size_t>(lists) + 1, 0);
    for (listed_end const& each : listed) ++made.first[static_cast<std::size_t>(each.at) + 1];
    for (std::size_t i = 1; i < made.first.size(); ++i) made.first[i] += made.first[i - 1];
    made.ends.resize(listed.size(), edge_end::local(0));
    std::vector<std::size_t> next(made.first.begin(), made.first.end() - 1);
    for (listed_end const& each : listed) made.ends[next[static_cast<std::size_t>(each.at)]++] = each.end;
    return made;
}

/// Takes edges to the endpoints that list them.
class edge_sorter {
public:
    explicit edge_sorter(simple_graph const& graph)
        : first_(graph.first_vertex()), count_(graph.local_count()) {}

    void set_delegates(std::span<global_id const> delegates) { places_ = delegate_places(delegates); }

    /// Returns the place of a delegate, or -1 for any other vertex.
    [[nodiscard]] std::int64_t place_of(global_id vertex) const noexcept {
        std::uint32_t const place = places_.find(vertex);
        return place == delegate_places::none ? -1 : static_cast<std::int64_t>(place);
    }
    [[nodiscard]] bool owns(global_id vertex) const noexcept {
        return vertex >= first_ && vertex < first_ + count_;
    }

    /// Takes an edge from an own vertex that is not a delegate.
    void take(global_id own, global_id other, std::int64_t place) {
        std::int64_t const local = own - first_;
        if (place >= 0) {
            of_local_.push_back({local, edge_end::delegate(place)});
            of_delegate_.push_back({place, edge_end::local(local)});
        } else {
            of_local_.push_back(
                {local, owns(other) ? edge_end::local(other - first_) : edge_end::remote(other)});
        }
    }
    void take_between_delegates(std::int64_t a, std::int64_t b) {
        of_delegate_.push_back({a, edge_end::delegate(b)});
        of_delegate_.push_back({b, edge_end::delegate(a)});
    }

    [[nodiscard]] delegated_graph finish(std::vector<global_id> delegates) const {
        auto const places = static_cast<std::int64_t>(delegates.size());
        return {
            std::move(delegates), sort_into_lists(of_local_, count_), sort_into_lists(of_delegate_, places)};
    }

private:
    global_id first_;
    std::int64_t count_;
    delegate_places places_;
    std::vector<listed_end> of_local_;
    std::vector<listed_end> of_delegate_;
};

} // namespace

delegated_graph delegate_hubs(gate& call, simple_graph const& graph, std::int64_t threshold) try {
    std::vector<std::int64_t> const degree = count_neighbors_by_mail(call, graph);
    global_id const first = graph.first_vertex();
    std::vector<global_id> delegates;
    edge_sorter sorter(graph);
    mailbox mail(graph.comm());
    auto const elected = mail.channel<global_id>([&](global_id vertex) { delegates.push_back(vertex); });
    auto const edges = mail.channel<edge>([&](std::span<edge const> brought) {
        for (edge const& each : brought) sorter.take(each.source, each.target, sorter.place_of(each.target));
    });
    for (std::size_t i = 0; i < degree.size(); ++i)
        if (degree[i] > threshold) elected.broadcast(first + static_cast<global_id>(i));
    mail.drain();
    std::ranges::sort(delegates);
    sorter.set_delegates(delegates);

    owner_cursor owner_of(graph.vertices());
    for (std::int64_t local = 0; local < graph.local_count(); ++local) {
        global_id const own = first + local;
        std::int64_t const own_place = sorter.place_of(own);
        for (global_id const other : graph.stored_neighbors(local)) {
            std::int64_t const place = sorter.place_of(other); // at least 0 for a delegate
            // An edge of two delegates stays on this rank. Any other edge is kept by the owner of each end
            // that is not a delegate.
            if (own_place >= 0 && place >= 0) {
                sorter.take_between_delegates(own_place, place);
                continue;
            }
            if (own_place < 0) sorter.take(own, other, place);
            if (place >= 0) continue;
            if (sorter.owns(other))
                sorter.take(other, own, own_place);
            else
                edges.send(owner_of(other), {other, own});
        }
    }
    mail.drain();
    delegated_graph made;
    call.guard([&] { made = sorter.finish(std::move(delegates)); });
    return made;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("delegates");
    throw;
}

} // namespace weft
