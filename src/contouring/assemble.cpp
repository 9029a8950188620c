#include <contouring/assemble.hpp>

#include <collective/fixed_point.hpp>
#include <frames/radix_sort.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/core/union_find.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/graph/components.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>

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

/// Returns the angle of a cosine, to 7e-5. Source: Abramowitz, Stegun, Handbook of Mathematical Functions,
/// 4.4.45.
double angle_of(double cosine) noexcept {
    double const x = std::min(std::abs(cosine), 1.0);
    double const angle = std::sqrt(1 - x) * (1.5707288 + x * (-0.2121144 + x * (0.0742610 + x * -0.0187293)));
    return cosine < 0 ? std::numbers::pi - angle : angle;
}

template <class Use>
void for_triangles(marched const& of, Use&& use) {
    for (auto const& piece : of.triangles.pieces())
        for (triangle3 const& triangle : piece) use(triangle);
}

double area_of(marched const& mine, triangle3 const& triangle) noexcept {
    vector3 const normal = cross(between(mine.places[triangle[0]], mine.places[triangle[1]]),
        between(mine.places[triangle[0]], mine.places[triangle[2]]));
    return 0.5 * std::sqrt(dot(normal, normal));
}

/// Normals are added up as integers in this unit, so that the sums do not depend on the order. Some ten
/// thousand triangles may meet in a point without overflow.
constexpr double units_of_one = 0x1p48;

/// Returns for each point the sum of the normals of its triangles, weighted by their angles there.
std::vector<std::int64_t> normal_sums(marched const& mine) {
    std::vector<std::int64_t> sums(3 * mine.places.size());
    for_triangles(mine, [&](triangle3 const& triangle) {
        vector3 side[3];
        double length[3];
        for (std::size_t k = 0; k < 3; ++k) {
            side[k] = between(mine.places[triangle[k]], mine.places[triangle[(k + 1) % 3]]);
            length[k] = std::sqrt(dot(side[k], side[k]));
        }
        vector3 normal = cross(side[0], side[1]);
        double const size = std::sqrt(dot(normal, normal));
        if (!(size > 0)) return;
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t const before = (k + 2) % 3;
            double const cosine = -dot(side[before], side[k]) / (length[before] * length[k]);
            double const weight = angle_of(cosine) / size * units_of_one;
            for (std::size_t d = 0; d < 3; ++d)
                sums[3 * triangle[k] + d] += static_cast<std::int64_t>(normal[d] * weight);
        }
    });
    return sums;
}

/// `sum(point, d)`: component d of the sum of the normals at a point.
template <class Sum>
std::vector<std::array<float, 3>> normals_of(std::size_t points, Sum&& sum) {
    std::vector<std::array<float, 3>> normals(points);
    for (std::size_t point = 0; point < points; ++point) {
        vector3 of_point;
        for (std::size_t d = 0; d < 3; ++d) of_point[d] = static_cast<double>(sum(point, d));
        double const length = std::sqrt(dot(of_point, of_point));
        if (length > 0)
            for (std::size_t d = 0; d < 3; ++d) normals[point][d] = static_cast<float>(of_point[d] / length);
    }
    return normals;
}

/// Sums over all ranks for each value.
struct value_sums {
    std::int64_t active = 0;
    std::int64_t points = 0;
    std::int64_t triangles = 0;
    std::int64_t components = 0; // components on this rank only
    std::int64_t links = 0;
    std::array<std::int64_t, 3> area{};
};

/// Returns a unit in which the areas of all triangles can be added up. Collective. Throws: the error in
/// `call`.
int unit_of_areas(gate& call, marched const& mine) {
    double largest = 0;
    if (!call.failed())
        for_triangles(mine, [&](triangle3 const& each) { largest = std::max(largest, area_of(mine, each)); });
    census_value value = census_value::identity();
    value.max[census_slot::first_free] = largest > 0 ? std::ilogb(largest) : INT32_MIN;
    std::int64_t const power = call.agree(value).max[census_slot::first_free];
    constexpr int bits_below = 84; // leaves room for 2^40 triangles
    return static_cast<int>(std::clamp<std::int64_t>(power - bits_below, -1000, 1000));
}

/// The numbers of this rank's points in the whole surface.
struct numbered_points {
    std::vector<std::int64_t> number;
    std::vector<std::uint8_t> shared; ///< 1 for points that other ranks have, too; empty if there are none
};

/// The connections between the triangles of this rank, and with those of other ranks.
class connections {
public:
    connections(communicator const& comm, marched const& mine, id_space const& ids)
        : comm_(comm), mine_(mine), ids_(ids), sets_(mine.edges.size()) {
        for_triangles(mine, [&](triangle3 const& triangle) {
            sets_.unite(triangle[0], triangle[1]);
            sets_.unite(triangle[1], triangle[2]);
        });
    }

