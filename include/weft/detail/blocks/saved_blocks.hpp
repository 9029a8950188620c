/// Blocks in a file: the compiled core below `block_set::save` and `block_set::load`.
///
/// The file: a head of 64 bytes; a table of offset, size and checksum by block id; the records of the blocks,
/// each with the block in the wire format, its link, and its messages that were not taken or not sent yet.
/// Byte order and sizes are those of the machine, and types of messages are identified by names from the
/// compiler, so read it with the program that wrote it, on any number of ranks.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/block_storage.hpp>
#include <weft/core/communicator.hpp>
#include <weft/detail/blocks/local_blocks.hpp>

#include <cstdint>
#include <string>

namespace weft::detail {

/// Writes all blocks to one file, which gets its name when it is complete; until then an existing file of
/// that name is unchanged. Collective: yes. Blocks: until all ranks have written. Cost: each block is
/// encoded twice, since its place depends on the size of those before it; one record in memory; seven
/// censuses and an all-gather of words. Throws: `io_error`, which names the file and the cause; errors of
/// encoding; agreed.
void save_blocks(
    communicator const& comm, local_blocks& local, block_storage& storage, std::string const& path);

/// A file of blocks, opened for reading.
class saved_blocks {
public:
    /// Reads and checks the head. Collective: yes. Blocks: until all ranks have read. Cost: one census.
    /// Throws: `io_error` on all ranks for a file of another format or version, or a truncated one.
    saved_blocks(communicator const& comm, std::string const& path);

    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }
    /// Returns the assignment of the blocks of the file: consecutive ids on each rank.
    [[nodiscard]] assignment const& where() const noexcept { return where_; }

    /// Reads the blocks of this rank, into storage without places. Collective: yes. Blocks: until all ranks
    /// have read. Cost: two censuses; each block read once. Throws: `io_error` on all ranks if a checksum is
    /// wrong or a block cannot be decoded.
    void read(local_blocks& local, block_storage& storage) const;

private:
    communicator comm_;
    std::string path_;
    assignment where_;
    std::uint64_t file_bytes_ = 0;
    std::int64_t table_sum_ = 0;
};

} // namespace weft::detail
