/// Regular grids, kd-trees and given links.
#include "decomposition.hpp"

#include <weft/core/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace weft::python {

link given_links::link_of(block_id block) const {
    std::vector<block_id> ids;
    call_python([&] {
        for (nb::handle const each : function(index_of(block)))
            ids.push_back(block_id{nb::cast<std::int64_t>(each)});
    });
    return link(std::move(ids));
}

namespace {

using doubles_2d = nb::ndarray<double const, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using points_of = nb::ndarray<T const, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using int64_array = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
template <class T>
using corners = std::tuple<std::vector<T>, std::vector<T>>;

template <class T>
box<T> box_of(std::vector<T> const& lo, std::vector<T> const& hi) {
    box<T> made;
    made.dimensions = static_cast<int>(lo.size());
    std::copy_n(lo.begin(), std::min<std::size_t>(lo.size(), max_dimensions), made.lo.begin());
    std::copy_n(hi.begin(), std::min<std::size_t>(hi.size(), max_dimensions), made.hi.begin());
    return made;
}

template <class T>
corners<T> corners_of(box<T> const& of) {
    auto const n = static_cast<std::size_t>(of.dimensions);
    return {{of.lo.begin(), of.lo.begin() + n}, {of.hi.begin(), of.hi.begin() + n}};
}

template <class T>
per_dimension<T> each_of(std::vector<T> const& given) {
    per_dimension<T> made{T{}};
    made.given = static_cast<int>(given.size());
    std::copy_n(given.begin(), std::min<std::size_t>(given.size(), max_dimensions), made.values.begin());
    return made;
}

/// A grid; `blocks` is 0 where the divisions say how many.
template <class T>
decomposition_of_python make_grid(std::vector<T> const& lo, std::vector<T> const& hi, std::int64_t blocks,
    std::vector<std::int64_t> const& divisions, std::vector<T> const& ghosts, std::vector<bool> const& wrap,
    std::vector<bool> const& share_face) {
    per_dimension<bool> joined{false};
    per_dimension<bool> shared{false};
    joined.given = shared.given = static_cast<int>(wrap.size());
    for (std::size_t d = 0; d < std::min<std::size_t>(wrap.size(), max_dimensions); ++d) {
        joined.values[d] = wrap[d];
        shared.values[d] = share_face[d];
    }
    grid_options<T> options{.ghosts = each_of(ghosts), .wrap = joined, .share_face = shared};
    box<T> const domain = box_of(lo, hi);
    if (blocks == 0) return decomposition_of_python(regular_grid<T>(domain, each_of(divisions), options));
    options.divisions = each_of(divisions);
    return decomposition_of_python(regular_grid<T>(domain, blocks, options));
}

/// The blocks of points; -1 for those outside.
template <class T, class D>
int64_array blocks_of_points(D const& cut, points_of<T> const& points) {
    std::vector<std::int64_t> found(points.shape(0));
    std::size_t const dimensions = points.shape(1);
    if (dimensions != static_cast<std::size_t>(cut.dimensions()))
        throw usage_error("points: of " + std::to_string(dimensions) + " dimensions; expected " +
                          std::to_string(cut.dimensions()));
    T const* at = points.data();
    for (std::int64_t& block : found) {
        coordinates<T> point{};
        std::copy_n(at, dimensions, point.begin());
        auto const owner = cut.block_of(point);
        block = owner ? index_of(*owner) : -1;
        at += dimensions;
    }
    return array_of(std::move(found));
}

template <class T>
void bind_grid(nb::module_& module, char const* make_name, nb::class_<decomposition_of_python>& bound,
    std::string const& prefix) {
    using grid = regular_grid<T>;
    module.def(make_name, &make_grid<T>, nb::arg("lo"), nb::arg("hi"), nb::arg("blocks"),
        nb::arg("divisions"), nb::arg("ghosts"), nb::arg("wrap"), nb::arg("share_face"));
    bound
        .def((prefix + "bounds").c_str(),
            [](decomposition_of_python const& cut, std::int64_t block, bool ghosts) {
                grid const& of = cut.as<grid>();
                return corners_of(
                    ghosts ? of.bounds_with_ghosts(block_id{block}) : of.bounds(block_id{block}));
            },
            nb::arg("block"), nb::arg("ghosts"))
        .def((prefix + "divisions").c_str(),
            [](decomposition_of_python const& cut) {
                auto const all = cut.as<grid>().divisions();
                return std::vector<std::int64_t>(all.begin(), all.begin() + cut.as<grid>().dimensions());
            })
        .def((prefix + "place").c_str(),
            [](decomposition_of_python const& cut, std::int64_t block) {
                auto const all = cut.as<grid>().coordinates_of(block_id{block});
                return std::vector<std::int64_t>(all.begin(), all.begin() + cut.as<grid>().dimensions());
            },
            nb::arg("block"))
        .def((prefix + "block_of").c_str(),
            [](decomposition_of_python const& cut, points_of<T> const& points) {
                return blocks_of_points<T>(cut.as<grid>(), points);
            },
            nb::arg("points"), nb::rv_policy::automatic);
}

decomposition_of_python make_tree(communicator const& comm, doubles_2d const& points, std::int64_t blocks,
    bool cycling, std::optional<corners<double>> const& domain) {
    kd_tree_options options;
    if (cycling) options.split = kd_split::cycling;
    if (domain) options.domain = box_of(std::get<0>(*domain), std::get<1>(*domain));
    collective_call const call(comm, "KdTree");
    return decomposition_of_python(kd_tree(comm, static_cast<int>(points.shape(1)),
        std::span<double const>(points.data(), points.size()), blocks, options));
}

} // namespace

void bind_decompositions(nb::module_& module) {
    nb::class_<decomposition_of_python> bound(module, "Decomposition");
    bound.def_prop_ro("blocks", &decomposition_of_python::blocks);
    bound.def(
        "link_of",
        [](decomposition_of_python const& cut, std::int64_t block) {
            link const neighbors = cut.link_of(block_id{block});
            std::vector<std::int64_t> ids;
            for (block_id const each : neighbors) ids.push_back(index_of(each));
            return ids;
        },
        nb::arg("block"));
    bind_grid<std::int64_t>(module, "make_cell_grid", bound, "cell_");
    bind_grid<double>(module, "make_space_grid", bound, "space_");
    module.def(
        "make_links",
        [](std::int64_t blocks, any_callable function) {
            return decomposition_of_python(given_links{blocks, std::move(function)});
        },
        nb::arg("blocks"), nb::arg("function"));
    module.def("make_kd_tree", &make_tree, nb::arg("comm"), nb::arg("points"), nb::arg("blocks"),
        nb::arg("cycling"), nb::arg("domain").none());
    bound
        .def(
            "tree_bounds",
            [](decomposition_of_python const& cut, std::int64_t block) {
                return corners_of(cut.as<kd_tree>().bounds(block_id{block}));
            },
            nb::arg("block"))
        .def(
            "tree_block_of",
            [](decomposition_of_python const& cut, points_of<double> const& points) {
                return blocks_of_points<double>(cut.as<kd_tree>(), points);
            },
            nb::arg("points"), nb::rv_policy::automatic)
        .def_prop_ro("tree_domain",
            [](decomposition_of_python const& cut) { return corners_of(cut.as<kd_tree>().domain()); });
}

} // namespace weft::python
