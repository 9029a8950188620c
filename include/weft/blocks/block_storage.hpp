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
    /// The number of callbacks that run at once on a rank. If it is more than 1, they run on threads of the
    /// block set, and the calling thread communicates.
    int threads = 1;
    /// The most blocks of a rank in memory, at least `threads`; 0 keeps all in memory. Other blocks are in a
    /// scratch file, in the wire format; blocks must then be a `wire_type`. Messages stay in memory.
    std::int64_t blocks_in_memory = 0;
    /// The folder in which each rank makes its scratch file. The file has no name once it is open, so no file
    /// is left behind.
    std::string directory = ".";
    /// True to add up the seconds that callbacks take for each block, for `block_set::balance`. Measuring
    /// reads the clock twice per callback.
    bool measure_costs = false;
    /// The way in which `block_set::iexchange` detects that no message is left. The same on all ranks.
    termination_kind termination = termination_kind::counted_waves;
};

/// The interface of `block_storage` to blocks of any type. A block is named by its place in a list.
class block_images {
public:
    block_images() = default;
    block_images(block_images const&) = delete;
    block_images& operator=(block_images const&) = delete;

    /// Returns true if blocks can be encoded as bytes.
    [[nodiscard]] virtual bool travel() const noexcept = 0;
    /// Appends a block as bytes.
    virtual void append(std::size_t place, buffer& to) = 0;
    /// Makes a block from the bytes that `append` wrote, at an empty place.
    virtual void make(std::size_t place, std::span<std::byte const> image) = 0;
    virtual void drop(std::size_t place) noexcept = 0; ///< Drops the block at a place.
    /// Sets the number of places. Drops the blocks at places from `places` on; new places are empty.
    virtual void resize(std::size_t places) = 0;
    /// Moves the block at `old_places[i]` to place i; all other blocks were dropped before.
    virtual void rearrange(std::span<std::size_t const> old_places) = 0;

protected:
    ~block_images() = default;
};

/// Counts of blocks written to and read from files when they are kept out of core.
struct storage_counters {
    std::int64_t stored = 0;         ///< Blocks written to the file.
    std::int64_t loaded = 0;         ///< Blocks read from the file.
    std::int64_t most_in_memory = 0; ///< The most blocks that were in memory at once.
    std::int64_t file_bytes = 0;     ///< The present size of the file.
};

/// Keeps a bounded number of blocks in memory. The least recently used blocks are in one file; a block is
/// written to the first free piece of the file that is long enough. Only blocks that were pinned for a change
/// are written again. If all blocks fit into memory, it does nothing.
///
/// Local, except for the constructor. Several threads may use different places at once. Memory: one encoded
/// block beside the blocks in memory. Throws: `io_error`, which names the file and the cause; the block is
/// then where it was.
class block_storage {
public:
    /// Starts without blocks. Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: one
    /// small all-reduce. Throws, on all ranks: `usage_error` for invalid options, and for blocks that would
    /// have to leave memory but cannot be encoded; `io_error` if no file can be made in the folder.
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

    /// Appends a block as bytes; reads them from the file if the block is there.
    void append_image(std::size_t place, buffer& to);
    /// Adds a block at an empty place: in memory if there is room, otherwise in the file.
    void put_image(std::size_t place, std::span<std::byte const> image);

    /// Sets the number of places and drops the blocks at places from `places` on. No block may be in
    /// use.
    void resize(std::size_t places);
    /// Moves the block at `old_places[i]` to place i. Blocks without a new place are dropped.
    void rearrange(std::span<std::size_t const> old_places);
    [[nodiscard]] std::size_t size() const noexcept; ///< Returns the number of places.

    /// Returns true if no block ever leaves memory.
    [[nodiscard]] bool keeps_all() const noexcept;
    [[nodiscard]] bool measures() const noexcept; ///< Returns true if the seconds of blocks are measured.
    /// Returns the time that callbacks of a block have taken, if it is measured.
    [[nodiscard]] double seconds(std::size_t place) const noexcept;
    void set_seconds(std::size_t place, double seconds) noexcept; ///< Sets the measured seconds of a block.

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