    /// Links each local component to its points that other ranks have, too.
    void find(numbered_points const& points, std::vector<value_sums>& sums) {
        std::vector<bool> reaches_out(mine_.edges.size());
        links_.resize(sums.size());
        for (std::uint32_t point = 0; point < points.shared.size(); ++point) {
            if (points.shared[point] == 0) continue;
            std::uint32_t const root = sets_.find(point);
            reaches_out[root] = true;
            links_[value_of(point)].push_back({points.number[root], points.number[point]});
        }
        for (std::uint32_t point = 0; point < mine_.edges.size(); ++point)
            if (sets_.find(point) == point && !reaches_out[point]) ++sums[value_of(point)].components;
        for (std::size_t value = 0; value < sums.size(); ++value)
            sums[value].links = static_cast<std::int64_t>(links_[value].size());
    }

    /// Returns the number of components of a value that span several ranks. Collective.
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

double imbalance_of(gate& call, std::size_t mine) {
    census_value value = census_value::identity();
    value.sum[0] = value.max[census_slot::first_free] = static_cast<std::int64_t>(mine);
    value = call.agree(value);
    auto const all = static_cast<double>(value.sum[0]);
    auto const most = static_cast<double>(value.max[census_slot::first_free]);
    return all == 0 ? 0 : most * call.comm().size() / all - 1;
}

bool moves_cells(contour_options const& options, double imbalance) noexcept {
    return options.balance == cell_balance::always ||
           (options.balance == cell_balance::automatic && imbalance > 0.1);
}

void check(contour_options const& options, id_space const& ids) {
    if (options.values.empty()) throw usage_error("contour: expected at least one value, found none");
    for (value_bound const& value : options.values)
        if (!std::isfinite(value.nearest()))
            throw usage_error("contour: expected a value that is a finite number, found " +
                              std::to_string(value.nearest()));
    if (std::max(ids.cells, ids.edges) > INT64_MAX / ids.values)
        throw usage_error("contour: expected ids of edges of all values below 2^63, found " +
                          std::to_string(options.values.size()) + " values of " + std::to_string(ids.edges) +
                          " edges");
}

std::vector<std::int64_t> count_by_value(std::span<global_id const> active, id_space const& ids) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ids.values));
    for (global_id const each : active) ++counts[ids.value_of(each)];
    return counts;
}

namespace {

template <class T>
std::vector<T> picked(std::vector<T> const& from, std::vector<std::uint32_t> const& at, std::size_t width) {
    std::vector<T> made;
    made.reserve(at.size() * width);
    for (std::uint32_t const each : at)
        for (std::size_t c = 0; c < width; ++c) made.push_back(from[each * width + c]);
    return made;
}

/// Sorts the points by their ids: sets the places, normals and fields of `into`, and returns the numbers of
/// points. Moves from the places and fields of `mine`. For a single rank, which has nothing to join.
numbered_points order_alone(marched& mine, std::vector<global_id>& ids_here, surface& into) {
    struct marked {
        global_id id;
        std::uint32_t at;
    };
    std::vector<std::uint32_t> order(mine.edges.size()); // point by number
    {
        std::vector<marked> marks(mine.edges.size());
        global_id all_bits = 0;
        for (std::uint32_t at = 0; at < marks.size(); ++at) {
            marks[at] = {mine.edges[at], at};
            all_bits |= mine.edges[at];
        }
        radix_sort(marks, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all_bits))),
            [](marked const& each) { return static_cast<std::uint64_t>(each.id); });
        ids_here.reserve(marks.size());
        for (std::size_t i = 0; i < marks.size(); ++i) {
            order[i] = marks[i].at;
            ids_here.push_back(marks[i].id);
        }
    }
    {
        std::vector<std::int64_t> const sums = normal_sums(mine);
        into.normals = normals_of(
            order.size(), [&](std::size_t point, std::size_t d) { return sums[3 * order[point] + d]; });
    }
    into.places = picked(std::exchange(mine.places, {}), order, 1);
    for (std::size_t field = 0; field < mine.carried.size(); ++field)
        into.of_points[field].values = picked(std::exchange(mine.carried[field], {}), order,
            static_cast<std::size_t>(into.of_points[field].components));
    numbered_points found;
    found.number.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) found.number[order[i]] = static_cast<std::int64_t>(i);
    return found;
}

