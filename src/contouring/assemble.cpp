#include <contouring/assemble.hpp>

#include <graph/matrices/fixed_point.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/core/union_find.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/graph/components.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

namespace weft::contouring {

namespace {

using vector3 = std::array<double, 3>;

vector3 between(vector3 const& from, vector3 const& to) noexcept {
    return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

double dot(vector3 const& a, vector3 const& b) noexcept {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

vector3 cross(vector3 const& a, vector3 const& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The angle of a cosine, to 7e-5. Source: Abramowitz, Stegun, Handbook of Mathematical Functions, 4.4.45.
double angle_of(double cosine) noexcept {
    double const x = std::min(std::abs(cosine), 1.0);
    double const angle = std::sqrt(1 - x) * (1.5707288 + x * (-0.2121144 + x * (0.0742610 + x * -0.0187293)));
    return cosine < 0 ? std::numbers::pi - angle : angle;
}

double area_of(marched const& mine, std::array<std::uint32_t, 3> const& triangle) noexcept {
    vector3 const normal = cross(between(mine.places[triangle[0]], mine.places[triangle[1]]),
        between(mine.places[triangle[0]], mine.places[triangle[2]]));
    return 0.5 * std::sqrt(dot(normal, normal));
}

/// Normals are added up in these units, so that their sums do not depend on an order; some ten thousand
/// triangles may meet in a point.
constexpr double units_of_one = 0x1p48;

/// For each point the normals of its triangles, weighted by their angles there.
std::vector<std::int64_t> normal_sums(marched const& mine) {
    std::vector<std::int64_t> sums(3 * mine.places.size());
    for (auto const& triangle : mine.triangles) {
        vector3 side[3];
        double length[3];
        for (std::size_t k = 0; k < 3; ++k) {
            side[k] = between(mine.places[triangle[k]], mine.places[triangle[(k + 1) % 3]]);
            length[k] = std::sqrt(dot(side[k], side[k]));
        }
        vector3 normal = cross(side[0], side[1]);
        double const size = std::sqrt(dot(normal, normal));
        if (!(size > 0)) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t const before = (k + 2) % 3;
            double const cosine = -dot(side[before], side[k]) / (length[before] * length[k]);
            double const weight = angle_of(cosine) / size * units_of_one;
            for (std::size_t d = 0; d < 3; ++d)
                sums[3 * triangle[k] + d] += static_cast<std::int64_t>(normal[d] * weight);
        }
    }
    return sums;
}

std::vector<std::array<float, 3>> normals_of(std::vector<std::int64_t> const& sums) {
    std::vector<std::array<float, 3>> normals(sums.size() / 3);
    for (std::size_t point = 0; point < normals.size(); ++point) {
        vector3 sum;
        for (std::size_t d = 0; d < 3; ++d) sum[d] = static_cast<double>(sums[3 * point + d]);
        double const length = std::sqrt(dot(sum, sum));
        if (length > 0)
            for (std::size_t d = 0; d < 3; ++d) normals[point][d] = static_cast<float>(sum[d] / length);
    }
    return normals;
}

/// Sums over all ranks, by value.
struct value_sums {
    std::int64_t active = 0;
    std::int64_t points = 0;
    std::int64_t triangles = 0;
    std::int64_t components = 0; // that lie on this rank alone
    std::int64_t links = 0;
    std::array<std::int64_t, 3> area{};
};

/// A unit in which the areas of all triangles can be added up.
int unit_of_areas(communicator const& comm, std::span<double const> areas) {
    double const largest = areas.empty() ? 0 : *std::ranges::max_element(areas);
    std::int64_t const power = largest > 0 ? std::ilogb(largest) : INT32_MIN;
    constexpr int bits_below = 84; // and 2^40 triangles
    return static_cast<int>(std::clamp<std::int64_t>(max(comm, power) - bits_below, -1000, 1000));
}

/// Where the triangles of this rank are connected with each other and with those of other ranks.
class connections {
public:
    connections(communicator const& comm, marched const& mine, id_space const& ids)
        : comm_(comm), mine_(mine), ids_(ids), sets_(mine.places.size()) {
        for (auto const& triangle : mine.triangles) {
            sets_.unite(triangle[0], triangle[1]);
            sets_.unite(triangle[1], triangle[2]);
        }
    }

    /// `numbered`: of each point its number, and on how many ranks it is. Links sets of points here to points
    /// that others have too.
    void find(std::vector<std::int64_t> const& numbered, std::vector<value_sums>& sums) {
        std::vector<bool> reaches_out(mine_.places.size());
        links_.resize(sums.size());
        for (std::uint32_t point = 0; point < mine_.places.size(); ++point) {
            if (numbered[2 * point + 1] == 1) continue;
            std::uint32_t const root = sets_.find(point);
            reaches_out[root] = true;
            links_[value_of(point)].push_back({numbered[2 * root], numbered[2 * point]});
        }
        for (std::uint32_t point = 0; point < mine_.places.size(); ++point)
            if (sets_.find(point) == point && !reaches_out[point]) ++sums[value_of(point)].components;
        for (std::size_t value = 0; value < sums.size(); ++value)
            sums[value].links = static_cast<std::int64_t>(links_[value].size());
    }

    /// The components of a value that reach over several ranks. Collective.
    [[nodiscard]] std::int64_t spanning(std::size_t value) {
        edge_list list;
        list.edges = std::move(links_[value]);
        list.naming = vertex_naming::numbers;
        return find_components(simple_graph(comm_, std::move(list))).components;
    }

private:
    [[nodiscard]] std::size_t value_of(std::uint32_t point) const {
        return ids_.value_of(mine_.edges[point]);
    }

    communicator const& comm_;
    marched const& mine_;
    id_space const& ids_;
    detail::union_find<std::uint32_t> sets_;
    std::vector<std::vector<edge>> links_;
};

} // namespace

double imbalance_of(communicator const& comm, std::size_t mine) {
    auto const cells = static_cast<std::int64_t>(mine);
    std::int64_t const all = sum(comm, cells);
    std::int64_t const most = max(comm, cells);
    return all == 0 ? 0 : static_cast<double>(most) * comm.size() / static_cast<double>(all) - 1;
}

bool moves_cells(contour_options const& options, double imbalance) noexcept {
    return options.balance == cell_balance::always ||
           (options.balance == cell_balance::automatic && imbalance > 0.1);
}

void check(contour_options const& options, id_space const& ids) {
    if (options.values.empty()) throw usage_error("contour: expected at least one value, found none");
    for (double const value : options.values)
        if (!std::isfinite(value))
            throw usage_error(
                "contour: expected a value that is a finite number, found " + std::to_string(value));
    if (std::max(ids.cells, ids.edges) > INT64_MAX / ids.values)
        throw usage_error("contour: expected ids of edges of all values below 2^63, found " +
                          std::to_string(options.values.size()) + " values of " + std::to_string(ids.edges) +
                          " edges");
}

void assemble(communicator const& comm, marched const& mine, std::span<global_id const> active,
    id_space const& ids, contour_result& into) {
    surface& made = into.made;
    balanced_blocks const shares =
        balance_blocks(comm, parts_view<global_id>(mine.edges), {.total = ids.edges * ids.values});
    part_to_block const points(comm, shares.blocks, mine.edges);
    made.points = block_distribution::from_sizes(comm, static_cast<std::int64_t>(points.ids().size()));
    made.places = points.lowest(mine.places);
    for (std::size_t field = 0; field < mine.carried.size(); ++field)
        made.of_points[field].values =
            points.lowest(mine.carried[field], static_cast<std::size_t>(made.of_points[field].components));
    made.normals = normals_of(points.reduce(
        normal_sums(mine), [](std::int64_t a, std::int64_t b) noexcept { return a + b; }, 3));

    std::vector<value_sums> sums(static_cast<std::size_t>(ids.values));
    std::vector<std::int64_t> number_and_count;
    number_and_count.reserve(2 * points.ids().size());
    for (std::size_t i = 0; i < points.ids().size(); ++i) {
        auto const value = ids.value_of(points.ids()[i]);
        made.values.push_back(static_cast<std::int32_t>(value));
        ++sums[value].points;
        number_and_count.push_back(made.points.begin(comm.rank()) + static_cast<std::int64_t>(i));
        number_and_count.push_back(points.arrival_offsets()[i + 1] - points.arrival_offsets()[i]);
    }
    std::vector<std::int64_t> const numbered = points.reverse(number_and_count, 2);

    made.triangles = block_distribution::from_sizes(comm, static_cast<std::int64_t>(mine.triangles.size()));
    made.corners.reserve(mine.triangles.size());
    std::vector<double> area_here;
    area_here.reserve(mine.triangles.size());
    for (auto const& triangle : mine.triangles) area_here.push_back(area_of(mine, triangle));
    std::vector<fixed_point> areas(sums.size(), fixed_point(unit_of_areas(comm, area_here)));
    for (std::size_t i = 0; i < mine.triangles.size(); ++i) {
        auto const& triangle = mine.triangles[i];
        auto const value = ids.value_of(mine.edges[triangle[0]]);
        made.corners.push_back(
            {numbered[2 * triangle[0]], numbered[2 * triangle[1]], numbered[2 * triangle[2]]});
        ++sums[value].triangles;
        areas[value].add(area_here[i]);
    }
    for (global_id const cell : active) ++sums[ids.value_of(cell)].active;
    for (std::size_t value = 0; value < sums.size(); ++value) sums[value].area = areas[value].pieces();

    connections connected(comm, mine, ids);
    connected.find(numbered, sums);
    all_reduce(comm, std::span(sums), [](value_sums const& a, value_sums const& b) noexcept {
        value_sums both{a.active + b.active, a.points + b.points, a.triangles + b.triangles,
            a.components + b.components, a.links + b.links, {}};
        for (std::size_t k = 0; k < 3; ++k) both.area[k] = a.area[k] + b.area[k];
        return both;
    });
    for (std::size_t value = 0; value < sums.size(); ++value) {
        value_sums const& of = sums[value];
        areas[value].assign(of.area);
        into.of_values.push_back({of.active, of.points, of.triangles, areas[value].value(),
            of.components + (of.links > 0 ? connected.spanning(value) : 0)});
    }
}

} // namespace weft::contouring
