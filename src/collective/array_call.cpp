#include <weft/extend/collective/array_call.hpp>

#include <weft/core/topology.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/agreement.hpp>

#include "array_reduction.hpp"
#include "array_spread.hpp"
#include "collective_tags.hpp"
#include "combining_threads.hpp"

namespace weft {

std::size_t segment_bytes_on(communicator const& comm) noexcept {
    return std::size_t{1} << (comm.topology().node_count() == 1 ? 18 : 16);
}

void reduce_arrays(communicator const& comm, array_call const& call, array_operator& how, bool may_throw,
    char const* name, int threads) {
    operation_context& context = context_of(comm);
    array_reduction joint(context.via, collective_tags::up, call, how, collective_tags::of(comm).begin());
    auto const more_threads = threads_for(threads, name);
    if (more_threads) joint.combine_by(*more_threads);
    complete(context, joint, name);
    context.count.control_messages += joint.messages();
    if (may_throw) agree(comm, joint.thrown());
}

void spread_arrays(communicator const& comm, array_call const& call, char const* name) {
    operation_context& context = context_of(comm);
    array_spread joint(context.via, collective_tags::down, call, collective_tags::of(comm).begin());
    complete(context, joint, name);
    context.count.control_messages += joint.messages();
}

} // namespace weft
