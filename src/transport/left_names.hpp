/// Names of shared memory that a job left because it was killed. Private.
#pragma once

namespace weft {

/// Every name of a shared memory begins so; the process that made it follows.
constexpr char const* shared_name_prefix = "weft-";

/// Removes names of empty memory that are a minute old and whose process is gone. A name is there for the
/// moment in which the ranks of a node open it, and the memory is empty meanwhile; so one that stays was left
/// by a job that was killed just then. Names of other users, and of processes that live, stay.
void sweep_left_names() noexcept;

} // namespace weft
