#include <weft/extend/collective/array_call.hpp>

#include <weft/core/topology.hpp>
#include <weft/observe/counters.hpp>

#include "array_reduction.hpp"
#include "array_spread.hpp"
#include "collective_tags.hpp"
#include "combining_threads.hpp"

#include <optional>

namespace weft {

std::size_t segment_bytes_on(communicator const& comm) noexcept {
    return std::size_t{1} << (comm.topology().node_count() == 1 ? 18 : 16);
}

void reduce_arrays(gate& call, array_call const& what, array_operator& how, bool may_throw, int threads) {
    communicator const& comm = call.comm();
    operation_context& context = context_of(comm);
    std::unique_ptr<combining_threads> more_threads;
    std::optional<array_reduction> joint;
    call.guard([&] {
        joint.emplace(context.via, collective_tags::up, what, how, collective_tags::of(comm).begin());
        more_threads = threads_for(threads, call.call());
        if (more_threads) joint->combine_by(*more_threads);
    });
    call.agree();
    complete(context, *joint, call.call());
    context.count.control_messages += joint->messages();
    if (!may_throw) return;
    call.fail(joint->thrown());
    call.agree();
}

void spread_arrays(gate& call, array_call const& what) {
    communicator const& comm = call.comm();
    operation_context& context = context_of(comm);
    std::optional<array_spread> joint;
    call.guard(
        [&] { joint.emplace(context.via, collective_tags::down, what, collective_tags::of(comm).begin()); });
    call.agree();
    complete(context, *joint, call.call());
    context.count.control_messages += joint->messages();
}

} // namespace weft
