/// Groups of simulated ranks, as communicators need them. Private.
#pragma once

#include <core/simulated_ranks.hpp>

#include <memory>

namespace weft {

class simulated_program;

/// The state that the members of a group share.
class simulated_group;

/// Returns the group of all ranks.
[[nodiscard]] std::shared_ptr<simulated_group> all_simulated_ranks(simulated_program& program);

/// Returns one member, by its place.
[[nodiscard]] std::shared_ptr<simulated_ranks> member_of(std::shared_ptr<simulated_group> group, int place);

} // namespace weft
