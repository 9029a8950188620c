#include <labelling/box_labels.hpp>

#include <weft/detail/core/union_find.hpp>

#include <cstddef>

namespace weft {

namespace {

/// Unites the runs of two rows that touch each other.
void join_rows(row_runs const& rows, std::size_t row, std::size_t other, std::int32_t reach,
    detail::union_find<std::uint32_t>& sets) {
    std::size_t a = rows.first[row];
    std::size_t b = rows.first[other];
    std::size_t const a_end = rows.first[row + 1];
    std::size_t const b_end = rows.first[other + 1];
    while (a < a_end && b < b_end) {
        row_runs::run const& here = rows.runs[a];
        row_runs::run const& there = rows.runs[b];
        if (here.begin < there.end + reach && there.begin < here.end + reach)
            sets.unite(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
        // Runs of a row do not overlap, so the run that ends first meets no further run of the other row.
        if (there.end < here.end)
            ++b;
        else
            ++a;
    }
}

} // namespace

box_labels label_box(row_runs const& rows, connectivity const& neighbors) {
    detail::union_find<std::uint32_t> sets(rows.runs.size());
    auto const height = rows.height();
    auto const depth = rows.depth();
    auto const join = [&](std::size_t row, std::size_t other, std::int64_t dy, std::int64_t dz) {
        join_rows(rows, row, other, neighbors.reach(dy, dz), sets);
    };
    for (std::int64_t z = 0; z < depth; ++z)
        for (std::int64_t y = 0; y < height; ++y) {
            auto const row = static_cast<std::size_t>(z * height + y);
            if (rows.first[row] == rows.first[row + 1]) continue;
            if (y > 0) join(row, row - 1, 1, 0);
            if (z == 0 || !neighbors.across_planes) continue;
            std::size_t const behind = row - static_cast<std::size_t>(height);
            join(row, behind, 0, 1);
            if (!neighbors.joins(0, 1, 1)) continue;
            if (y > 0) join(row, behind - 1, 1, 1);
            if (y + 1 < height) join(row, behind + 1, 1, 1);
        }

    // The root of a set is its first run, so it is visited, and numbered, before the others.
    box_labels found;
    found.of_run.resize(rows.runs.size());
    for (std::uint32_t run = 0; run < found.of_run.size(); ++run) {
        std::uint32_t const root = sets.find(run);
        if (root == run) {
            found.of_run[run] = static_cast<std::uint32_t>(found.first_run.size());
            found.first_run.push_back(run);
        } else {
            found.of_run[run] = found.of_run[root];
        }
    }
    return found;
}

} // namespace weft
