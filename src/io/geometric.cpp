#include "generator_check.hpp"

#include <core/counter_random.hpp>
#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/io/generators.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

namespace weft {

namespace {

constexpr int coordinate_bits = 31; // the squares of three differences add up below 2^64

double radius_of(geometric_options const& options) {
    io::generator_check const check("generate_geometric");
    check.require_vertices(options.vertices);
    check.require(
        options.dimensions == 2 || options.dimensions == 3, "2 or 3 dimensions", options.dimensions);
    if (options.radius) {
        check.require(*options.radius >= 0 && *options.radius <= 1, "a radius in 0..1", *options.radius);
        return *options.radius;
    }
    double const volume = check.share_of_others(options.average_degree, options.vertices);
    return std::min(1.0, options.dimensions == 2 ? std::sqrt(volume / std::numbers::pi)
                                                 : std::cbrt(0.75 * volume / std::numbers::pi));
}

/// The cells that the square is cut into, 2^axis_bits along each axis and no narrower than the radius; the
/// first axis varies fastest.
struct cell_grid {
    int dimensions;
    int axis_bits = 0;

    cell_grid(geometric_options const& options, double radius) : dimensions(options.dimensions) {
        while (std::ldexp(1.0, -(axis_bits + 1)) >= radius &&
               std::int64_t{1} << (dimensions * (axis_bits + 1)) <= options.vertices)
            ++axis_bits;
    }
    [[nodiscard]] int bits() const noexcept { return dimensions * axis_bits; }
    [[nodiscard]] std::int64_t count() const noexcept { return std::int64_t{1} << bits(); }
    [[nodiscard]] std::int64_t along_axis() const noexcept { return std::int64_t{1} << axis_bits; }
    [[nodiscard]] std::int64_t coordinate(std::int64_t cell, int axis) const noexcept {
        return cell >> (axis * axis_bits) & (along_axis() - 1);
    }
};

/// Numbers points cell by cell. A half of the cells of a node has as many of its points as a fair coin gives
/// it: the bits of random words, counted.
class point_numbers {
public:
    /// Of the cells from `begin` up to `end`.
    point_numbers(
        cell_grid const& grid, geometric_options const& options, std::int64_t begin, std::int64_t end)
        : seed_(options.seed), begin_(begin), end_(end) {
        first_.reserve(static_cast<std::size_t>(end - begin) + 1);
        divide(1, grid.bits(), 0, options.vertices);
    }
    /// The first point of a cell; of `end`, the point behind the last.
    [[nodiscard]] std::int64_t first_of(std::int64_t cell) const noexcept {
        return first_[static_cast<std::size_t>(cell - begin_)];
    }

private:
    /// Node 1 is the whole, and node i has the halves 2i and 2i + 1, of 2^height cells before they are cut.
    void divide(std::uint64_t node, int height, std::int64_t first, std::int64_t points) {
        auto const cell = static_cast<std::int64_t>((node << height) - std::bit_floor(node << height));
        if (cell + (std::int64_t{1} << height) <= begin_ || cell >= end_) return;
        if (height == 0) {
            if (first_.empty()) first_.push_back(first);
            first_.push_back(first + points);
            return;
        }
        std::int64_t const left = half_of(points, node);
        divide(2 * node, height - 1, first, left);
        divide(2 * node + 1, height - 1, first + left, points - left);
    }

    [[nodiscard]] std::int64_t half_of(std::int64_t points, std::uint64_t node) const noexcept {
        counter_random const random(seed_, node); // stream 0 is that of coordinates
        std::int64_t heads = 0;
        std::uint64_t word = 0;
        for (; points >= 64; points -= 64) heads += std::popcount(random(word++));
        return heads + std::popcount(random(word) & ((std::uint64_t{1} << points) - 1));
    }

    std::uint64_t seed_;
    std::int64_t begin_;
    std::int64_t end_;
    std::vector<std::int64_t> first_;
};

template <int Dimensions>
class point_pairs {
public:
    point_pairs(geometric_options const& options, double radius, std::int64_t begin, std::int64_t end)
        : grid_(options, radius),
          reach_(std::min(grid_.count(), end + forward_reach())),
          numbers_(grid_, options, begin, reach_),
          first_point_(numbers_.first_of(begin)),
          limit_(square_of(radius)) {
        counter_random const random(options.seed, 0);
        for (auto& axis : at_)
            axis.reserve(static_cast<std::size_t>(numbers_.first_of(reach_) - first_point_));
        for (std::int64_t cell = begin; cell < reach_; ++cell)
            for (std::int64_t point = numbers_.first_of(cell); point < numbers_.first_of(cell + 1); ++point)
                for (int axis = 0; axis < Dimensions; ++axis) {
                    int const free_bits = coordinate_bits - grid_.axis_bits;
                    std::uint64_t const place = random(
                        static_cast<std::uint64_t>(point) * Dimensions + static_cast<std::uint64_t>(axis));
                    at_[static_cast<std::size_t>(axis)].push_back(
                        static_cast<std::int32_t>(grid_.coordinate(cell, axis) << free_bits |
                                                  static_cast<std::int64_t>(place >> (64 - free_bits))));
                }
    }

