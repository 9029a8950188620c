/// Sorting of the items of all ranks.
#pragma once

#include <weft/collective/gather.hpp>
#include <weft/core/communicator.hpp>
#include <weft/detail/containers/container_file.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft::detail {

struct less_first { // std::less would include all of <functional>
    template <class T>
    [[nodiscard]] bool operator()(T const& a, T const& b) const {
        return a < b;
    }
};

/// Merges adjacent sorted runs into one; equal items keep their order. `ends`: the ends of the runs,
/// ascending.
template <class T, class Before>
void merge_runs(std::vector<T>& items, std::vector<std::size_t> ends, Before& before) {
    while (ends.size() > 1) {
        std::vector<T> merged;
        merged.reserve(items.size());
        std::vector<std::size_t> merged_ends;
        std::size_t from = 0;
        for (std::size_t run = 0; run < ends.size(); run += 2) {
            std::size_t const middle = ends[run];
            std::size_t const end = run + 1 < ends.size() ? ends[run + 1] : middle;
            std::size_t left = from;
            std::size_t right = middle;
            while (left < middle && right < end)
                merged.push_back(
                    std::move(before(items[right], items[left]) ? items[right++] : items[left++]));
            for (; left < middle; ++left) merged.push_back(std::move(items[left]));
            for (; right < end; ++right) merged.push_back(std::move(items[right]));
            merged_ends.push_back(end);
            from = end;
        }
        items = std::move(merged);
        ends = std::move(merged_ends);
    }
}

/// Sorts items; equal items keep their order. (`std::stable_sort` would include all of <algorithm>.)
template <class T, class Before>
void merge_sort(std::vector<T>& items, Before& before) {
    constexpr std::size_t short_run = 16;
    std::vector<std::size_t> ends;
    for (std::size_t begin = 0; begin < items.size();) {
        std::size_t const end = begin + short_run < items.size() ? begin + short_run : items.size();
        for (std::size_t i = begin + 1; i < end; ++i) {
            if (!before(items[i], items[i - 1])) continue;
            T moved = std::move(items[i]);
            std::size_t place = i;
            do {
                items[place] = std::move(items[place - 1]);
                --place;
            } while (place > begin && before(moved, items[place - 1]));
            items[place] = std::move(moved);
        }
        ends.push_back(end);
        begin = end;
    }
    merge_runs(items, std::move(ends), before);
}

/// Sends items [begin of each rank, begin of the next) to the ranks; returns the received items, and the end
/// of the items of each source. Collective. Throws: errors of copies and encodings, agreed.
template <class T>
std::pair<std::vector<T>, std::vector<std::size_t>> exchange_ranges(
    gate& call, std::vector<T> const& items, std::span<std::int64_t const> begins) {
    outbox<T> out(call.comm());
    agreed(call, [&] {
        for (int rank = 0; rank < call.comm().size(); ++rank) {
            auto const begin = static_cast<std::size_t>(begins[static_cast<std::size_t>(rank)]);
            auto const end = static_cast<std::size_t>(begins[static_cast<std::size_t>(rank) + 1]);
            if (begin < end) out[rank].append(std::span(items).subspan(begin, end - begin));
        }
    });
    inbox<T> const box = exchange(std::move(out));
    std::pair<std::vector<T>, std::vector<std::size_t>> come;
    agreed(call, [&] {
        come.first.reserve(box.item_count());
        for (auto const& [source, received] : box) {
            come.first.insert(come.first.end(), received.begin(), received.end());
            come.second.push_back(come.first.size());
        }
    });
    return come;
}

/// Rebalances items to even shares of the ranks and keeps their order (rank, position). Collective. Throws:
/// errors of copying, agreed.
template <class T>
[[nodiscard]] std::vector<T> even_share(gate& call, std::vector<T> const& items) {
    communicator const& comm = call.comm();
    std::vector<std::int64_t> begins;
    agreed(call, [&] { begins.resize(static_cast<std::size_t>(comm.size()) + 1); });
    prefix const all = exclusive_sum(comm, std::ssize(items));
    even_shares const shares(all.total, comm.size());
    for (std::size_t rank = 0; rank < begins.size(); ++rank) {
        std::int64_t const begin = shares.begin(static_cast<std::int64_t>(rank)) - all.before;
        begins[rank] = begin < 0 ? 0 : begin < std::ssize(items) ? begin : std::ssize(items);
    }
    return exchange_ranges(call, items, begins).first;
}

