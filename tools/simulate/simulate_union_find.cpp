#include "block_programs.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "union_find.hpp"

namespace weft::tool {

namespace {

class simulate_union_find final : public simulation {
public:
    explicit simulate_union_find(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("union-find", "Components of points that move on spirals, by "
                                                        "union-find over blocks, as in the iexchange paper: "
                                                        "in rounds of a sparse exchange, and by iexchange");
        on_.add_blocks_to(*parser_);
        add_preset(*parser_, "--across", paths_.across, "Voxels along x and along y", above_zero());
        add_preset(
            *parser_, "--time-steps", paths_.time_steps, "Voxels along the third axis, time", above_zero());
        add_preset(
            *parser_, "--paths", paths_.paths, "Points that move; each path is one component", above_zero());
        add_preset(*parser_, "--shortest", paths_.shortest, "Elements of the shortest path", above_zero());
        add_preset(*parser_, "--longest", paths_.longest, "Elements of the longest path", above_zero());
        add_preset(*parser_, "--mean", paths_.mean, "Elements of a path on average", above_zero());
        add_preset(*parser_, "--element-ns", element_ns_, "Nanoseconds of the processor, an element or label",
            at_least(0));
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
