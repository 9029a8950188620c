/// Seeds: the places where particles begin.
#pragma once

#include <tracing/flow.hpp>

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

struct seed {
    std::int64_t id; ///< counts from 0
    vector3 place;
};

/// Returns the seeds that a text describes: ids from 0 over all ranks, each on one rank, ascending there:
///
///     every:8[,min=0.1]            every 8th of the points where the speed is at least 0.1 (or what is said)
///                                  of the greatest, x fastest; every:auto: so that there are about 500
///     box:NX,NY,NZ[,X0,X1,Y0,Y1,Z0,Z1]   the middles of NX x NY x NZ equal parts of a box, or of the domain
///     plane:z=3,NX,NY              the same in a plane; the numbers are along the other two axes in order
///     random:N                     evenly spread over the domain
///     file:FILE.csv                x,y,z a line; a line that does not begin with a number is a head
///
/// Numbers of the text are in the world; places are along the axes of the field, and so are parts of the
/// domain. Seeds are the same at any number of ranks. Collective: yes. Blocks: until all ranks have called.
/// Cost: O(N / P) for a formula; `every` reads each value of the first step once. Throws: `usage_error` for
/// any other text, `io_error` for a file; agreed.
[[nodiscard]] std::vector<seed> make_seeds(
    communicator const& comm, flow const& field, std::string const& text, std::uint64_t random);

} // namespace weft
