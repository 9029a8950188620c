/// Particles traced through the blocks of a field.
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
    bool lines = false; ///< whether lines are kept
};

struct tracer_options {
    std::int64_t blocks = 1; ///< of all ranks, at most: fewer where the cells cannot be cut so
    std::int64_t ghosts = 1; ///< layers of cells around a block
    int threads = 1;
    bool round_robin = false; ///< block b on rank b % ranks; not: neighbouring ids together
};

/// A field in blocks over the ranks of a communicator. Its result does not depend on ranks, blocks,
/// threads or engine, not to the last bit: the velocity at a place is computed of the values of one cell
/// alone, and a particle whose step reaches beyond its block goes on, in the middle of it, in the block that
/// has the values.
///
/// Collective: construction, and all calls but `field` and `grid`.
class tracer {
public:
    /// Blocks: until all ranks have read their blocks. Cost: each block reads its own cells and the ghosts
    /// around them, all steps of the field. Throws: what reading throws, agreed.
    tracer(communicator const& comm, flow const& field, tracer_options const& options);

    [[nodiscard]] regular_grid<std::int64_t> const& grid() const noexcept { return grid_; }
    /// The greatest speed at the points of the field. Cost: a census, and a look at all values.
    [[nodiscard]] double greatest_speed();

    /// Traces from seeds, each given on one rank, ids 0, 1, ... over all. Blocks: until no particle is on its
    /// way. Cost: a message for each particle and block that it passes, and two sparse exchanges. Throws:
    /// `usage_error` for a rule that cannot be.
    [[nodiscard]] traces trace(std::span<seed const> seeds, trace_options const& options);

private:
    struct trace_block {
        field_block field;
        std::vector<seed> seeds = {};     // that begin here
        std::vector<trace_end> ends = {}; // the seed is filled in later
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
