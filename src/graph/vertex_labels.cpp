#include "vertex_labels.hpp"

#include "id_index.hpp"

#include <weft/exchange/exchange.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

/// P - 1 labels that cut the labels of all ranks into parts of about equal size. From regular samples of
/// every rank's sorted labels, gathered on rank 0: a part exceeds its share by at most a factor 1 + P /
/// per_rank of what the ranks' lists hold.
template <class Label>
std::vector<Label> find_splitters(communicator const& comm, std::vector<Label> const& sorted) {
    constexpr std::size_t per_rank = 64;
    outbox<Label> samples(comm);
    auto to_root = samples[0];
    for (std::size_t i = 0; i < per_rank && !sorted.empty(); ++i)
        to_root.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * per_rank)]);
    std::vector<Label> gathered = exchange(std::move(samples)).concatenate();
    std::ranges::sort(gathered);

    outbox<Label> chosen(comm);
    if (comm.rank() == 0) {
        auto const parts = static_cast<std::size_t>(comm.size());
        for (int rank = 0; rank < comm.size(); ++rank) {
            auto to_rank = chosen[rank];
            for (std::size_t part = 1; part < parts && !gathered.empty(); ++part)
                to_rank.push_back(gathered[part * gathered.size() / parts]);
        }
    }
    return exchange(std::move(chosen)).concatenate();
}

template <class Label>
labelled_vertices<Label> number_by_sorting(
    communicator const& comm, std::vector<edge>& edges, std::vector<Label> local_labels) {
    // `order` sorts the local labels; what is sent in sorted order is answered in sorted order.
    std::vector<std::size_t> order(local_labels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) -> Label const& { return local_labels[i]; });
    std::vector<Label> sorted;
    sorted.reserve(order.size());
    for (std::size_t const i : order) sorted.push_back(std::move(local_labels[i]));

    auto const splitters = find_splitters(comm, sorted);
    outbox<Label> to_sorters(comm);
    auto begin = sorted.begin();
    for (int part = 0; part < comm.size() && begin != sorted.end(); ++part) {
        auto const p = static_cast<std::size_t>(part);
        auto const end =
            p < splitters.size() ? std::lower_bound(begin, sorted.end(), splitters[p]) : sorted.end();
        if (begin != end) to_sorters[part].append({begin, end});
        begin = end;
    }
    auto const received = exchange(std::move(to_sorters));

    std::vector<Label> distinct = received.concatenate();
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    auto const share = exclusive_sum(comm, static_cast<std::int64_t>(distinct.size()));

    outbox<global_id> answers(comm);
    for (auto const& [source, asked] : received) {
        auto back = answers[source];
        auto at = distinct.begin();
        for (Label const& label : asked) { // ascending, so the search only goes on
            at = std::lower_bound(at, distinct.end(), label);
            back.push_back(share.before + (at - distinct.begin()));
        }
    }
    // Sources are the parts in order, so their answers laid end to end are those of `sorted`.
    std::vector<global_id> const ids_of_sorted = exchange(std::move(answers)).concatenate();
    std::vector<global_id> id(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) id[order[i]] = ids_of_sorted[i];
    for (edge& each : edges) {
        each.source = id[static_cast<std::size_t>(each.source)];
        each.target = id[static_cast<std::size_t>(each.target)];
    }

    // The sorted parts are of about, the blocks of vertices of exactly, equal size.
    uniform_distribution const vertices(share.total, comm.size());
    outbox<Label> to_owners(comm);
    for (std::size_t i = 0; i < distinct.size(); ++i)
        to_owners[vertices.owner(share.before + static_cast<std::int64_t>(i))].push_back(distinct[i]);
    return {vertices, exchange(std::move(to_owners)).concatenate()};
}

} // namespace

labelled_vertices<std::int64_t> number_vertices(
    communicator const& comm, std::vector<edge>& edges, std::vector<std::int64_t> local_labels) {
    return number_by_sorting(comm, edges, std::move(local_labels));
}

labelled_vertices<std::string> number_vertices(
    communicator const& comm, std::vector<edge>& edges, std::vector<std::string> local_labels) {
    return number_by_sorting(comm, edges, std::move(local_labels));
}

std::vector<std::int64_t> index_endpoints(std::vector<edge>& edges) {
    id_index labels;
    for (edge& each : edges) {
        each.source = labels.index_of(each.source);
        each.target = labels.index_of(each.target);
    }
    return std::move(labels).take_ids();
}

} // namespace weft
