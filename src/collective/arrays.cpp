#include <weft/collective/arrays.hpp>

#include <weft/extend/core/attachment.hpp>
#include <weft/machine/machine_model.hpp>

#include "agreed_failure.hpp"
#include "kept_calls.hpp"
#include "small_reductions.hpp"

#include <bit>
#include <memory>
#include <utility>

namespace weft {

namespace {

/// Arrays of fewer bytes are combined on every rank, of more swapped and gathered.
constexpr std::size_t swap_bytes = 16 << 10;

double bytes_of(rank_array const& mine) {
    return static_cast<double>(mine.elements) * static_cast<double>(mine.element_bytes);
}

regular_schedule merge_of(communicator const& comm, rank_array const& mine, int root = 0) {
    return merge_schedule(comm.size(), merge_k(comm.machine(), comm.size(), bytes_of(mine)), {.root = root});
}

/// The model chooses only where its choice does not change the brackets.
regular_schedule swap_of(communicator const& comm, rank_array const& mine, grouping groups) {
    bool const any_k = std::has_single_bit(static_cast<unsigned>(comm.size()));
    int const k = any_k ? swap_k(comm.machine(), comm.size(), bytes_of(mine)) : 4;
    return swap_schedule(comm.size(), k, {.groups = groups});
}

array_shape shape_of(array_shape_kind kind, rank_array const& mine, int root = 0) {
    return {kind, root, mine.elements, mine.element_bytes};
}

std::unique_ptr<kept_call> take_merge(communicator const& comm, rank_array const& mine, int root = 0) {
    return attachment<kept_calls>(comm).take(
        comm, shape_of(array_shape_kind::merge, mine, root), [&] { return merge_of(comm, mine, root); });
}

std::unique_ptr<kept_call> take_swap(communicator const& comm, rank_array const& mine, grouping groups) {
    array_shape_kind const kind =
        groups == grouping::strided ? array_shape_kind::swap_strided : array_shape_kind::swap_contiguous;
    return attachment<kept_calls>(comm).take(
        comm, shape_of(kind, mine), [&] { return swap_of(comm, mine, groups); });
}

void keep(communicator const& comm, std::unique_ptr<kept_call> call) {
    attachment<kept_calls>(comm).keep(std::move(call));
}

} // namespace

void all_reduce_array(communicator const& comm, rank_array mine, array_operator& how, bool may_throw) {
    if (mine.elements * mine.element_bytes < swap_bytes)
        return detail::reduce_small(comm, mine, how, {.may_throw = may_throw});
    auto call = take_swap(comm, mine, grouping::contiguous);
    call->reduce(comm, mine.data, how, may_throw, "all_reduce");
    call->spread(comm, mine.data, "all_reduce");
    keep(comm, std::move(call));
}

void reduce_array(communicator const& comm, rank_array mine, array_operator& how, bool may_throw, int root) {
    detail::check_root(comm, root, "reduce");
    auto call = take_merge(comm, mine, root);
    call->reduce(comm, mine.data, how, may_throw, "reduce");
    keep(comm, std::move(call));
}

element_range reduce_scatter_array(
    communicator const& comm, rank_array mine, array_operator& how, bool may_throw, grouping groups) {
    auto call = take_swap(comm, mine, groups);
    call->reduce(comm, mine.data, how, may_throw, "reduce_scatter");
    element_range const kept = call->kept();
    keep(comm, std::move(call));
    return kept;
}

void broadcast_array(communicator const& comm, rank_array mine, int root) {
    detail::check_root(comm, root, "broadcast");
    auto call = take_merge(comm, mine, root);
    call->spread(comm, mine.data, "broadcast");
    keep(comm, std::move(call));
}

} // namespace weft
