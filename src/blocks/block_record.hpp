/// A block with its link and messages as bytes, as it is sent and saved. Private.
#pragma once

#include <weft/blocks/block_storage.hpp>
#include <weft/core/buffer.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/blocks/local_blocks.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The head of a record. Its parts follow in this order, each padded to `run_list::alignment`.
struct block_record_head {
    std::int64_t block;
    std::uint64_t neighbors; ///< ids of 8 bytes
    std::uint64_t image_bytes;
    std::uint64_t in_bytes; ///< runs with heads whose `to` is the sender
    std::uint64_t out_bytes;
    std::int64_t sent; ///< messages in `out`, as the next exchange counts them
    double seconds;    ///< see `block_storage::seconds`
    std::int64_t spare;
};
static_assert(sizeof(block_record_head) % detail::run_list::alignment == 0);

/// A record in bytes owned by another object.
struct block_record {
    block_id block = {};
    std::vector<block_id> neighbors;
    std::span<std::byte const> image;
    std::span<std::byte const> in;
    std::span<std::byte const> out;
    std::int64_t sent = 0;
    double seconds = 0;
};

/// Appends the record of a block. Throws: errors of encoding; `io_error`.
void append_record(buffer& to, detail::block_queues const& queues, block_storage& storage, std::size_t place);

/// Takes the next record from the front. Throws: `wire_error` if the bytes are no record.
[[nodiscard]] block_record take_record(std::span<std::byte const>& from);

/// Gives a block the messages of a record. Throws: `wire_error`.
void restore_messages(detail::block_queues& queues, block_record const& from);

} // namespace weft
