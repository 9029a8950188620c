/// A set of blocks without their types: the compiled core below weft/blocks/block_set.hpp.
#pragma once

#include <weft/blocks/block_options.hpp>
#include <weft/core/communicator.hpp>
#include <weft/detail/blocks/local_blocks.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/protocol/termination_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

namespace weft::detail {

/// Calls back for a block, by its place; several at once where there are several threads.
class block_runner {
public:
    block_runner() = default;
    block_runner(block_runner const&) = delete;
    block_runner& operator=(block_runner const&) = delete;

    /// True if the block is done.
    virtual bool run(std::size_t place) = 0;

protected:
    ~block_runner() = default;
};

/// The links of a rank's blocks, by place, or why there are none.
struct made_links {
    std::vector<link> links = {};
    std::exception_ptr failure = {};
};

class block_core {
public:
    /// Collective: yes. Blocks: until all ranks have called. Cost: a census and `check_links`. Throws: as
    /// that; `usage_error` for no threads, or an assignment that does not go with the ranks or links; what
    /// making the links threw; agreed.
    block_core(communicator const& comm, assignment where, made_links of_blocks, int threads,
        termination_kind ends_by);
    block_core(block_core const&) = delete;
    block_core& operator=(block_core const&) = delete;

    [[nodiscard]] communicator const& comm() const noexcept;
    [[nodiscard]] local_blocks& local() noexcept;
    [[nodiscard]] local_blocks const& local() const noexcept;

    /// Runs every block once; returns how many are not done. Their exceptions are kept for the next
    /// collective call.
    std::int64_t run_all(block_runner& runner);
    /// The same, one after the other on the calling thread.
    void run_here(block_runner& runner);
    /// Takes away the kept error, for a call that agrees on it itself. Local.
    [[nodiscard]] std::exception_ptr take_failure() noexcept;
    /// The same where a round follows at once: what goes to neighbours on this rank need not be packed then.
    std::int64_t run_round(block_runner& runner);
    /// Keeps an error for the next collective call. Local.
    void fail(std::exception_ptr thrown);
    /// Throws what was kept, on all ranks.
    void agree();
    /// That, and takes in what is late from rounds with neighbours, whose ranks may change now.
    /// Collective: yes. Blocks: until all ranks have called and neighbours' rounds are here. Cost: a
    /// census. Throws: what was kept, agreed; `mpi_error`.
    void settle();
    /// Delivers what was sent. Returns the sum over all ranks of what was sent, in runs, and `unfinished`.
    std::int64_t exchange(std::int64_t unfinished);
    /// The same with the ranks of neighbours only, and without waiting for all of it.
    void exchange_neighbors(neighbor_options const& options);
    void iexchange(block_runner& runner, iexchange_options const& options);
    [[nodiscard]] iexchange_counters counters() const noexcept;

private:
    struct state; // outlives the set while MPI uses its buffers

    owned<state> state_;
};

} // namespace weft::detail
