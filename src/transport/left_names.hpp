/// Removes names of shared memory that killed jobs have left. Private.
#pragma once

namespace weft {

/// The prefix of every name of a shared memory; the id of its process follows.
constexpr char const* shared_name_prefix = "weft-";

/// Removes names of empty memory that are at least a minute old and whose process is gone. A name exists only
/// while the ranks of a node open the memory, which is empty until then; so a name that stays was left by a
/// job that was killed at that moment. Names of other users, and of live processes, stay.
void sweep_left_names() noexcept;

} // namespace weft
