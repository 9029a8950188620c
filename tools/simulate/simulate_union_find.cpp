#include "block_programs.hpp"
#include "options/number_check.hpp"
#include "union_find.hpp"

namespace weft::tool {

namespace {

class simulate_union_find final : public simulation {
public:
    explicit simulate_union_find(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("union-find", "Components of points that move on spirals, by "
                                                        "union-find over blocks, as in the iexchange paper: "
                                                        "in rounds of a sparse exchange, and by iexchange");
        parser_->add_option("--blocks-per-rank,-b", blocks_, "Blocks of each rank")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--across", paths_.across, "Voxels along x and along y")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--time-steps", paths_.time_steps, "Voxels along the third axis, time")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--paths", paths_.paths, "Points that move; each path is one component")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--shortest", paths_.shortest, "Elements of the shortest path")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--longest", paths_.longest, "Elements of the longest path")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--mean", paths_.mean, "Elements of a path on average")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--element-ns", element_ns_, "Nanoseconds of the processor, an element or label")
            ->check(at_least(0))
            ->capture_default_str();
        on_.add_to(*parser_);
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        paths_.element_seconds = 1e-9 * element_ns_;
        paths_.seed = options.seed;
        for (named_machine const& machine : options.machines)
            for (int const ranks : options.ranks)
                for (int const blocks : blocks_)
                    for (std::string const& engine : on_.by) {
                        union_find components(paths_, std::int64_t{ranks} * blocks);
                        simulation_result found = simulate_blocks(machine, ranks, engine, components, on_);
                        found.engine = "union-find";
                        found.degree = blocks;
                        found.bytes = "16";
                        report(found);
                    }
    }

private:
    std::vector<int> blocks_{1};
    block_run_options on_;
    spiral_paths paths_;
    double element_ns_ = 1000;
};

} // namespace

std::unique_ptr<simulation> make_simulate_union_find(CLI::App& simulate) {
    return std::make_unique<simulate_union_find>(simulate);
}

} // namespace weft::tool
