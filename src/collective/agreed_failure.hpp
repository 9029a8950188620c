/// Checks and errors that the collectives have in common. Private.
#pragma once

#include <weft/core/communicator.hpp>

#include <exception>

namespace weft::detail {

/// Throws: `usage_error` for a root that is no rank.
void check_root(communicator const& comm, int root, char const* operation);

/// Throws on all ranks the error of the lowest rank that failed, which all know already; -1 for none.
/// Collective: yes, if there is one.
void throw_known_failure(communicator const& comm, int lowest_failed, std::exception_ptr thrown);

} // namespace weft::detail
