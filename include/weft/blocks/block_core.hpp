/// A set of blocks without their types: the compiled core below weft/blocks/block_set.hpp.
#pragma once

#include <weft/blocks/block_desks.hpp>
#include <weft/blocks/iexchange_options.hpp>
#include <weft/core/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

namespace weft {

/// Calls back for a block, by its place; several at once where there are several threads.
class block_runner {
public:
    block_runner() = default;
    block_runner(block_runner const&) = delete;
    block_runner& operator=(block_runner const&) = delete;

    /// Whether the block is done.
    virtual bool run(std::size_t place) = 0;

protected:
    ~block_runner() = default;
};

/// When a round with neighbours is over for a rank.
struct neighbor_options {
    /// Once this part of the messages that it expects in a round are here (and all but as many of those that
    /// it expected before as would be left of a round): 1 waits for all neighbours, 0 for none.
    double fraction = 1;
    /// Or this many of them, if not negative.
    std::int64_t count = -1;
};

class block_core {
public:
    /// Collective: yes. Blocks: until all ranks have called. Cost: `check_links`. Throws: as that;
    /// `usage_error` for no threads.
    block_core(communicator const& comm, assignment where, std::vector<link> links, int threads);
    ~block_core();
    block_core(block_core const&) = delete;
    block_core& operator=(block_core const&) = delete;

    [[nodiscard]] communicator const& comm() const noexcept;
    [[nodiscard]] block_desks& desks() noexcept;

    /// Runs every block once; returns how many are not done. What they throw is kept for the next collective
    /// call.
    std::int64_t run_all(block_runner& runner);
    /// Throws what was kept, on all ranks.
    void agree();
    /// The same; then all that was sent in rounds with neighbours is in the desks.
    void settle();
    /// Blocks have come to other desks: who is a neighbour is found out anew. After `settle`.
    void forget_neighbors();
    /// Delivers what was sent. Returns the sum over all ranks of what was sent, in runs, and `unfinished`.
    std::int64_t exchange(std::int64_t unfinished);
    /// The same with the ranks of neighbours only, and without waiting for all of it.
    void exchange_neighbors(neighbor_options const& options);
    void iexchange(block_runner& runner, iexchange_options const& options);
    [[nodiscard]] iexchange_counters counters() const noexcept;

private:
    struct state; // outlives the set while MPI uses its buffers

    state* state_;
};

} // namespace weft
