/// The dynamic sparse data exchange: every rank knows whom it sends to, nobody knows who sends to him.
#pragma once

#include <weft/core/epoch.hpp>
#include <weft/core/settings.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/engine.hpp>
#include <weft/protocol/message.hpp>
#include <weft/transport/transport.hpp>

#include <cstdint>
#include <exception>
#include <vector>

namespace weft {

/// What an exchange needs besides its messages. The same on all ranks but for `thrown`.
struct sparse_exchange_setup {
    epoch_tags tags;
    protocol how = protocol::nbx;
    census_method census = census_method::dissemination;
    /// Size of the items in the messages: ranks that disagree get a `usage_error`. 0: items of any size.
    std::int64_t item_bytes = 0;
    /// Set where the call failed before it began, for instance on a bad destination: then nothing is sent
    /// from here, and all ranks throw.
    std::exception_ptr thrown;
};

/// One rank's part in a sparse exchange. When `step` says done, `rethrow` throws the agreed error or returns,
/// and `take` gives the messages received, ordered by source.
///
/// nbx: synchronous sends; when they are complete, the census; when that is complete everything has arrived.
/// Cost: k messages and one census, T = T_BC(P) + T_DT, memory O(k) besides the data.
/// Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, Algorithm 2; rounds are kept apart by `epoch_ledger`.
///
/// pex: all-to-all of the sizes, then receives of known size. Cost: T = T_PE(P) + T_DT, memory O(P).
/// Source: the same paper, section 3.1.
class sparse_exchange final : public engine {
public:
    /// `outgoing` has at most one message for each rank, all of 0..P-1; the one to this rank is handed over
    /// without the transport. The transport must outlive the engine. Collective, in one order on all ranks.
    sparse_exchange(transport& via, sparse_exchange_setup const& setup, std::vector<message> outgoing);
    ~sparse_exchange() override;

    [[nodiscard]] progress step() override;
    void rethrow() const;
    /// The received messages, ascending by source, at most one a source. Once, after done.
    [[nodiscard]] std::vector<message> take();
    /// Adds what this rank has sent. After done.
    void count(counters& into) const;

    class protocol_engine; // src/protocol: what a protocol implements

private:
    protocol_engine* engine_; // owned; std::unique_ptr would double what this header costs to compile
};

} // namespace weft
