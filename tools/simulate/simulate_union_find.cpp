#include "block_programs.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "union_find.hpp"

namespace weft::tool {

namespace {

class simulate_union_find final : public simulation {
public:
    explicit simulate_union_find(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("union-find",
            "Union-find over blocks as in the iexchange paper (Morozov et al., LDAV 2021), for "
            "points that move on spirals: in rounds of exchanges, and asynchronously");
        on_.add_blocks_to(*parser_);
        add_preset(
            *parser_, "--across", paths_.across, "Number of voxels along x, and along y", above_zero());
        add_preset(*parser_, "--time-steps", paths_.time_steps,
            "Number of voxels along the third axis, which is time", above_zero());
        add_preset(*parser_, "--paths", paths_.paths,
            "Number of moving points; the path of each is one component", above_zero());
        add_preset(*parser_, "--shortest", paths_.shortest,
            "Number of voxels in the shortest path of a point", above_zero());
        add_preset(*parser_, "--longest", paths_.longest, "Number of voxels in the longest path of a point",
            above_zero());
        add_preset(
            *parser_, "--mean", paths_.mean, "Mean number of voxels in the path of a point", above_zero());
        add_preset(*parser_, "--element-ns", element_ns_,
            "CPU time for a voxel of a path, or for a label, in nanoseconds", at_least(0));
        on_.add_to(*parser_);
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        paths_.element_seconds = 1e-9 * element_ns_;
        paths_.seed = options.seed;
        simulate_blocks(
            options, on_, "union-find", "16",
            [this](std::int64_t blocks) { return std::make_unique<union_find>(paths_, blocks); }, report);
    }

private:
    block_run_options on_{.blocks = {1}};
    spiral_paths paths_;
    double element_ns_ = 1000;
};

} // namespace

std::unique_ptr<simulation> make_simulate_union_find(CLI::App& simulate) {
    return std::make_unique<simulate_union_find>(simulate);
}

} // namespace weft::tool
