/// Large values of all ranks on one. The ranks of its node write theirs into its memory at the same time:
/// that takes as long as one copy, where a rank that receives makes them one after the other.
#include "call.hpp"

#include <weft/collective/gather.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/exchange/message_store.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>
#include <weft/protocol/collectives.hpp>

#include <sys/types.h>
#ifdef __linux__
#include <sys/uio.h>
#include <unistd.h>
#endif

#include <chrono>
#include <cstring>
#include <new>
#include <vector>

namespace weft::python {

namespace {

/// Memory of the root for the values of all ranks, or nothing: its process, a number and where that stands
/// there, then where the row of each rank begins. Who finds the number there has found the root: processes
/// have the same numbers in other containers.
using places_of_rows = std::vector<std::uint64_t>;
constexpr std::size_t process_place = 0;
constexpr std::size_t token_place = 1;
constexpr std::size_t token_address_place = 2;
constexpr std::size_t first_row_place = 3;

/// True if all bytes are there. The system may forbid it, or the process be another one's.
bool write_row(places_of_rows const& to, int rank, std::span<std::byte const> bytes) noexcept {
#ifdef __linux__
    if (to.empty()) return false;
    auto const process = static_cast<pid_t>(to[process_place]);
    std::uint64_t found = 0;
    iovec const here{&found, sizeof found};
    iovec const there{reinterpret_cast<void*>(to[token_address_place]), sizeof found};
    if (process_vm_readv(process, &here, 1, &there, 1, 0) != sizeof found || found != to[token_place])
        return false;
    std::uint64_t const row = to[first_row_place + static_cast<std::size_t>(rank)];
    for (std::size_t at = 0; at < bytes.size();) {
        iovec const from{const_cast<std::byte*>(bytes.data()) + at, bytes.size() - at};
        iovec const into{reinterpret_cast<void*>(row + at), bytes.size() - at};
        ssize_t const written = process_vm_writev(process, &from, 1, &into, 1, 0);
        if (written <= 0) return false;
        at += static_cast<std::size_t>(written);
    }
    return true;
#else
    static_cast<void>(to), static_cast<void>(rank), static_cast<void>(bytes);
    return false;
#endif
}

/// Makes a buffer for the value of each rank; none where there is no memory: the exchange, which needs as
/// much, then says so.
places_of_rows open_rows(
    std::vector<std::int64_t> const& sizes, std::vector<buffer>& rows, std::uint64_t const& token) {
    places_of_rows made;
#ifdef __linux__
    try {
        for (std::int64_t const size : sizes) rows.emplace_back(static_cast<std::size_t>(size));
        made = {static_cast<std::uint64_t>(getpid()), token, reinterpret_cast<std::uintptr_t>(&token)};
        for (buffer const& each : rows) made.push_back(reinterpret_cast<std::uintptr_t>(each.data()));
    } catch (std::bad_alloc const&) {
        rows.clear();
        made.clear();
    }
#endif
    return made;
}

/// The values of all ranks on the root, in order, and nothing on others. Those who could not write send
/// theirs; an exchange is over when all ranks have come to it, so that all have written by then.
list_of_arrays gather_rows(communicator const& comm, input_bytes const& mine, int root) {
    std::span<std::byte const> const bytes = bytes_of(mine);
    std::vector<buffer> rows;
    message_list received;
    {
        collective_call const call(comm, "gather");
        bool const is_root = comm.rank() == root;
        auto const sizes = all_gather(comm, static_cast<std::int64_t>(bytes.size()));
        auto const now = std::chrono::steady_clock::now().time_since_epoch().count();
        std::uint64_t const token =
            detail::mixed(static_cast<std::uint64_t>(now) ^ reinterpret_cast<std::uintptr_t>(&now));
        places_of_rows const to =
            broadcast(comm, is_root ? open_rows(sizes, rows, token) : places_of_rows(), root);
        bool const near = comm.topology().node_of(root) == comm.topology().node();
        bool const is_there = is_root || (near && write_row(to, comm.rank(), bytes));
        byte_exchange what;
        what.items = item_type_of("gathered values", 1);
        what.blocks = true;
        if (!is_there) {
            message_store store(comm);
            store.at(store.place_of(root)) = buffer::view_of(bytes.data(), bytes.size());
            what.outgoing = store.release(what.failure);
        }
        pending_bytes open(comm, std::move(what), {});
        if (is_root) {
            rows.resize(sizes.size());
            buffer& own = rows[static_cast<std::size_t>(root)];
            own.resize(bytes.size());
            std::memcpy(own.data(), bytes.data(), bytes.size());
        }
        open.finish();
        received = open.take();
    }
    for (message& each : received) rows[static_cast<std::size_t>(each.peer)] = std::move(each.data);
    list_of_arrays made;
    for (buffer& each : rows) made.append(nb::cast(array_over(std::move(each))));
    return made;
}

} // namespace

void bind_gathered_rows(nb::module_& module) {
    module.def("gather_rows", &gather_rows, nb::arg("comm"), nb::arg("mine"), nb::arg("root"));
}

} // namespace weft::python
