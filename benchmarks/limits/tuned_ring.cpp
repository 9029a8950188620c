#include "tuned_ring.hpp"

#include <weft/core/error.hpp>

namespace weft::limits {

namespace {

std::size_t ring_bytes(ring_shape const& shape) {
    if (shape.slots < 1 || shape.slot_bytes == 0 || shape.slot_bytes % cache_line != 0)
        throw usage_error("a ring needs a slot or more, each of whole cache lines");
    return static_cast<std::size_t>(shape.slots) * (cache_line + shape.slot_bytes);
}

} // namespace

tuned_ring::tuned_ring(communicator const& comm, ring_shape shape)
    : comm_(comm), shape_(shape), memory_(comm, static_cast<std::size_t>(comm.size()) * ring_bytes(shape)) {
    auto const end_of = [&](int receiver, int sender) {
        // The lines of state of all rings come first, so that the slots are as far apart as they are long.
        auto const ring = static_cast<std::size_t>(sender) * static_cast<std::size_t>(shape.slots);
        auto const rings = static_cast<std::size_t>(comm.size()) * static_cast<std::size_t>(shape.slots);
        std::byte* const part = memory_.of(receiver);
        return ring_end{reinterpret_cast<slot_state*>(part) + ring,
            part + rings * sizeof(slot_state) + ring * shape.slot_bytes};
    };
    for (int rank = 0; rank < comm.size(); ++rank) {
        outgoing_.push_back(end_of(rank, comm.rank()));
        incoming_.push_back(end_of(comm.rank(), rank));
    }
}

} // namespace weft::limits
