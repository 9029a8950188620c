#include <contouring/kept_points.hpp>

#include <weft/exchange/exchange.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>

namespace weft::contouring {

namespace {

/// Successive points of a row of the grid.
struct point_run {
    std::int64_t row;
    std::int64_t x;
    std::int64_t length;
};

/// Calls `use(run)` for each run of each box, in order.
template <class Use>
void for_runs(grid_lines const& grid, std::vector<kept_points::numbered_runs> const& boxes, Use&& use) {
    for (kept_points::numbered_runs const& each : boxes)
        for (std::size_t row = 0; row < each.rows.rows(); ++row)
            for (std::size_t run = each.rows.first[row]; run < each.rows.first[row + 1]; ++run)
                use(point_run{each.rows.z_of(row) * grid.points[1] + each.rows.y_of(row),
                    each.rows.bounds.lo[0] + each.rows.runs[run].begin,
                    each.rows.runs[run].end - each.rows.runs[run].begin});
}

} // namespace

global_id kept_points::numbered_runs::number_of(std::size_t row, std::int64_t x) const noexcept {
    auto const first = rows.runs.begin() + static_cast<std::ptrdiff_t>(rows.first[row]);
    auto const last = rows.runs.begin() + static_cast<std::ptrdiff_t>(rows.first[row + 1]);
    auto const run = std::prev(std::upper_bound(first, last, x,
        [](std::int64_t at, row_runs::run const& each) { return at < std::int64_t{each.begin}; }));
    return first_numbers[static_cast<std::size_t>(run - rows.runs.begin())] + x - run->begin;
}

kept_points::kept_points(communicator const& comm, grid_lines const& grid, std::vector<kept_box> const& boxes)
    : width_(grid.points[0]), height_(grid.points[1]) {
    uniform_distribution const rows(grid.points[1] * grid.points[2], comm.size());
    outbox<point_run> asked(comm);
    agreed(comm, [&] {
        first_row_ = rows.begin(comm.rank());
        auto const bits = static_cast<std::size_t>(rows.size(comm.rank()) * width_);
        bits_.resize((bits + 63) / 64);
        before_words_.resize(bits_.size());
        for (kept_box const& each : boxes) {
            numbered_runs& made = runs_.emplace_back();
            made.rows.first = {0};
            if (!each.used.empty())
                made.rows = find_runs(
                    std::as_bytes(std::span(each.used)), value_type::uint8, each.points, {.threshold = 1});
            made.first_numbers.resize(made.rows.runs.size());
        }
        for_runs(grid, runs_, [&](point_run const& run) { asked[rows.owner(run.row)].push_back(run); });
    });
    inbox<point_run> const runs = exchange(std::move(asked));
    for (auto const& [source, items] : runs)
        for (point_run const& run : items) mark(run.row, run.x, run.length);
    for (std::size_t word = 0; word < bits_.size(); ++word) {
        before_words_[word] = mine_;
        mine_ += std::popcount(bits_[word]);
    }
    prefix const of = exclusive_sum(comm, mine_);
    first_number_ = of.before;
    total_ = of.total;

    outbox<global_id> answers(comm);
    agreed(comm, [&] {
        for (auto const& [source, items] : runs)
            for (point_run const& run : items) answers[source].push_back(number_at(run.row, run.x));
    });
    inbox<global_id> const numbers = exchange(std::move(answers));
    agreed(comm, [&] {
        std::vector<std::span<global_id const>> left(static_cast<std::size_t>(comm.size()));
        for (auto const& [source, items] : numbers) left[static_cast<std::size_t>(source)] = items;
        auto box = runs_.begin();
        std::size_t place = 0;
        for_runs(grid, runs_, [&](point_run const& run) {
            for (; place == box->first_numbers.size(); place = 0) ++box;
            auto& from = left[static_cast<std::size_t>(rows.owner(run.row))];
            box->first_numbers[place++] = from.front();
            from = from.subspan(1);
        });
    });
}

std::int64_t kept_points::number_at(std::int64_t row, std::int64_t x) const noexcept {
    auto const bit = static_cast<std::uint64_t>((row - first_row_) * width_ + x);
    std::uint64_t const below = bits_[bit / 64] & ((std::uint64_t{1} << bit % 64) - 1);
    return first_number_ + before_words_[bit / 64] + std::popcount(below);
}

void kept_points::mark(std::int64_t row, std::int64_t x, std::int64_t length) noexcept {
    auto bit = static_cast<std::uint64_t>((row - first_row_) * width_ + x);
    for (auto left = static_cast<std::uint64_t>(length); left > 0;) {
        std::uint64_t const here = std::min(left, 64 - bit % 64);
        std::uint64_t const ones = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
        bits_[bit / 64] |= ones << bit % 64;
        bit += here;
        left -= here;
    }
}

} // namespace weft::contouring