/// Does the same on several ranks: points move to the owners of their ids. Coordinates are sent one after the
/// other, since sending all at once would take twice the memory.
numbered_points join(gate& call, marched& mine, std::vector<std::int64_t> sums, id_space const& ids,
    std::vector<global_id>& ids_here, surface& into) {
    communicator const& comm = call.comm();
    balanced_blocks const shares =
        balance_blocks(comm, parts_view<global_id>(mine.edges), {.total = ids.edges * ids.values});
    part_to_block const points(comm, shares.blocks, mine.edges);
    std::array<std::vector<std::int64_t>, 3> joined;
    std::vector<std::int64_t> along;
    agreed(call, [&] {
        ids_here.assign(points.ids().begin(), points.ids().end());
        along.resize(mine.edges.size());
    });
    for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t i = 0; i < along.size(); ++i) along[i] = sums[3 * i + d];
        joined[d] = points.reduce(along, [](std::int64_t a, std::int64_t b) noexcept { return a + b; });
    }
    sums = std::vector<std::int64_t>();
    along = std::vector<std::int64_t>();
    std::vector<double> coordinate;
    agreed(call, [&] {
        into.normals =
            normals_of(ids_here.size(), [&](std::size_t point, std::size_t d) { return joined[d][point]; });
        joined = {};
        into.places.resize(ids_here.size());
        coordinate.resize(mine.edges.size());
    });
    for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t i = 0; i < coordinate.size(); ++i) coordinate[i] = mine.places[i][d];
        std::vector<double> const moved = points.lowest(coordinate);
        for (std::size_t i = 0; i < moved.size(); ++i) into.places[i][d] = moved[i];
    }
    mine.places = std::vector<place3>();
    for (std::size_t field = 0; field < mine.carried.size(); ++field)
        into.of_points[field].values = points.lowest(std::exchange(mine.carried[field], {}),
            static_cast<std::size_t>(into.of_points[field].components));

    coordinate = std::vector<double>();
    std::vector<std::int64_t> numbers;
    std::vector<std::uint8_t> shared;
    agreed(call, [&] {
        numbers.resize(ids_here.size());
        shared.resize(ids_here.size());
    });
    std::int64_t const first = exclusive_sum(comm, static_cast<std::int64_t>(ids_here.size())).before;
    for (std::size_t i = 0; i < ids_here.size(); ++i) {
        numbers[i] = first + static_cast<std::int64_t>(i);
        shared[i] =
            static_cast<std::uint8_t>(points.arrival_offsets()[i + 1] - points.arrival_offsets()[i] > 1);
    }
    return {points.reverse(numbers), points.reverse(shared)};
}

} // namespace

void assemble(communicator const& comm, marched mine, std::span<std::int64_t const> active,
    id_space const& ids, contour_result& into) {
    gate call(comm, "contour");
    surface& made = into.made;
    std::vector<value_sums> sums;
    std::vector<fixed_point> areas;
    std::vector<std::int64_t> sums_of_normals;
    call.guard([&] {
        sums.resize(static_cast<std::size_t>(ids.values));
        areas.reserve(sums.size());
        into.of_values.reserve(sums.size());
        if (comm.size() > 1) sums_of_normals = normal_sums(mine);
    });
    fixed_point const no_area(unit_of_areas(call, mine));
    areas.assign(sums.size(), no_area);
    for_triangles(mine, [&](triangle3 const& triangle) {
        auto const value = ids.value_of(mine.edges[triangle[0]]);
        ++sums[value].triangles;
        areas[value].add(area_of(mine, triangle));
    });
    std::vector<global_id> ids_here;
    numbered_points const points = comm.size() == 1
                                       ? order_alone(mine, ids_here, made)
                                       : join(call, mine, std::move(sums_of_normals), ids, ids_here, made);
    auto const triangles = static_cast<std::int64_t>(mine.triangles.size());
    std::optional<connections> connected;
    agreed(call, [&] {
        made.values.reserve(ids_here.size());
        for (global_id const id : ids_here) {
            auto const value = ids.value_of(id);
            made.values.push_back(static_cast<std::int32_t>(value));
            ++sums[value].points;
        }
        ids_here = std::vector<global_id>();
        connected.emplace(comm, mine, ids);
        connected->find(points, sums);
        made.corners.reserve(mine.triangles.size());
        for (auto& piece : mine.triangles.pieces()) {
            for (triangle3 const& each : piece)
                made.corners.push_back(
                    {points.number[each[0]], points.number[each[1]], points.number[each[2]]});
            piece = std::vector<triangle3>(); // `{}` would keep the memory
        }
    });
    made.points = block_distribution::from_sizes(comm, static_cast<std::int64_t>(made.values.size()));
    made.triangles = block_distribution::from_sizes(comm, triangles);
    for (std::size_t value = 0; value < sums.size(); ++value) {
        sums[value].active = active[value];
        sums[value].area = areas[value].pieces();
    }
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
            of.components + (of.links > 0 ? connected->spanning(value) : 0)});
    }
}

} // namespace weft::contouring
