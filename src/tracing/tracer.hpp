/// Traces particles through the blocks of a field.
#pragma once

#include <tracing/flow.hpp>
#include <tracing/integrator.hpp>
#include <tracing/line_store.hpp>
#include <tracing/seeds.hpp>

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/tracing/traces.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

enum class trace_engine : std::uint8_t { exchange, iexchange };
enum class trace_method : std::uint8_t { rk4, rk45 };

struct trace_options {
    trace_method method = trace_method::rk4;
    trace_engine engine = trace_engine::iexchange;
    trace_rule rule = {};
    bool lines = false; ///< true if lines are recorded
};

struct tracer_options {
    std::int64_t blocks = 1; ///< most blocks of all ranks; fewer if cells cannot be cut so
    std::int64_t ghosts = 1; ///< layers of cells around a block
    int threads = 1;
    bool round_robin = false; ///< block b is on rank b % ranks; false: ranks have consecutive blocks
};

/// A field in blocks over the ranks of a communicator. Results do not depend on ranks, blocks, threads or
/// engine, not even in the last bit: a velocity is computed from the values of one cell, and a particle
/// whose step reaches beyond its block continues, in the middle of the step, in the block that has the
/// values.
///
/// Collective: construction, and all calls but `field` and `grid`.
class tracer {
public:
    /// Blocks: until all ranks have read their blocks. Cost: each block reads its own cells and its ghost
    /// cells for all steps of the field. Throws: errors of reading, agreed.
    tracer(communicator const& comm, flow const& field, tracer_options const& options);

    [[nodiscard]] regular_grid<std::int64_t> const& grid() const noexcept { return grid_; }
    /// Returns the greatest speed at the points of the field. Cost: a census, and a pass over all values.
    [[nodiscard]] double greatest_speed();

    /// Traces from seeds. Each is given on one rank; ids are 0, 1, ... over all. Blocks: until all particles
    /// have ended. Cost: a message for each particle and block that it passes, and two sparse exchanges.
    /// Throws: `usage_error` for an invalid rule.
    [[nodiscard]] traces trace(std::span<seed const> seeds, trace_options const& options);

private:
    struct trace_block {
        field_block field;
        std::vector<seed> seeds = {};     // those that begin here
        std::vector<trace_end> ends = {}; // seeds are filled in later
        line_store lines = {};
    };

    void check(trace_options const& options) const;
    void deal(std::span<seed const> seeds);
    template <class Method>
    void run(trace_options const& options);
    [[nodiscard]] traces collect(std::span<seed const> seeds, bool lines);

    communicator comm_;
    std::shared_ptr<flow_domain const> domain_;
    regular_grid<std::int64_t> grid_;
    block_set<trace_block> blocks_;
};

} // namespace weft
