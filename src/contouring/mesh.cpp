#include <weft/contouring/mesh.hpp>

#include <contouring/field_counts.hpp>
#include <contouring/field_print.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>

#include <cmath>
#include <cstdio>
#include <new>
#include <utility>

namespace weft {

namespace {

void check_points(mesh const& of, int rank) {
    constexpr double too_large = 1e100; // areas and volumes of smaller places are finite
    for (std::size_t i = 0; i < of.places.size(); ++i)
        for (double const each : of.places[i])
            if (!(std::abs(each) < too_large)) {
                char shown[32];
                std::snprintf(shown, sizeof shown, "%g", each);
                throw usage_error(std::string("mesh: expected coordinates below 1e100, found ") + shown +
                                  " at point " +
                                  std::to_string(of.points.begin(rank) + static_cast<std::int64_t>(i)));
            }
}

void check_corners(mesh const& of, int rank) {
    std::size_t corners = 0;
    for (cell_kind const kind : of.kinds) {
        if (kind > cell_kind::hexahedron)
            throw usage_error(
                "mesh: cell_kind " + std::to_string(static_cast<int>(kind)) + " does not exist");
        corners += corners_of(kind);
    }
    contouring::expect_count(
        "mesh", of.corners.size(), static_cast<std::int64_t>(corners), "corners of cells");
    std::size_t at = 0;
    for (std::size_t cell = 0; cell < of.kinds.size(); ++cell)
        for (std::size_t end = at + corners_of(of.kinds[cell]); at < end; ++at)
            if (!of.points.contains(of.corners[at]))
                throw usage_error(
                    "mesh: expected corners that are points " + std::to_string(of.points.begin()) + " to " +
                    std::to_string(of.points.end() - 1) + ", found " + std::to_string(of.corners[at]) +
                    " at cell " + std::to_string(of.cells.begin(rank) + static_cast<std::int64_t>(cell)));
}

} // namespace

void check(communicator const& comm, mesh const& of) {
    std::exception_ptr const failure = detail::failure_in([&] {
        if (of.points.parts() != comm.size() || of.cells.parts() != comm.size())
            throw usage_error("mesh: expected a block of points and of cells for each rank");
        contouring::expect_count(
            "mesh", of.places.size(), of.points.size(comm.rank()), "points of this rank");
        contouring::expect_count("mesh", of.kinds.size(), of.cells.size(comm.rank()), "cells of this rank");
        check_points(of, comm.rank());
        check_corners(of, comm.rank());
        contouring::check_fields("mesh", of.of_points, of.points.size(comm.rank()));
        contouring::check_fields("mesh", of.of_cells, of.cells.size(comm.rank()));
    });
    value_print print;
    print.add(of.points).add(of.cells);
    contouring::add_fields(print, of.of_points);
    contouring::add_fields(print, of.of_cells);
    (void)agree_on("mesh", comm, failure, print, "have different blocks or fields");
}

mesh with_points_joined(communicator const& comm, mesh of, global_numbers const& numbers) try {
    check(comm, of);
    gate call(comm, "with_points_joined");
    call.same("the count of numbers", numbers.count);
    agreed(call, [&] {
        if (numbers.count < 0 || numbers.numbers.size() != of.places.size())
            throw usage_error("with_points_joined: " + std::to_string(numbers.numbers.size()) +
                              " numbers of " + std::to_string(numbers.count) + " for " +
                              std::to_string(of.places.size()) + " points");
    });
    of.corners = block_to_part(comm, of.points, of.corners).exchange(numbers.numbers);
    of.points = block_distribution::uniform(comm, numbers.count);
    part_to_block const joined(comm, of.points, numbers.numbers);
    of.places = joined.lowest(of.places);
    for (named_values& each : of.of_points)
        each.values = joined.lowest(each.values, static_cast<std::size_t>(each.components));
    return of;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("with_points_joined");
    throw;
}

mesh with_points_merged(communicator const& comm, mesh of, double tolerance) try {
    global_numbers const numbers = number_points(comm, of.places, tolerance);
    return with_points_joined(comm, std::move(of), numbers);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("with_points_merged");
    throw;
}

} // namespace weft
