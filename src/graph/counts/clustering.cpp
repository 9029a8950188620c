#include <weft/graph/clustering.hpp>

#include "oriented_arcs.hpp"

#include <collective/exact_sum.hpp>
#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/detail/core/id_table.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace weft {

namespace {

/// A target: its name in the order of degrees, with a last bit that is set if there are arcs in both
/// directions.
using end_name = std::uint64_t;
using end_names = std::span<end_name const>;

constexpr std::int64_t arcs_of(end_name end) noexcept {
    return static_cast<std::int64_t>(end & 1) + 1;
}

/// Calls `found` with the places of each vertex that two ascending lists have in common.
template <class Found>
void for_common(end_names few, end_names many, Found&& found) {
    auto const vertex = [](end_name end) { return end >> 1; };
    if (many.size() / 16 > few.size()) { // much longer: search
        auto from = many.begin();
        for (std::size_t i = 0; i < few.size(); ++i) {
            from = std::ranges::lower_bound(from, many.end(), vertex(few[i]), {}, vertex);
            if (from == many.end()) break;
            if (vertex(*from) == vertex(few[i])) found(i, static_cast<std::size_t>(from - many.begin()));
        }
        return;
    }
    for (std::size_t i = 0, k = 0; i < few.size() && k < many.size();) {
        end_name const a = vertex(few[i]);
        end_name const b = vertex(many[k]);
        if (a == b) found(i, k);
        i += a <= b;
        k += b <= a;
    }
}

/// The number of arcs at each vertex of this rank, in both directions. The gate keeps failures.
std::vector<std::int64_t> count_arcs(gate& call, arc_graph const& graph) {
    struct ends {
        std::uint32_t local;
        std::int64_t arcs;
    };
    auto const own = static_cast<std::size_t>(graph.local_count());
    std::vector<std::int64_t> count;
    outbox<ends> out(graph.comm());
    bool const one_way = graph.direction() != arc_direction::both;
    call.guard([&] {
        count.assign(own + (one_way ? graph.ghosts().size() : 0), 0);
        for (std::size_t i = 0; i < own; ++i)
            count[i] += std::ssize(graph.neighbors(static_cast<std::int64_t>(i)));
        if (!one_way) return;
        for (std::uint32_t const neighbor : graph.all_neighbors()) ++count[neighbor];
        auto const& owners = graph.vertices().owners();
        for (std::size_t i = own; i < count.size(); ++i) {
            global_id const ghost = graph.ghosts()[i - own];
            int const owner = owners.owner(ghost);
            out[owner].push_back({static_cast<std::uint32_t>(ghost - owners.begin(owner)), count[i]});
        }
    });
    if (!one_way) return count;
    for (auto const& [source, items] : exchange(call, std::move(out)))
        for (ends const& each : items) count[each.local] += each.arcs;
    count.resize(own);
    return count;
}

/// Adds the bit for both directions to the names, and keeps each vertex once.
void merge_directions(oriented_arcs& arcs, bool all_both) {
    std::size_t kept = 0;
    std::size_t begin = 0;
    for (std::size_t row = 0; row + 1 < arcs.first.size(); ++row) {
        std::size_t const end = arcs.first[row + 1];
        std::size_t const first = kept;
        for (std::size_t i = begin; i < end; ++i) {
            end_name const name = arcs.targets[i] << 1;
            if (kept > first && arcs.targets[kept - 1] >> 1 == arcs.targets[i])
                arcs.targets[kept - 1] |= 1;
            else
                arcs.targets[kept++] = name | static_cast<end_name>(all_both);
        }
        begin = end;
        arcs.first[row + 1] = kept;
    }
    arcs.targets.resize(kept);
}

/// The links and the degree of a vertex that one rank has counted.
struct share {
    global_id vertex;
    std::int64_t links;
    std::int64_t degree;
};

/// One rank's part of the counting.
class link_counter {
public:
    explicit link_counter(arc_graph const& graph)
        : owners_(graph.vertices().owners()), here_(graph.comm().rank()), first_(owners_.begin(here_)) {}

