/// What blocks have sent, brought to the blocks of this rank and packed for the other ranks.
#pragma once

#include <weft/blocks/block_desks.hpp>
#include <weft/core/buffer.hpp>
#include <weft/protocol/message.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// Packs the runs of one round. A message has for each block that sends in it, and each type of items, a head
/// of 12 bytes, and for each run four bytes and its items, filled up to four: small, since a message that
/// fits into what MPI sends at once costs half of one that does not.
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
    /// Returns the number of the other runs. Order: that of the senders' places, then that of sending.
    std::int64_t pack(block_desks& desks, std::vector<stranger>* strangers = nullptr);

    /// The messages that are not empty, one a rank, in no order.
    [[nodiscard]] std::vector<message> take_messages(block_desks const& desks);
    /// The messages to the ranks of neighbours, by `block_desks::partners`; to others nothing was sent.
    [[nodiscard]] std::vector<buffer> take_by_partner();

    /// Makes the runs of a message pending at their receivers; what is long stays where it was received.
    /// Throws: `wire_error`.
    static void unpack(block_desks& desks, message&& received);

private:
    struct parcel {
        buffer data;
        std::size_t usual_bytes = 0; // of those before, up to a bound: what to make room for
        std::int64_t sender = -1;    // of the last head
        item_kind kind = 0;
    };
    std::int64_t pack_block(block_desks& desks, std::size_t place, std::vector<stranger>* strangers);
    void bring(block_desks& desks, std::size_t place, block_route const& route, block_run const& run);
    [[nodiscard]] static buffer taken_from(parcel& from);
    static void append(parcel& to, std::size_t sender, std::int64_t receiver, block_run const& run,
        std::span<std::byte const> items);

    std::vector<parcel> to_partners_;
    std::map<int, parcel> to_others_; // blocks may send to any other
};

} // namespace weft
