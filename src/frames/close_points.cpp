#include "close_points.hpp"

#include <weft/detail/core/union_find.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace weft {

namespace {

template <std::size_t D>
struct numbered_point {
    global_id number;
    std::array<double, D> at;
};

/// Returns a power of 2 by which coordinates are multiplied before they are squared: it makes the tolerance
/// about 1.
double unit_of(double tolerance) noexcept {
    return std::ldexp(1.0, -std::clamp(std::ilogb(tolerance), -1022, 1023));
}

/// The cells in which points are compared. A point is in its own cell and, along each axis, in the next one
/// if that begins within the tolerance. Of two close points the lower one is also in the cell of the upper
/// one, axis by axis, so they share a cell. Far from 0, where only a few doubles lie within the tolerance,
/// cells are ranges of doubles. Sides are powers of 2, so that both kinds of cells have a common boundary.
template <std::size_t D>
class cell_grid {
public:
    explicit cell_grid(double tolerance)
        : tolerance_(tolerance * (1 + 8 * DBL_EPSILON)), // distances are rounded
          exponent_(std::ilogb(tolerance) + 3) {
        if (exponent_ > 1023) return; // a single cell
        width_ = std::ldexp(1.0, exponent_);
        far_ =
            exponent_ + 48 > 1023 ? std::numeric_limits<double>::infinity() : std::ldexp(1.0, exponent_ + 48);
    }

    /// Calls with the key of every cell that contains the point. Different cells may have the same key.
    template <class Call>
    void each_cell_of(std::array<double, D> const& at, Call&& call) const {
        std::array<std::int64_t, D> least{};
        std::array<std::int64_t, D> most{};
        for (std::size_t axis = 0; axis < D; ++axis) {
            least[axis] = cell_of(at[axis]);
            most[axis] = cell_of(std::nextafter(at[axis] + tolerance_, DBL_MAX));
        }
        for (std::size_t corner = 0; corner < std::size_t{1} << D; ++corner) {
            std::uint64_t key = 0;
            bool is_other = true; // than those of lower corners
            for (std::size_t axis = 0; axis < D; ++axis) {
                bool const upper = (corner >> axis & 1) != 0;
                is_other = is_other && !(upper && most[axis] == least[axis]);
                key = mixed(key ^ static_cast<std::uint64_t>((upper ? most : least)[axis]));
            }
            if (is_other) call(static_cast<global_id>(key >> 2));
        }
    }

    static constexpr std::int64_t keys = std::int64_t{1} << 62;

private:
    /// Returns a cell number that ascends with `x`. Less than 2^48 cells lie between 0 and `far_`. There, at
    /// most 16 doubles are within the tolerance; a cell beyond has 64 doubles.
    [[nodiscard]] std::int64_t cell_of(double x) const noexcept {
        if (width_ == 0) return 0;
        if (std::abs(x) < far_) return static_cast<std::int64_t>(std::floor(x / width_));
        std::int64_t const run = std::bit_cast<std::int64_t>(std::abs(x)) >> 6;
        return x < 0 ? -run : run;
    }

    /// Mixes bits (the finaliser of MurmurHash3), so that the ranks get equal shares of the keys.
    static std::uint64_t mixed(std::uint64_t bits) noexcept {
        bits = (bits ^ bits >> 33) * 0xFF51AFD7ED558CCDU;
        bits = (bits ^ bits >> 33) * 0xC4CEB9FE1A85EC53U;
        return bits ^ bits >> 33;
    }

    double tolerance_;
    int exponent_; // of the side of a cell, which is 4 to 8 tolerances: in narrow cells points would be in
                   // several, and wide ones have many pairs
    double width_ = 0;
    double far_ = 0;
};

/// Sets of close points among the points of one cell.
template <std::size_t D>
class close_sets {
public:
    using point = numbered_point<D>;

    close_sets(std::vector<point> points, double tolerance)
        : points_(std::move(points)),
          tolerance_(tolerance),
          unit_(unit_of(tolerance)),
          sets_(points_.size()) {
        std::ranges::sort(points_, [this](point const& a, point const& b) {
            auto const left = corner_of(a);
            auto const right = corner_of(b);
            return left != right ? left < right : a.number < b.number;
        });
        // Points of one corner are close, since corners are small, except so far from 0 that doubles are
        // further apart than corners. One close pair of points joins two corners.
        std::vector<std::size_t> begins;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (i == 0 || corner_of(points_[i]) != corner_of(points_[i - 1]) ||
                !are_close(points_[i].at, points_[begins.back()].at))
                begins.push_back(i);
            sets_.unite(begins.back(), i);
        }
        begins.push_back(points_.size());
        for (std::size_t a = 0; a + 1 < begins.size(); ++a) {
            corner const of_a = corner_of(points_[begins[a]]);
            for (std::size_t b = a + 1; b + 1 < begins.size(); ++b) {
                corner const of_b = corner_of(points_[begins[b]]);
                if (of_b[0] - of_a[0] > 2) break; // so are all later ones, which are sorted
                if (may_be_close(of_a, of_b) && sets_.find(begins[a]) != sets_.find(begins[b]) &&
                    has_close_pair(begins[a], begins[a + 1], begins[b], begins[b + 1]))
                    sets_.unite(begins[a], begins[b]);
            }
        }
    }

