/// Timelines of simulated ranks, as a page.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/transport/simulated_machine.hpp>

#include <string>
#include <vector>

namespace weft::tool {

/// Lets simulated ranks compute, and remembers for the first ones when they did so and for which block.
class simulated_lanes {
public:
    /// `shown`: the number of lanes, at most; 0: nothing is remembered.
    simulated_lanes(simulated_machine& machine, int shown);

    /// As `simulated_machine::compute`, for a callback of a block.
    void compute(int rank, block_id block, double seconds);

    /// Returns a page of HTML with a lane a rank; "" without lanes. Between callbacks ranks wait. `by_waves`:
    /// the time after the last callback of all shown ranks is that of finding out that all is done.
    [[nodiscard]] std::string page(std::string title, bool by_waves);

private:
    struct stretch {
        double begin;
        double end;
        block_id block;
    };

    simulated_machine& machine_;
    std::vector<std::vector<stretch>> lanes_;
};

} // namespace weft::tool
