/// Storage of the blocks of a rank: in memory or in a file.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/protocol/termination_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft {

/// Options of a `block_set`, equal on all ranks.
struct block_options {
    /// The number of callbacks that run at the same time on a rank. If `threads` is more than 1, callbacks
    /// run on threads of the block set, and the calling thread communicates.
    int threads = 1;
    /// The greatest number of blocks that a rank keeps in memory, at least `threads`; 0 keeps all blocks in
    /// memory. Blocks that are not in memory are in a scratch file, encoded as for sending, so the type of
    /// the blocks must be a `wire_type`. Messages stay in memory.
    std::int64_t blocks_in_memory = 0;
    /// The folder in which each rank makes its scratch file. The file has no name once it is open, so no file
    /// is left behind.
    std::string directory = ".";
    /// True to add up the seconds that callbacks take for each block, for `block_set::balance`. Measuring
    /// reads the clock twice per callback.
    bool measure_costs = false;
    /// The way in which `block_set::iexchange` detects that no message is left.
    termination_kind termination = termination_kind::counted_waves;
};

/// The interface of `block_storage` to blocks of any type. Functions name a block by its place in the list of
/// this rank's blocks.
class block_images {
public:
    block_images() = default;
    block_images(block_images const&) = delete;
    block_images& operator=(block_images const&) = delete;

    /// Returns true if blocks can be encoded as bytes.
    [[nodiscard]] virtual bool travel() const noexcept = 0;
    /// Encodes the block at a place, and appends the bytes to a buffer.
    virtual void append(std::size_t place, buffer& to) = 0;
    /// Makes a block from the bytes that `append` wrote, at an empty place.
    virtual void make(std::size_t place, std::span<std::byte const> image) = 0;
    virtual void drop(std::size_t place) noexcept = 0; ///< Destroys the block at a place.
    /// Sets the number of places. Destroys the blocks at places from `places` on; new places are empty.
    virtual void resize(std::size_t places) = 0;
    /// Moves the block at `old_places[i]` to place i; all other blocks were destroyed before.
    virtual void rearrange(std::span<std::size_t const> old_places) = 0;

protected:
    ~block_images() = default;
};

/// Counts of blocks that a rank has written to its scratch file and read from the file.
struct storage_counters {
    std::int64_t stored = 0;         ///< The number of blocks written to the file.
    std::int64_t loaded = 0;         ///< The number of blocks read from the file.
    std::int64_t most_in_memory = 0; ///< The most blocks in memory at the same time.
    std::int64_t file_bytes = 0;     ///< The present size of the file in bytes.
};

/// Keeps a bounded number of blocks in memory. The least recently used blocks are in one file; a block is
/// written to the first free piece of the file that is long enough. A block that was read from the file is
/// written again only if it was pinned for a change. If all blocks fit into memory, the storage does nothing.
///
/// All calls except the constructor are local. Several threads may use different places at the same time.
/// Memory: one encoded block beside the blocks in memory. Throws: `io_error`, whose text names the file and
/// the cause. After an error the block is where it was before the call.
class block_storage {
public:
    /// Makes a storage without blocks. Collective: yes, over `comm`. Blocks: until all ranks have called.
    /// Cost: one small all-reduce. Throws, on all ranks: `usage_error` for invalid options, and for blocks
    /// that would have to leave memory but cannot be encoded; `io_error` if no file can be made in the folder
    /// `directory`.
    block_storage(communicator const& comm, block_images& images, block_options const& options);
    block_storage(block_storage const&) = delete;
    block_storage& operator=(block_storage const&) = delete;

    /// Pins a block in memory until `done`. If `changes` is true, the caller may modify the block.
    void use(std::size_t place, bool changes) {
        if (brackets_) begin_use(place, changes);
    }
    /// Ends a use: the block may leave memory again.
    void done(std::size_t place) noexcept {
        if (brackets_) end_use(place);
    }
    /// Pins an empty place, at which the caller makes a block, until `done_making`.
    void use_to_make(std::size_t place);
    void done_making(std::size_t place, bool made) noexcept; ///< Ends `use_to_make`.

    /// Appends the bytes of an encoded block to a buffer; reads the bytes from the file if the block is in
    /// the file.
    void append_image(std::size_t place, buffer& to);
    /// Adds a block at an empty place: in memory if there is room, otherwise in the file.
    void put_image(std::size_t place, std::span<std::byte const> image);

    /// Sets the number of places and destroys the blocks at places from `places` on. No block may be in use.
    void resize(std::size_t places);
    /// Moves the block at `old_places[i]` to place i. Blocks without a new place are destroyed.
    void rearrange(std::span<std::size_t const> old_places);
    [[nodiscard]] std::size_t size() const noexcept; ///< Returns the number of places.

    /// Returns true if no block ever leaves memory.
    [[nodiscard]] bool keeps_all() const noexcept;
    [[nodiscard]] bool measures() const noexcept; ///< Returns true if `measure_costs` is set.
    /// Returns the time in seconds that callbacks of a block have taken, if `measure_costs` is set.
    [[nodiscard]] double seconds(std::size_t place) const noexcept;
    void set_seconds(std::size_t place, double seconds) noexcept; ///< Sets the time of a block.

    /// Returns the counters since construction.
    [[nodiscard]] storage_counters counters() const noexcept;

private:
    struct state;

    void begin_use(std::size_t place, bool changes);
    void end_use(std::size_t place) noexcept;

    detail::owned<state> state_;
    bool brackets_ = false; // whether uses are to be told at all
};

} // namespace weft
