#include <weft/graph/neighbor_counts.hpp>

#include "graph/sort_distinct.hpp"

#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace weft {

namespace {

__extension__ using wide_count = __int128; // for products of a number of entries and a number of ranks

/// Finds the block of an id.
class blocks {
public:
    /// `starts`: the begin of each block; empty if the layout determines it.
    blocks(std::int64_t total, int parts, block_layout layout, std::span<std::int64_t const> starts = {})
        : even_(total, parts),
          layout_(layout),
          block_size_(std::max<std::int64_t>(total / parts + (total % parts != 0), 1)),
          starts_(starts) {}

    [[nodiscard]] std::int64_t of(std::int64_t id) const noexcept {
        if (!starts_.empty()) return std::ranges::upper_bound(starts_, id) - starts_.begin() - 1;
        return layout_ == block_layout::ceil ? id / block_size_ : even_.owner(id);
    }

private:
    uniform_distribution even_;
    block_layout layout_;
    std::int64_t block_size_;
    std::span<std::int64_t const> starts_;
};

/// The first row of a block, or of its part on a rank.
struct block_start {
    std::int64_t block;
    std::int64_t row;
};

/// Returns the blocks with rows on this rank; `before` of all `total` entries are in rows of lower ranks.
std::vector<block_start> starts_here(sparse_matrix const& matrix, int ranks, prefix const& entries) {
    std::vector<block_start> found;
    std::int64_t row = matrix.rows().begin(matrix.comm().rank());
    auto const first = matrix.first_entries();
    for (std::size_t local = 0; local + 1 < first.size(); ++local, ++row) {
        std::int64_t const before = entries.before + static_cast<std::int64_t>(first[local]);
        std::int64_t const block =
            before == entries.total // empty rows at the end are in the last block
                ? ranks - 1
                : static_cast<std::int64_t>(static_cast<wide_count>(before) * ranks / entries.total);
        if (found.empty() || found.back().block != block) found.push_back({block, row});
    }
    return found;
}

/// Returns on every rank the begins of blocks with about equal entries; a block without rows begins at the
/// next one.
std::vector<std::int64_t> balanced_starts(gate& call, sparse_matrix const& matrix, int ranks) {
    auto const local = static_cast<std::int64_t>(matrix.values().size());
    prefix const entries = exclusive_sum(call, local);
    outbox<block_start> out(matrix.comm());
    call.guard([&] {
        auto const mine = starts_here(matrix, ranks, entries);
        for (int rank = 0; rank < matrix.comm().size(); ++rank) out[rank].append(mine);
    });
    std::vector<block_start> const all = exchanged_items(call, std::move(out));
    std::vector<std::int64_t> starts;
    call.guard([&] {
        constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
        starts.assign(static_cast<std::size_t>(ranks), none);
        for (block_start const& each : all) {
            std::int64_t& start = starts[static_cast<std::size_t>(each.block)];
            start = std::min(start, each.row);
        }
        std::int64_t next = matrix.rows().total();
        for (auto start = starts.rbegin(); start != starts.rend(); ++start)
            next = *start = std::min(*start, next);
    });
    return starts;
}

/// Returns the distinct pairs (block of the row, block of the column) of this rank's entries.
std::vector<edge> pairs_of(sparse_matrix const& matrix, blocks const& rows, blocks const& columns) {
    auto const first = matrix.first_entries();
    std::vector<edge> pairs;
    std::size_t sorted = 0; // pairs of completed row blocks, which are distinct
    for (std::size_t local = 0; local + 1 < first.size(); ++local) {
        std::int64_t const row_block =
            rows.of(matrix.rows().begin(matrix.comm().rank()) + static_cast<std::int64_t>(local));
        if (!pairs.empty() && pairs.back().source != row_block) {
            std::ranges::sort(pairs.begin() + static_cast<std::ptrdiff_t>(sorted), pairs.end());
            pairs.erase(
                std::unique(pairs.begin() + static_cast<std::ptrdiff_t>(sorted), pairs.end()), pairs.end());
            sorted = pairs.size();
        }
        for (std::size_t entry = first[local]; entry < first[local + 1]; ++entry) {
            edge const pair{row_block, columns.of(matrix.column_of(entry))};
            if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
        }
    }
    sort_distinct(pairs);
    return pairs;
}

} // namespace

neighbor_counts count_neighbors(sparse_matrix const& matrix, int ranks, block_layout layout) {
    gate call(matrix.comm(), "count_neighbors");
    call.same("ranks", ranks).same("layout", layout);
    agreed(call, [&] {
        if (ranks < 1)
            throw usage_error("count_neighbors: expected at least 1 rank, found " + std::to_string(ranks));
    });
    std::vector<std::int64_t> starts;
    if (layout == block_layout::entries) starts = balanced_starts(call, matrix, ranks);
    blocks const rows(matrix.rows().total(), ranks, layout, starts);
    blocks const columns(matrix.columns().total(), ranks, layout);
    // The rows of a block may be on several ranks; its pairs are sent to one rank.
    uniform_distribution const owners(ranks, matrix.comm().size());
    outbox<edge> out(matrix.comm());
    call.guard([&] {
        for (edge const& pair : pairs_of(matrix, rows, columns))
            out[owners.owner(pair.source)].push_back(pair);
    });
    std::vector<edge> pairs = exchanged_items(call, std::move(out));
    sort_distinct(pairs);

    constexpr std::size_t most_others = census_slot::load_messages; // of the maxima that a gate leaves free
    constexpr std::size_t most = most_others + 1;
    census_value totals = census_value::identity();
    totals.max[most_others] = totals.max[most] = 0;
    for (auto at = pairs.begin(); at != pairs.end();) {
        auto const end = std::ranges::find_if(
            at, pairs.end(), [&](edge const& pair) { return pair.source != at->source; });
        auto const own = std::count(at, end, edge{at->source, at->source});
        totals.sum[0] += end - at - own;
        totals.sum[1] += end - at;
        totals.max[most_others] = std::max<std::int64_t>(totals.max[most_others], end - at - own);
        totals.max[most] = std::max<std::int64_t>(totals.max[most], end - at);
        at = end;
    }
    totals = call.agree(totals);
    auto const average = [&](std::int64_t sum) { return static_cast<double>(sum) / ranks; };
    return {{average(totals.sum[0]), totals.max[most_others]}, {average(totals.sum[1]), totals.max[most]}};
}

} // namespace weft
