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

/// The callback for a block, given by its place; with several threads, several run at once.
class block_runner {
public:
    block_runner() = default;
    block_runner(block_runner const&) = delete;
    block_runner& operator=(block_runner const&) = delete;

    /// Returns true if the block is done.
    virtual bool run(std::size_t place) = 0;

protected:
    ~block_runner() = default;
};

/// The links of a rank's blocks, by place, or the error that prevented them.
struct made_links {
    std::vector<link> links = {};
    std::exception_ptr failure = {};
};

class block_core {
public:
    /// Collective: yes. Blocks: until all ranks have called. Cost: a census and `check_links`. Throws: all
    /// that `check_links` throws; `usage_error` for 0 threads, or an assignment that does not match the ranks
    /// or links; the error of making the links; agreed.
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
    /// Runs every block once, one after the other on the calling thread.
    void run_here(block_runner& runner);
    /// Returns the kept error and forgets it, for a call that agrees on it itself. Local.
    [[nodiscard]] std::exception_ptr take_failure() noexcept;
    /// Runs every block once, directly before a round: items for neighbours on this rank need not be packed
    /// then.
    std::int64_t run_round(block_runner& runner);
    /// Keeps an error for the next collective call. Local.
    void fail(std::exception_ptr thrown);
    /// Throws the kept errors, on all ranks.
    void agree();
    /// Throws the kept errors as `agree` does, and receives the late messages of rounds with neighbours;
    /// after that, neighbours may change their ranks. Collective: yes. Blocks: until all ranks have called
    /// and the neighbours' rounds have arrived. Cost: a census. Throws: the kept errors, agreed; `mpi_error`.
    void settle();
    /// Delivers the sent messages. Returns the number of sent runs plus `unfinished`, summed over all ranks.
    std::int64_t exchange(std::int64_t unfinished);
    /// Exchanges messages with the ranks of neighbours only, and does not wait for all of them.
    void exchange_neighbors(neighbor_options const& options);
    void iexchange(block_runner& runner, iexchange_options const& options);
    [[nodiscard]] iexchange_counters counters() const noexcept;

private:
    struct state; // outlives the set while MPI uses its buffers

    owned<state> state_;
};

} // namespace weft::detail