    void begin(oriented_arcs arcs) {
        arcs_ = std::move(arcs);
        of_vertex_.assign(static_cast<std::size_t>(owners_.size(here_)), {});
        of_target_.assign(arcs_.targets.size(), 0);
    }
    /// Adds arcs between the neighbours of a vertex of this rank.
    void add(global_id vertex, std::int64_t links) noexcept { at(vertex).links += links; }

    /// `targets` are those of one vertex. Closes each pair of them whose lower one is a vertex of this
    /// rank, and returns the number of arcs found between these pairs.
    std::int64_t close(end_names targets) noexcept {
        std::int64_t links = 0;
        for (std::size_t i = 0; i + 1 < targets.size(); ++i) {
            global_id const offset = arcs_.order.vertex_of(targets[i] >> 1) - first_;
            if (offset < 0 || offset >= std::ssize(of_vertex_)) continue;
            auto const row = static_cast<std::size_t>(offset);
            end_names const above = targets.subspan(i + 1);
            end_names const beyond = arcs_.of(offset);
            std::int64_t of_middle = 0;
            auto const count = [&](std::size_t from_low, std::size_t from_middle) {
                links += arcs_of(beyond[from_middle]);
                of_middle += arcs_of(above[from_low]);
                of_target_[arcs_.first[row] + from_middle] += arcs_of(targets[i]);
                ++triangles_;
            };
            if (above.size() <= beyond.size())
                for_common(above, beyond, count);
            else
                for_common(beyond, above, [&](std::size_t b, std::size_t a) { count(a, b); });
            of_vertex_[row].links += of_middle;
        }
        return links;
    }

    /// Sends the target list of each vertex, from the receiver's first target on and behind the vertex
    /// itself, to each rank that owns a target. This rank closes its own.
    void send_all(channel<std::vector<end_name>> const& wedges) {
        owner_cursor owner_of(owners_);
        std::vector<std::int64_t> told(static_cast<std::size_t>(owners_.parts()), -1);
        std::vector<end_name> message;
        for (std::int64_t local = 0; local < std::ssize(of_vertex_); ++local) {
            end_names const targets = arcs_.of(local);
            for (std::size_t i = 0; i + 1 < targets.size(); ++i) {
                int const owner = owner_of(arcs_.order.vertex_of(targets[i] >> 1));
                if (std::exchange(told[static_cast<std::size_t>(owner)], local) == local) continue;
                end_names const from_there = targets.subspan(i);
                if (owner == here_) {
                    add(first_ + local, close(from_there));
                } else {
                    message.assign(1, static_cast<end_name>(first_ + local));
                    message.insert(message.end(), from_there.begin(), from_there.end());
                    wedges.send(owner, message);
                }
            }
        }
    }

    /// Sends the links and degrees of far ends to their owners, which add them up for their vertices.
    /// Collective, within a gate.
    std::vector<share> gather_shares(gate& call) {
        outbox<share> out(call.comm());
        call.guard([&] {
            detail::id_table<std::uint32_t> numbers;
            std::vector<share> elsewhere;
            for (std::size_t row = 0; row < of_vertex_.size(); ++row) {
                of_vertex_[row].degree += static_cast<std::int64_t>(arcs_.first[row + 1] - arcs_.first[row]);
                for (std::size_t i = arcs_.first[row]; i < arcs_.first[row + 1]; ++i) {
                    global_id const target = arcs_.order.vertex_of(arcs_.targets[i] >> 1);
                    global_id const offset = target - first_;
                    share* to = nullptr;
                    if (offset >= 0 && offset < std::ssize(of_vertex_)) {
                        to = &at(target);
                    } else {
                        std::size_t const number = numbers.number_of(target);
                        if (number == elsewhere.size()) elsewhere.push_back({target, 0, 0});
                        to = &elsewhere[number];
                    }
                    to->links += of_target_[i];
                    ++to->degree;
                }
            }
            for (share const& each : elsewhere) out[owners_.owner(each.vertex)].push_back(each);
        });
        for (auto const& [source, shares] : exchange(call, std::move(out)))
            for (share const& each : shares) {
                at(each.vertex).links += each.links;
                at(each.vertex).degree += each.degree;
            }
        return std::move(of_vertex_);
    }

