#include <weft/graph/neighbor_counts.hpp>

#include "graph/sort_distinct.hpp"

#include <exchange/gated_exchange.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>

namespace weft {

namespace {

/// The block that an id is in.
class blocks {
public:
    blocks(std::int64_t total, int parts, block_layout layout)
        : even_(total, parts),
          layout_(layout),
          block_size_(std::max<std::int64_t>(total / parts + (total % parts != 0), 1)) {}

    [[nodiscard]] std::int64_t of(std::int64_t id) const noexcept {
        return layout_ == block_layout::floor ? even_.owner(id) : id / block_size_;
    }

private:
    uniform_distribution even_;
    block_layout layout_;
    std::int64_t block_size_;
};

/// The distinct pairs (block of the row, block of the column) of this rank's entries.
std::vector<edge> pairs_of(sparse_matrix const& matrix, int ranks, block_layout layout) {
    blocks const rows(matrix.rows().total(), ranks, layout);
    blocks const columns(matrix.columns().total(), ranks, layout);
    auto const first = matrix.first_entries();
    std::vector<edge> pairs;
    std::size_t sorted = 0; // pairs of row blocks that are done, distinct
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
    // The rows of a block may lie on several ranks; the pairs of a block meet on one.
    uniform_distribution const owners(ranks, matrix.comm().size());
    outbox<edge> out(matrix.comm());
    call.guard([&] {
        for (edge const& pair : pairs_of(matrix, ranks, layout))
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
