#include <weft/protocol/protocol_choice.hpp>

#include <weft/core/machine_model.hpp>

#include <algorithm>
#include <array>

namespace weft {

namespace {

/// Before anything is known: some neighbours, short messages.
exchange_load first_guess(int ranks) {
    std::int64_t const messages = std::min(ranks - 1, 6);
    return exchange_load::of(messages, 64 * messages);
}

} // namespace

protocol_choice::protocol_choice(communicator const& comm)
    : comm_(comm.state()), load_(first_guess(comm.size())) {
}

protocol protocol_choice::next() {
    if (chosen_for_ != load_) {
        chosen_ = predicted_fastest();
        chosen_for_ = load_;
    }
    return chosen_;
}

protocol protocol_choice::predicted_fastest() const {
    // Those that never lose by much first: of equals the first is taken. rsx is left out, because nothing
    // tells before its first use whether this machine's windows work; where they do, pcx was as fast.
    constexpr std::array candidates{protocol::nbx, protocol::pex, protocol::pcx, protocol::store_and_forward,
        protocol::nbx_two_level, protocol::pcx_two_level};
    communicator const comm(comm_);
    exchange_shape shape;
    shape.ranks = comm.size();
    shape.nodes = comm.topology().node_count();
    shape.largest_node = comm.topology().largest_node();
    shape.messages = exchange_load::typical(load_.messages);
    shape.bytes = exchange_load::typical(load_.bytes);
    bool const has_levels = shape.nodes > 1 && shape.nodes < shape.ranks;
    return fastest(comm.machine(), shape, std::span(candidates).first(has_levels ? 6 : 4));
}

} // namespace weft
