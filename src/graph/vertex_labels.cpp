#include "vertex_labels.hpp"

#include <collective/gated_merges.hpp>
#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/collective/gather.hpp>
#include <weft/detail/core/id_table.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace weft {

namespace {

/// Returns P - 1 labels that cut the labels of all ranks into parts of about equal size. They come from
/// regular samples of each rank's sorted labels, which rank 0 gathers. A part of all these lists exceeds
/// its share by at most a factor of 1 + P / per_rank.
template <class Label>
std::vector<Label> find_splitters(gate& call, std::vector<Label> const& sorted) {
    constexpr std::size_t per_rank = 64;
    communicator const& comm = call.comm();
    using list = std::vector<Label>;
    list samples;
    call.guard([&] {
        for (std::size_t i = 0; i < per_rank && !sorted.empty(); ++i)
            samples.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * per_rank)]);
    });
    samples = reduce_at_0(call, std::move(samples), [](list all, list const& others) {
        all.insert(all.end(), others.begin(), others.end());
        return all;
    });
    list chosen;
    call.guard([&] {
        if (comm.rank() != 0) return;
        std::ranges::sort(samples);
        auto const parts = static_cast<std::size_t>(comm.size());
        for (std::size_t part = 1; part < parts && !samples.empty(); ++part)
            chosen.push_back(samples[part * samples.size() / parts]);
    });
    return broadcast(call, std::move(chosen));
}

/// The labels of this rank, sorted, on their way to the ranks that sort the parts between splitters.
template <class Label>
outbox<Label> send_to_sorters(
    communicator const& comm, std::vector<Label> const& sorted, std::vector<Label> const& splitters) {
    outbox<Label> to_sorters(comm);
    auto begin = sorted.begin();
    for (int part = 0; part < comm.size() && begin != sorted.end(); ++part) {
        auto const p = static_cast<std::size_t>(part);
        auto const end =
            p < splitters.size() ? std::lower_bound(begin, sorted.end(), splitters[p]) : sorted.end();
        if (begin != end) to_sorters[part].append({begin, end});
        begin = end;
    }
    return to_sorters;
}

template <class Label>
labelled_vertices<Label> number_by_sorting(
    gate& call, std::vector<edge>& edges, std::vector<Label> local_labels) {
    communicator const& comm = call.comm();
    // `order` sorts the local labels. Answers come in the sorted order, too.
    std::vector<std::size_t> order;
    std::vector<Label> sorted;
    call.guard([&] {
        order.resize(local_labels.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t i) -> Label const& { return local_labels[i]; });
        sorted.reserve(order.size());
        for (std::size_t const i : order) sorted.push_back(std::move(local_labels[i]));
    });

    auto const splitters = find_splitters(call, sorted);
    outbox<Label> to_sorters(comm);
    call.guard([&] { to_sorters = send_to_sorters(comm, sorted, splitters); });
    auto const received = exchange(call, std::move(to_sorters));

    std::vector<Label> distinct;
    call.guard([&] {
        distinct = received.concatenate();
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    });
    auto const share = exclusive_sum(call, static_cast<std::int64_t>(distinct.size()));

    outbox<global_id> answers(comm);
    call.guard([&] {
        for (auto const& [source, asked] : received) {
            auto back = answers[source];
            auto at = distinct.begin();
            for (Label const& label : asked) { // ascending, so the search never goes back
                at = std::lower_bound(at, distinct.end(), label);
                back.push_back(share.before + (at - distinct.begin()));
            }
        }
    });
    // The source ranks sort the parts in order, so their answers, one after the other, belong to `sorted`.
    std::vector<global_id> const ids_of_sorted = exchanged_items(call, std::move(answers));

    // The sorted parts have about equal size; the blocks of vertices have exactly equal size.
    uniform_distribution const vertices(share.total, comm.size());
    outbox<Label> to_owners(comm);
    call.guard([&] {
        std::vector<global_id> id(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) id[order[i]] = ids_of_sorted[i];
        for (edge& each : edges) {
            each.source = id[static_cast<std::size_t>(each.source)];
            each.target = id[static_cast<std::size_t>(each.target)];
        }
        for (std::size_t i = 0; i < distinct.size(); ++i)
            to_owners[vertices.owner(share.before + static_cast<std::int64_t>(i))].push_back(distinct[i]);
    });
    return {vertices, exchanged_items(call, std::move(to_owners))};
}

/// Replaces the endpoints of the edges by indices into the list of their distinct values, which it returns.
std::vector<std::int64_t> index_endpoints(std::vector<edge>& edges) {
    detail::id_table<std::int64_t> labels;
    for (edge& each : edges) {
        each.source = labels.number_of(each.source);
        each.target = labels.number_of(each.target);
    }
    return std::move(labels).take_ids();
}