    /// Appends the edges from the points of a cell to later ones, in its own cell and those behind it.
    void append(std::int64_t cell, std::vector<edge>& edges) const {
        std::int64_t const end = numbers_.first_of(cell + 1);
        for (std::int64_t point = numbers_.first_of(cell); point < end; ++point) {
            append_near(point, point + 1, end, edges);
            for_each_row_behind(cell, [&](std::int64_t first, std::int64_t last) {
                append_near(point, numbers_.first_of(first), numbers_.first_of(last + 1), edges);
            });
        }
    }

private:
    /// How far behind a cell the last one lies that touches it.
    [[nodiscard]] std::int64_t forward_reach() const noexcept {
        std::int64_t const side = grid_.along_axis();
        return Dimensions == 2 ? side + 1 : side * side + side + 1;
    }

    [[nodiscard]] static std::uint64_t square_of(double radius) noexcept {
        auto const length = static_cast<std::uint64_t>(std::ldexp(radius, coordinate_bits));
        return length * length;
    }

    /// Calls back with the first and the last cell of each row of those that touch `cell` and come later, in
    /// their order.
    template <class Call>
    void for_each_row_behind(std::int64_t cell, Call&& call) const {
        std::int64_t const side = grid_.along_axis();
        std::int64_t const x = grid_.coordinate(cell, 0);
        std::int64_t const left = x > 0 ? -1 : 0;
        std::int64_t const right = x + 1 < side ? 1 : 0;
        std::int64_t const y = grid_.coordinate(cell, 1);
        if (right > 0) call(cell + 1, cell + 1);
        if (y + 1 < side) call(cell + side + left, cell + side + right);
        if constexpr (Dimensions == 3) {
            if (grid_.coordinate(cell, 2) + 1 == side) return;
            for (std::int64_t const dy : {-1, 0, 1}) {
                if (y + dy < 0 || y + dy >= side) continue;
                std::int64_t const row = cell + side * (side + dy);
                call(row + left, row + right);
            }
        }
    }

    void append_near(
        std::int64_t point, std::int64_t begin, std::int64_t end, std::vector<edge>& edges) const {
        auto const here = static_cast<std::size_t>(point - first_point_);
        for (std::int64_t other = begin; other < end; ++other) {
            auto const there = static_cast<std::size_t>(other - first_point_);
            std::uint64_t square = 0;
            for (auto const& axis : at_) {
                std::int64_t const apart = std::int64_t{axis[there]} - axis[here];
                square += static_cast<std::uint64_t>(apart * apart);
            }
            if (square <= limit_) edges.push_back({point, other});
        }
    }

    cell_grid grid_;
    std::int64_t reach_; // the cell behind the last whose points are known
    point_numbers numbers_;
    std::int64_t first_point_;
    std::uint64_t limit_;
    std::array<std::vector<std::int32_t>, Dimensions> at_;
};

template <int Dimensions>
void append_own(
    communicator const& comm, geometric_options const& options, double radius, std::vector<edge>& edges) {
    uniform_distribution const shares(cell_grid(options, radius).count(), comm.size());
    std::int64_t const begin = shares.begin(comm.rank());
    std::int64_t const end = shares.end(comm.rank());
    if (begin == end) return;
    point_pairs<Dimensions> const pairs(options, radius, begin, end);
    constexpr std::int64_t cells_between_calls = 1 << 14;
    for (std::int64_t cell = begin; cell < end; ++cell) {
        if (options.progress && (cell - begin) % cells_between_calls == 0)
            options.progress(cell - begin, end - begin);
        pairs.append(cell, edges);
    }
}

edge_list own_share(communicator const& comm, geometric_options const& options) {
    double const radius = radius_of(options);
    edge_list graph;
    graph.vertices = graph.rows = graph.columns = options.vertices;
    graph.format = "random geometric, " + std::to_string(options.dimensions) + " dimensions, " +
                   std::to_string(options.vertices) + " vertices, radius " + std::to_string(radius) +
                   ", seed " + std::to_string(options.seed);
    if (options.dimensions == 2)
        append_own<2>(comm, options, radius, graph.edges);
    else
        append_own<3>(comm, options, radius, graph.edges);
    return graph;
}

} // namespace

edge_list generate_geometric(communicator const& comm, geometric_options const& options) {
    gate call(comm, "generate_geometric");
    call.same("vertices", options.vertices).same("dimensions", options.dimensions);
    call.same("average_degree", options.average_degree).same("radius", options.radius.value_or(-1));
    call.same("seed", options.seed);
    edge_list graph;
    agreed(call, [&] { graph = own_share(comm, options); });
    return graph;
}

} // namespace weft