/// Reads a file of items; each rank gets its even share, in order. Collective. Throws: all that
/// `loaded_records` throws; errors of copying, agreed.
template <class T>
[[nodiscard]] std::vector<T> load_items(gate& call, std::string const& file, char const* kind) {
    loaded_records<T> const records(call, file, kind);
    std::vector<T> read;
    agreed(call, [&] {
        read.reserve(static_cast<std::size_t>(records.size()));
        records.for_each([&](view_of<T>& each) { read.push_back(T(std::move(each))); });
    });
    return even_share(call, read);
}

/// Sorts the items of all ranks, each of which gets its even share; equal items keep the order (rank,
/// position). This is a sample sort: splitters give ranks about equal numbers, also if all items are equal,
/// because rank and position break ties. Then items move to the ranks of their final places. Collective.
/// Throws: errors of `before`, agreed.
template <class T, class Before>
[[nodiscard]] std::vector<T> sorted_share(gate& call, std::vector<T> items, Before& before) {
    communicator const& comm = call.comm();
    auto const ranks = static_cast<std::size_t>(comm.size());
    using sample = std::tuple<T, int, std::int64_t>; // an item, its rank and position
    std::vector<sample> samples;
    agreed(call, [&] { merge_sort(items, before); });
    std::int64_t const total = sum(comm, std::ssize(items));
    std::int64_t const wanted = 32 * comm.size(); // over all ranks
    agreed(call, [&] {
        std::int64_t const mine = total == 0 ? 0 : (std::ssize(items) * wanted + total - 1) / total;
        even_shares const shares(std::ssize(items), mine > 0 ? mine : 1);
        for (std::int64_t i = 0; i < mine && i < std::ssize(items); ++i)
            samples.emplace_back(
                items[static_cast<std::size_t>(shares.begin(i))], comm.rank(), shares.begin(i));
    });
    samples = all_gatherv(comm, std::move(samples));
    std::vector<std::int64_t> begins;
    agreed(call, [&] {
        begins.assign(ranks + 1, std::ssize(items));
        auto const sample_before = [&](sample const& a, sample const& b) {
            if (before(std::get<0>(a), std::get<0>(b))) return true;
            if (before(std::get<0>(b), std::get<0>(a))) return false;
            return std::get<1>(a) != std::get<1>(b) ? std::get<1>(a) < std::get<1>(b)
                                                    : std::get<2>(a) < std::get<2>(b);
        };
        merge_sort(samples, sample_before);
        begins[0] = 0;
        even_shares const parts(std::ssize(samples), std::ssize(begins) - 1);
        for (std::size_t rank = 1; rank < ranks && !samples.empty(); ++rank) {
            // Finds the first local item that is not before the splitter.
            auto const& [splitter, of, position] = samples[static_cast<std::size_t>(
                parts.begin(static_cast<std::int64_t>(rank)) < std::ssize(samples)
                    ? parts.begin(static_cast<std::int64_t>(rank))
                    : std::ssize(samples) - 1)];
            std::int64_t low = begins[rank - 1];
            std::int64_t high = std::ssize(items);
            while (low < high) {
                std::int64_t const middle = low + (high - low) / 2;
                T const& item = items[static_cast<std::size_t>(middle)];
                bool const is_before =
                    before(item, splitter) ||
                    (!before(splitter, item) && (comm.rank() != of ? comm.rank() < of : middle < position));
                if (is_before)
                    low = middle + 1;
                else
                    high = middle;
            }
            begins[rank] = low;
        }
    });
    auto come = exchange_ranges(call, items, begins);
    agreed(call, [&] { merge_runs(come.first, std::move(come.second), before); });
    return even_share(call, come.first);
}

} // namespace weft::detail
