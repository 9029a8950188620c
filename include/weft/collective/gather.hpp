/// Gather and broadcast of bytes and values.
#pragma once

#include <weft/collective/reduce.hpp>
#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/extend/protocol/message.hpp>
#include <weft/protocol/collectives.hpp>
#include <weft/wire/wire.hpp>

#include <concepts>
#include <exception>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

namespace weft {

/// Returns on rank 0 a list with the bytes of each rank, in the order of ranks, and an empty list on other
/// ranks. `failure` is the error of a rank that could not make its bytes, and null on other ranks.
/// Collective: yes. Blocks: until all ranks have called. Cost: 2 (P - 1) messages; rank 0 receives 7
/// ceil(log8 P) of them. Throws: on all ranks, the `failure` of the lowest rank that passes an error;
/// `mpi_error`.
[[nodiscard]] message_list gather_bytes(
    communicator const& comm, buffer mine, std::exception_ptr failure = {});

/// Returns on all ranks the bytes of the root. `failure` is the error of a root that could not make its
/// bytes, else null; the `failure` of other ranks is ignored. Collective: yes. Blocks: until this rank has
/// the bytes. Cost: P - 1 messages in a tree of ceil(log2 P) levels. Throws: on all ranks, `failure` if the
/// root passes an error; `usage_error` for an invalid root; `mpi_error`.
[[nodiscard]] buffer broadcast_bytes(
    communicator const& comm, buffer of_root, std::exception_ptr failure = {}, int root = 0);

/// Returns the value of the root on all ranks. If the gate `open` holds an error of the root, all ranks throw
/// this error; errors of other ranks and of decoding stay in the gate. Collective, Blocks, Cost, Throws: as
/// `broadcast_bytes`.
template <wire_type T>
[[nodiscard]] T broadcast(gate& open, T value, int root = 0) {
    bool const is_root = open.comm().rank() == root;
    buffer bytes;
    if (is_root) open.guard([&] { encode(bytes, std::as_const(value)); });
    bytes =
        broadcast_bytes(open.comm(), std::move(bytes), is_root ? open.take() : std::exception_ptr(), root);
    if (!is_root) open.guard([&] { value = decode<T>(bytes.bytes()); });
    return value;
}

/// Returns the value of the root on all ranks; the values of other ranks are ignored. Collective, Blocks,
/// Cost, Throws: as `broadcast_bytes`; errors of encoding and decoding, on all ranks. For types that are not
/// trivially copyable, a small all-reduce tells all ranks of errors.
template <wire_type T>
[[nodiscard]] T broadcast(communicator const& comm, T value, int root = 0) {
    gate call(comm, "broadcast");
    value = broadcast(call, std::move(value), root);
    if constexpr (!bare_type<T>) call.agree();
    return value;
}

/// Returns the items of all ranks as one list, ordered by rank; the items of a rank keep their order.
/// Collective: yes. Blocks: until all ranks have called. Cost: as `all_reduce` of a list; each rank needs
/// memory for all items. Throws: errors of encoding, on all ranks; `mpi_error`.
template <wire_type T>
[[nodiscard]] std::vector<T> all_gatherv(communicator const& comm, std::vector<T> mine) {
    return all_reduce(comm, std::move(mine), [](std::vector<T> left, std::vector<T> right) {
        left.insert(left.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
        return left;
    });
}

/// Returns the values of all ranks in the order of ranks; for integers see <weft/protocol/collectives.hpp>.
/// Collective, Blocks, Cost, Throws: as `all_gatherv`.
template <wire_type Value>
requires(!std::integral<Value>)
    [[nodiscard]] std::vector<Value> all_gather(communicator const& comm, Value mine) try {
    std::vector<Value> list;
    list.push_back(std::move(mine));
    return all_gatherv(comm, std::move(list));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("all_gather");
    throw;
}

} // namespace weft
