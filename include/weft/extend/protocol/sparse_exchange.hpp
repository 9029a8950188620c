/// The dynamic sparse data exchange: a rank knows its receivers and finds its senders.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/protocol/exchange_load.hpp>
#include <weft/extend/protocol/message.hpp>
#include <weft/extend/transport/transport.hpp>
#include <weft/observe/counters.hpp>

#include <cstdint>
#include <exception>

namespace weft {

class item_dispute; // src/protocol

/// Setup of an exchange besides its messages. The same on all ranks except for `thrown` and `carried`.
struct sparse_exchange_setup {
    epoch_tags tags;              ///< The tags of the exchange.
    protocol how = protocol::nbx; ///< any but `automatic`
    all_reduce_method census =
        all_reduce_method::dissemination; ///< The way in which ranks agree on counts and errors.
    /// The type of the items: ranks that disagree get a `usage_error` that names both types. pex
    /// compares 10 bits of the print, the others all of it.
    item_type items = {};
    /// Set if the call failed before it began, for instance for an invalid destination: then this rank sends
    /// nothing, and all ranks throw.
    std::exception_ptr thrown = {};
    /// True to combine `carried` over all ranks, see `carried_result`. nbx, rsx and the two-level
    /// protocols have a census anyway; the others run one beside the exchange.
    bool carries = false;
    census_value carried = census_value::identity(); ///< in the slots that `census_slot` leaves free
    /// A rank begins no further message while this number of bytes of other messages is in transit.
    std::int64_t in_flight_bytes = std::int64_t{64} << 20;
    /// For nbx: longer messages are announced by a header.
    std::int64_t header_above = 32768;
    /// True if `next` returns messages in the order in which they arrive.
    bool in_order_of_arrival = false;
    /// The load that `busiest` combines. If classes are negative, it is the load of the messages.
    exchange_load load = {-1, -1};
    /// For rsx: which remote counter of `transport::add_remote` belongs to this operation.
    int counter = 0;
    /// The nodes as this rank sees them, without which no messages between nodes are counted; the two-level
    /// protocols need them, as any rank sees them. Must outlive the engine.
    topology const* nodes = nullptr;
};

/// One rank's part in a sparse exchange. When `step` says done, `rethrow` throws the agreed error or returns,
/// and `take` gives the messages received, ordered by source. k is the number of messages a rank sends.
///
/// nbx: synchronous sends; when they are complete, the census; when that is complete everything has arrived.
/// Cost: T_BC(P) + T_DT, memory O(k) besides the data. Long messages go by a header that is sent
/// synchronously and a payload of known size.
/// pex: all-to-all of the sizes, then receives of known size. Cost: T_PE(P) + T_DT, memory O(P).
/// pcx: a personalised census of the number of messages, under way together with the messages. Cost:
/// T_RS(P) + T_DT, memory O(P).
/// rsx: the counts by remote accumulation into one persistent window, a census when they are there. Cost:
/// k remote additions, T_BC(P) + T_DT, memory O(k), and a window of one word for every epoch.
/// store_and_forward: ceil(log2 P) rounds over other ranks, in each of which all data for one next rank are
/// one message. Cost: ceil(log2 P) messages of half the data, no discovery, memory O(data ceil(log2 P)).
/// nbx_two_level, pcx_two_level: the rank that serves another node collects all data of its node for that
/// node and sends them as one message, which is distributed there. Cost: one message to every rank of the
/// node, twice, and nbx or pcx between nodes.
///
/// Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, sections 3.1 to 3.4; rounds are kept apart by
/// `epoch_ledger`. Store-and-forward: the index algorithm of Bruck and others, IEEE TPDS 1997.
class sparse_exchange final : public engine {
public:
    /// `outgoing` has at most one message for each rank, all of 0..P-1; the one to this rank is handed over
    /// without the transport. The transport must outlive the engine. Collective, in one common order.
    sparse_exchange(transport& via, sparse_exchange_setup const& setup, message_list outgoing);

    [[nodiscard]] progress step() override;
    [[nodiscard]] progress quick_step() override;
    void describe_wait(std::string& into) const override;
    /// Throws the error of the lowest rank that failed, if there is one.
    void rethrow() const;
    /// Moves out a complete message, also before the exchange is done; returns false if no message is
    /// complete. An exchange that fails may have returned some messages before.
    [[nodiscard]] bool next(message& into);
    /// Returns the received messages, ascending by source, one per source. To be called once, after done, and
    /// not after `next`.
    [[nodiscard]] message_list take();
    /// Gets the load of the busiest rank; returns false if the protocol does not know it (pcx by MPI's
    /// reduce-scatter). After done, unless the exchange failed.
    [[nodiscard]] bool busiest(exchange_load& into) const;
    /// Returns the combination of the carried values. Only after done.
    [[nodiscard]] census_value const& carried_result() const;
    /// Adds the messages of this rank to the counters. Only after done.
    void count(counters& into) const;

    class protocol_engine; // src/protocol: what a protocol implements

private:
    progress after(progress now);

    detail::owned<protocol_engine> engine_;
    detail::owned<item_dispute> dispute_; // where the items of ranks differ
};

} // namespace weft
