/// Messages of blocks, brought to the blocks of this rank and packed for the other ranks.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/blocks/local_blocks.hpp>
#include <weft/detail/blocks/packed_message.hpp>
#include <weft/extend/protocol/message.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// Packs the runs of one round; what callbacks put into messages to partners is packed already.
///
/// All calls are local.
class packed_runs {
public:
    /// A run of `exchange_neighbors` to a block that does not exist.
    struct stranger {
        std::size_t place; ///< of the sender
        block_id peer;
    };

    /// Takes what the blocks have sent: runs to blocks of this rank become pending there, others are packed.
    /// Where `strangers` is given, runs to blocks that are no neighbours are put there and go nowhere.
    /// Order: that of the senders' places, then that of sending.
    void pack(detail::local_blocks& local, std::vector<stranger>* strangers = nullptr);

    /// By `local_blocks::partners`; good until these change.
    [[nodiscard]] detail::packed_message* messages_to_partners(detail::local_blocks const& local);
    /// The messages that are not empty, one a rank, in no order.
    [[nodiscard]] message_list take_messages(detail::local_blocks const& local);
    /// The messages to the ranks of neighbours, by `local_blocks::partners`; to others nothing was sent.
    [[nodiscard]] std::vector<buffer> take_by_partner();
    /// Forgets what was packed.
    void forget();

    /// Makes the runs of a message pending at their receivers; what is long stays where it was received.
    /// Throws: `wire_error`.
    static void unpack(detail::local_blocks& local, message&& received);

private:
    void pack_block(detail::local_blocks& local, std::size_t place, std::vector<stranger>* strangers);
    void bring(detail::local_blocks& local, std::size_t place, detail::neighbor_address const& address,
        detail::block_run const& run);

    std::vector<detail::packed_message> to_partners_;
    std::map<int, detail::packed_message> to_others_; // blocks may send to any other
};

} // namespace weft