    [[nodiscard]] std::int64_t triangles() const noexcept { return triangles_; }

private:
    [[nodiscard]] share& at(global_id vertex) noexcept {
        return of_vertex_[static_cast<std::size_t>(vertex - first_)];
    }

    uniform_distribution owners_;
    int here_;
    global_id first_;
    oriented_arcs arcs_{degree_order(0), {}, {}};
    std::vector<share> of_vertex_;        // of this rank
    std::vector<std::int64_t> of_target_; // links of the far end of each arc
    std::int64_t triangles_ = 0;
};

/// Orients the arcs. Takes each edge once if the graph has both of its arcs, else each arc.
oriented_arcs orient(arc_graph const& graph, std::span<std::int64_t const> degree, mailbox& mail) {
    bool const both = graph.direction() == arc_direction::both;
    auto const own = static_cast<std::uint32_t>(graph.local_count());
    global_id const first = graph.vertices().first_local();
    arc_orientation orientation(graph.vertices().owners(), graph.comm().rank(), degree, mail);
    for (std::int64_t local = 0; local < graph.local_count(); ++local)
        for (std::uint32_t const neighbor : graph.neighbors(local)) {
            global_id const vertex = first + local;
            global_id const other = neighbor < own ? first + neighbor : graph.ghosts()[neighbor - own];
            if (both && ((vertex + other) % 2 == 0) != (vertex < other)) continue; // the other end names it
            orientation.take(local, other);
        }
    oriented_arcs arcs = orientation.finish();
    merge_directions(arcs, both);
    return arcs;
}

} // namespace

clustering_coefficients find_clustering(arc_graph const& graph) {
    gate call(graph.comm(), "find_clustering");
    std::vector<std::int64_t> const degree = count_arcs(call, graph);
    call.agree(); // before a mailbox is made, of which no rank may be missing
    link_counter mine(graph);
    {
        struct answer {
            global_id vertex;
            std::int64_t links;
        };
        mailbox mail(graph.comm());
        auto const answers =
            mail.channel<answer>([&](answer const& each) { mine.add(each.vertex, each.links); });
        auto const wedges = mail.channel<std::vector<end_name>>([&](int source, end_names message) {
            std::int64_t const links = mine.close(message.subspan(1));
            if (links > 0) answers.send(source, {static_cast<global_id>(message.front()), links});
        });
        mine.begin(orient(graph, degree, mail));
        mine.send_all(wedges);
        mail.drain();
    }

    clustering_coefficients found;
    std::vector<share> const shares = mine.gather_shares(call);
    std::int64_t wedges = 0;
    call.guard([&] {
        found.links.reserve(shares.size());
        found.coefficient.reserve(shares.size());
        for (share const& each : shares) {
            std::int64_t const pairs = each.degree * (each.degree - 1);
            wedges += pairs / 2;
            found.links.push_back(each.links);
            found.coefficient.push_back(
                pairs > 0 ? static_cast<double>(each.links) / static_cast<double>(pairs) : 0);
        }
    });
    found.triangles = sum(call, mine.triangles());
    found.wedges = sum(call, wedges);
    double const all = exact_sum(call, [&](auto&& add) {
        for (double const each : found.coefficient) add(each);
    });
    if (graph.vertex_count() > 0) found.mean = all / static_cast<double>(graph.vertex_count());
    if (found.wedges > 0)
        found.transitivity = 3 * static_cast<double>(found.triangles) / static_cast<double>(found.wedges);
    return found;
}

} // namespace weft
