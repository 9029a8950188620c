#include <weft/collective/arrays.hpp>

#include <weft/core/machine_model.hpp>

#include "agreed_failure.hpp"

#include <bit>

namespace weft {

namespace {

/// Arrays of fewer bytes are merged and broadcast, of more swapped and gathered.
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

/// One array a rank along a schedule.
struct rank_call {
    rank_call(communicator const& comm, rank_array const& mine, schedule const& rounds)
        : who(participants::ranks(comm.rank())),
          data(mine.data),
          call{rounds, who, {&data, 1}, mine.elements, mine.element_bytes} {}
    rank_call(rank_call const&) = delete;
    rank_call& operator=(rank_call const&) = delete;

    participants who;
    std::byte* data;
    array_call call;
};

} // namespace

void all_reduce_array(communicator const& comm, rank_array mine, array_operator& how, bool may_throw) {
    bool const swaps = bytes_of(mine) >= swap_bytes;
    auto const rounds = swaps ? swap_of(comm, mine, grouping::contiguous) : merge_of(comm, mine);
    rank_call const one(comm, mine, rounds);
    reduce_arrays(comm, one.call, how, may_throw, "all_reduce");
    spread_arrays(comm, one.call, "all_reduce");
}

void reduce_array(communicator const& comm, rank_array mine, array_operator& how, bool may_throw, int root) {
    check_root(comm, root, "reduce");
    auto const rounds = merge_of(comm, mine, root);
    reduce_arrays(comm, rank_call(comm, mine, rounds).call, how, may_throw, "reduce");
}

element_range reduce_scatter_array(
    communicator const& comm, rank_array mine, array_operator& how, bool may_throw, grouping groups) {
    auto const rounds = swap_of(comm, mine, groups);
    reduce_arrays(comm, rank_call(comm, mine, rounds).call, how, may_throw, "reduce_scatter");
    return kept_elements(rounds, comm.rank(), mine.elements);
}

void broadcast_array(communicator const& comm, rank_array mine, int root) {
    check_root(comm, root, "broadcast");
    auto const rounds = merge_of(comm, mine, root);
    spread_arrays(comm, rank_call(comm, mine, rounds).call, "broadcast");
}

} // namespace weft