    /// Appends the numbers of each set with several distinct ones, and the end of the set.
    void append_to(std::vector<global_id>& members, std::vector<std::size_t>& ends) {
        std::vector<std::size_t> order(points_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, [this](std::size_t a, std::size_t b) {
            return sets_.find(a) != sets_.find(b) ? sets_.find(a) < sets_.find(b)
                                                  : points_[a].number < points_[b].number;
        });
        for (std::size_t i = 0; i < order.size();) {
            std::size_t const begin = members.size();
            std::size_t const set = sets_.find(order[i]);
            for (; i < order.size() && sets_.find(order[i]) == set; ++i) {
                global_id const number = points_[order[i]].number; // comes from every rank that has the point
                if (members.size() == begin || members.back() != number) members.push_back(number);
            }
            if (members.size() - begin < 2)
                members.resize(begin);
            else
                ends.push_back(members.size());
        }
    }

private:
    using corner = std::array<double, D>;

    [[nodiscard]] corner corner_of(point const& of) const noexcept {
        corner found{};
        // The diagonal of a corner is shorter than the tolerance.
        double const side = tolerance_ / std::sqrt(static_cast<double>(D)) * (1 - 1e-9);
        for (std::size_t axis = 0; axis < D; ++axis) found[axis] = std::floor(of.at[axis] / side);
        return found;
    }
    [[nodiscard]] static bool may_be_close(corner const& a, corner const& b) noexcept {
        for (std::size_t axis = 0; axis < D; ++axis)
            if (std::abs(a[axis] - b[axis]) > 2) return false;
        return true;
    }
    [[nodiscard]] bool has_close_pair(
        std::size_t begin, std::size_t end, std::size_t other_begin, std::size_t other_end) const noexcept {
        for (std::size_t a = begin; a < end; ++a)
            for (std::size_t b = other_begin; b < other_end; ++b)
                if (are_close(points_[a].at, points_[b].at)) return true;
        return false;
    }
    [[nodiscard]] bool are_close(
        std::array<double, D> const& a, std::array<double, D> const& b) const noexcept {
        double squares = 0;
        for (std::size_t axis = 0; axis < D; ++axis) {
            double const distance = (a[axis] - b[axis]) * unit_;
            squares += distance * distance;
        }
        return squares <= tolerance_ * unit_ * (tolerance_ * unit_);
    }

    std::vector<point> points_;
    double tolerance_;
    double unit_;
    detail::union_find<std::size_t> sets_;
};

/// Sets of numbers to be merged. Each rank has some of the sets.
struct number_sets {
    std::vector<global_id> members;
    std::vector<std::size_t> ends;
};

template <std::size_t D>
number_sets find_close_sets(communicator const& comm, std::span<std::array<double, D> const> points,
    std::vector<global_id> const& numbers, double tolerance) {
    std::vector<global_id> keys;
    std::vector<numbered_point<D>> sent;
    agreed(comm, [&] {
        std::vector<std::size_t> order(points.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&numbers](std::size_t i) { return numbers[i]; });
        cell_grid<D> const grid(tolerance);
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i > 0 && numbers[order[i]] == numbers[order[i - 1]]) continue;
            grid.each_cell_of(points[order[i]], [&](global_id key) {
                keys.push_back(key);
                sent.push_back({numbers[order[i]], points[order[i]]});
            });
        }
    });
    part_to_block const cells(comm, block_distribution::uniform(comm, cell_grid<D>::keys), keys);
    auto const arrived = cells.merge(sent);
    number_sets found;
    agreed(comm, [&] {
        for (std::size_t cell = 0; cell + 1 < arrived.offsets.size(); ++cell) {
            auto const begin = arrived.values.begin() + arrived.offsets[cell];
            auto const end = arrived.values.begin() + arrived.offsets[cell + 1];
            if (end - begin < 2) continue;
            close_sets<D>(std::vector(begin, end), tolerance).append_to(found.members, found.ends);
        }
    });
    return found;
}

/// Returns for each number of this rank's block the least number that is merged with it.
std::vector<global_id> least_labels(
    communicator const& comm, block_distribution const& blocks, number_sets const& sets) {
    block_to_part const plan(comm, blocks, sets.members);
    std::vector<global_id> labels;
    std::vector<global_id> before;
    agreed(comm, [&] {
        labels.resize(plan.block_items());
        before.resize(labels.size());
    });
    std::iota(labels.begin(), labels.end(), blocks.begin(comm.rank()));
    bool changed = true;
    while (changed) {
        std::ranges::copy(labels, before.begin());
        std::vector<global_id> of_members = plan.exchange(labels);
        std::size_t begin = 0;
        for (std::size_t const end : sets.ends) {
            auto const first = of_members.begin() + static_cast<std::ptrdiff_t>(begin);
            auto const last = of_members.begin() + static_cast<std::ptrdiff_t>(end);
            std::fill(first, last, *std::min_element(first, last));
            begin = end;
        }
        plan.reverse(std::span<global_id const>(of_members), std::span(labels),
            [](global_id a, global_id b) noexcept { return std::min(a, b); });
        labels = block_to_part(comm, blocks, labels).exchange(labels); // halves the length of chains
        changed = max(comm, labels != before ? 1 : 0) != 0;
    }
    return labels;
}

} // namespace

template <std::size_t D>
global_numbers merge_close_points(communicator const& comm, std::span<std::array<double, D> const> points,
    global_numbers const& exact, double tolerance) {
    number_sets const sets = find_close_sets(comm, points, exact.numbers, tolerance);
    block_distribution const blocks = block_distribution::uniform(comm, exact.count);
    std::vector<global_id> const labels = least_labels(comm, blocks, sets);
    return number_ids(comm, block_to_part(comm, blocks, exact.numbers).exchange(labels));
}

template global_numbers merge_close_points<2>(
    communicator const&, std::span<std::array<double, 2> const>, global_numbers const&, double);
template global_numbers merge_close_points<3>(
    communicator const&, std::span<std::array<double, 3> const>, global_numbers const&, double);

} // namespace weft