/// The range of the labels of all ranks: it begins at `least` and has this many numbers.
struct label_range {
    std::int64_t least = 0;
    std::uint64_t numbers = 0;
    std::int64_t edges = 0; // on all ranks

    [[nodiscard]] bool is_close(int ranks) const noexcept {
        return numbers / 64 <= static_cast<std::uint64_t>(edges / ranks);
    }
};

label_range find_range(gate& call, std::vector<edge> const& edges) {
    std::int64_t least = INT64_MAX;
    std::int64_t largest = INT64_MIN;
    for (edge const& each : edges) {
        least = std::min({least, each.source, each.target});
        largest = std::max({largest, each.source, each.target});
    }
    census_value totals = census_value::identity();
    totals.sum[0] = std::ssize(edges);
    totals.max[census_slot::load_messages] = largest;
    totals.max[census_slot::load_bytes] = ~least; // the largest complement belongs to the least label
    totals = call.agree(totals);
    if (totals.sum[0] == 0) return {};
    least = ~totals.max[census_slot::load_bytes];
    largest = totals.max[census_slot::load_messages];
    // The range of all numbers would have 2^64, which overflows; labels in it are not close anyway.
    std::uint64_t const last = static_cast<std::uint64_t>(largest) - static_cast<std::uint64_t>(least);
    return {least, std::max(last, last + 1), totals.sum[0]};
}

labelled_vertices<std::int64_t> number_by_bits(
    gate& call, std::vector<edge>& edges, label_range const& range) {
    using bits = std::vector<std::uint64_t>;
    auto const place = [&](std::int64_t label) {
        return static_cast<std::uint64_t>(label) - static_cast<std::uint64_t>(range.least);
    };
    bits occurs;
    call.guard([&] {
        occurs.resize(range.numbers / 64 + 1);
        for (edge const& each : edges)
            for (std::uint64_t const at : {place(each.source), place(each.target)})
                occurs[at / 64] |= std::uint64_t{1} << at % 64;
    });
    occurs = all_reduce(call, std::move(occurs), [](bits all, bits const& others) {
        std::size_t const words = std::min(all.size(), others.size()); // a rank without memory has none
        for (std::size_t i = 0; i < words; ++i) all[i] |= others[i];
        return all;
    });
    labelled_vertices<std::int64_t> found;
    call.guard([&] {
        std::vector<std::int64_t> before(occurs.size() + 1); // each word
        for (std::size_t i = 0; i < occurs.size(); ++i) before[i + 1] = before[i] + std::popcount(occurs[i]);
        found.vertices = uniform_distribution(before.back(), call.comm().size());
        std::int64_t const first = found.vertices.begin(call.comm().rank());
        std::int64_t const end = found.vertices.end(call.comm().rank());
        if (static_cast<std::uint64_t>(before.back()) == range.numbers) { // each number is a label
            if (range.least != 0)
                for (edge& each : edges) each = {each.source - range.least, each.target - range.least};
            found.labels.resize(static_cast<std::size_t>(end - first));
            std::iota(found.labels.begin(), found.labels.end(), range.least + first);
            return;
        }
        auto const number_of = [&](std::int64_t label) {
            std::uint64_t const at = place(label);
            return before[at / 64] + std::popcount(occurs[at / 64] & ((std::uint64_t{1} << at % 64) - 1));
        };
        for (edge& each : edges) each = {number_of(each.source), number_of(each.target)};
        found.labels.reserve(static_cast<std::size_t>(end - first));
        auto word = static_cast<std::size_t>(std::ranges::upper_bound(before, first) - before.begin() - 1);
        for (; word < occurs.size() && before[word] < end; ++word) {
            std::int64_t number = before[word];
            for (std::uint64_t left = occurs[word]; left != 0; left &= left - 1, ++number)
                if (number >= first && number < end)
                    found.labels.push_back(static_cast<std::int64_t>(
                        static_cast<std::uint64_t>(range.least) + 64 * word + std::countr_zero(left)));
        }
    });
    return found;
}

} // namespace

labelled_vertices<std::int64_t> number_vertices(gate& call, std::vector<edge>& edges) {
    label_range const range = find_range(call, edges);
    if (range.is_close(call.comm().size())) return number_by_bits(call, edges, range);
    std::vector<std::int64_t> labels;
    call.guard([&] { labels = index_endpoints(edges); });
    return number_by_sorting(call, edges, std::move(labels));
}

labelled_vertices<std::string> number_vertices(
    gate& call, std::vector<edge>& edges, std::vector<std::string> local_labels) {
    return number_by_sorting(call, edges, std::move(local_labels));
}

} // namespace weft
