/// Describes the place of an item of a rank, for messages. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/frames/parts_view.hpp>

#include <string>

namespace weft {

/// Returns " at position 3 of part 0 on rank 2".
[[nodiscard]] inline std::string where(communicator const& comm, std::size_t part, std::size_t position) {
    return " at position " + std::to_string(position) + " of part " + std::to_string(part) + " on rank " +
           std::to_string(comm.rank());
}

/// Does so for an item that is counted through all parts.
template <class T>
[[nodiscard]] std::string where_item(communicator const& comm, parts_view<T> const& parts, std::size_t item) {
    std::size_t part = 0;
    while (item >= parts.offset(part + 1)) ++part;
    return where(comm, part, item - parts.offset(part));
}

/// Throws unless both have parts of the same sizes.
template <class A, class B>
void check_same_shape(
    char const* call, communicator const& comm, parts_view<A> const& ids, parts_view<B> const& values) {
    if (ids.parts() != values.parts())
        throw usage_error(std::string(call) + ": " + std::to_string(values.parts()) +
                          " parts of weights but " + std::to_string(ids.parts()) + " of ids on rank " +
                          std::to_string(comm.rank()));
    for (std::size_t part = 0; part < ids.parts(); ++part)
        if (ids[part].size() != values[part].size())
            throw usage_error(std::string(call) + ": " + std::to_string(values[part].size()) +
                              " weights but " + std::to_string(ids[part].size()) + " ids in part " +
                              std::to_string(part) + " on rank " + std::to_string(comm.rank()));
}

} // namespace weft
