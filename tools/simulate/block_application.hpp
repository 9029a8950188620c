/// Computations of simulated blocks, and the messages that they send one another.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/link.hpp>
#include <weft/detail/blocks/local_blocks.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::tool {

/// An application of blocks, with the state of all of them. Its callbacks do their work in a simulated time,
/// in parts where it can be divided.
class block_application {
public:
    block_application() = default;
    block_application(block_application const&) = delete;
    block_application& operator=(block_application const&) = delete;
    virtual ~block_application() = default;

    [[nodiscard]] virtual std::int64_t blocks() const = 0;
    /// The links of a rank's blocks.
    [[nodiscard]] virtual std::vector<link> links(assignment const& where, int rank) const = 0;

    /// The begin of a callback of a block: takes what has come; returns the units of work that it brings.
    [[nodiscard]] virtual std::int64_t take(detail::block_queues& queues, bool first_time) = 0;
    /// The time of this number of units in a block.
    [[nodiscard]] virtual double seconds(block_id block, std::int64_t units) const = 0;
    /// Sends on, into what the block has sent, the outcome of this number of units.
    virtual void leave(detail::block_queues& queues, std::int64_t units) = 0;

    /// Throws `std::logic_error`, which names the engine, unless all work was done and rightly.
    virtual void check(std::string const& engine) const = 0;
};

} // namespace weft::tool
