/// Messages of blocks, brought to the blocks of this rank and packed for the other ranks.
#pragma once

#include <weft/blocks/block_desks.hpp>
#include <weft/blocks/run_parcel.hpp>
#include <weft/core/buffer.hpp>
#include <weft/protocol/message.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// Packs the runs of one round; what callbacks put into the parcels to partners is packed already.
///
/// All calls are local.
class packed_runs {
public:
    /// A run of `exchange_neighbors` to a block that is none.
    struct stranger {
        std::size_t place; ///< of the sender
        block_id peer;
    };

    /// Takes what the blocks have sent: runs to blocks of this rank become pending there, others are packed.
    /// Where `strangers` is given, runs to blocks that are no neighbours are put there and go nowhere.
    /// Order: that of the senders' places, then that of sending.
    void pack(block_desks& desks, std::vector<stranger>* strangers = nullptr);

    /// By `block_desks::partners`; good until these change.
    [[nodiscard]] run_parcel* parcels_to_partners(block_desks const& desks);
    /// The messages that are not empty, one a rank, in no order.
    [[nodiscard]] message_list take_messages(block_desks const& desks);
    /// The messages to the ranks of neighbours, by `block_desks::partners`; to others nothing was sent.
    [[nodiscard]] std::vector<buffer> take_by_partner();
    /// Forgets what was packed.
    void forget();

    /// Makes the runs of a message pending at their receivers; what is long stays where it was received.
    /// Throws: `wire_error`.
    static void unpack(block_desks& desks, message&& received);

private:
    void pack_block(block_desks& desks, std::size_t place, std::vector<stranger>* strangers);
    void bring(block_desks& desks, std::size_t place, block_route const& route, block_run const& run);

    std::vector<run_parcel> to_partners_;
    std::map<int, run_parcel> to_others_; // blocks may send to any other
};

} // namespace weft
