/// Delivers messages of blocks on this rank, and packs those for other ranks.
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

/// Packs the runs of one round; callbacks have already packed messages to partners.
///
/// All calls are local.
class packed_runs {
public:
    /// A run of `exchange_neighbors` to a block that is not a neighbour.
    struct stranger {
        std::size_t place; ///< place of the sender
        block_id peer;
    };

    /// Takes the messages that the blocks have sent: runs to blocks of this rank become pending there, others
    /// are packed. If `strangers` is given, runs to blocks that are not neighbours are put there instead.
    /// Order: by place of the sender, then by the order of sending.
    void pack(detail::local_blocks& local, std::vector<stranger>* strangers = nullptr);

    /// Returns messages in the order of `local_blocks::partners`; valid until these change.
    [[nodiscard]] detail::packed_message* messages_to_partners(detail::local_blocks const& local);
    /// Returns the messages that are not empty, one for each rank, in any order.
    [[nodiscard]] message_list take_messages(detail::local_blocks const& local);
    /// Returns the messages to `local_blocks::partners`, in order; there must be no others.
    [[nodiscard]] std::vector<buffer> take_by_partner();
    /// Drops the packed messages.
    void forget();

    /// Makes the runs of a message pending at their receivers; long items stay in the received buffer.
    /// Throws: `wire_error`.
    static void unpack(detail::local_blocks& local, message&& received);

private:
    void pack_block(detail::local_blocks& local, std::size_t place, std::vector<stranger>* strangers);
    void bring(detail::local_blocks& local, std::size_t place, detail::neighbor_address const& address,
        detail::block_run const& run);

    std::vector<detail::packed_message> to_partners_;
    std::map<int, detail::packed_message> to_others_; // for ranks that are no partners
};

} // namespace weft
