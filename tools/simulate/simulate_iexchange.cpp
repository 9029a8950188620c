#include "advection.hpp"
#include "block_programs.hpp"
#include "options/number_check.hpp"

namespace weft::tool {

namespace {

class simulate_iexchange final : public simulation {
public:
    explicit simulate_iexchange(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("iexchange",
            "Particles through a flow with slow blocks on its diagonal, as in the iexchange paper: in rounds "
            "of a sparse exchange, and by iexchange");
        parser_->add_option("--blocks-per-rank,-b", blocks_, "Blocks of each rank")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--voxels", flow_.voxels, "Voxels along an edge of the cube")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--seeds", flow_.seeds_per_voxel, "Particles a voxel, along y and along z")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--fast", flow_.fast, "Voxels a step")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--slow", flow_.slow, "The same in blocks on the diagonal of the cube")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--step-ns", step_ns_, "Nanoseconds of the processor, a particle and step")
            ->check(at_least(0))
            ->capture_default_str();
        parser_
            ->add_option("--visit-ns", visit_ns_,
                "Nanoseconds of the processor beside that, a particle and block: to take it in and send it "
                "on")
            ->check(at_least(0))
            ->capture_default_str();
        parser_
            ->add_option("--flush-after", on_.flush_after,
                "iexchange: particles after which a callback flushes; 0: all leave when it returns")
            ->check(at_least(0))
            ->capture_default_str();
        on_.add_to(*parser_);
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        flow_.step_seconds = 1e-9 * step_ns_;
        flow_.visit_seconds = 1e-9 * visit_ns_;
        for (named_machine const& machine : options.machines)
            for (int const ranks : options.ranks)
                for (int const blocks : blocks_)
                    for (std::string const& engine : on_.by) {
                        advection particles(flow_, std::int64_t{ranks} * blocks);
                        simulation_result found = simulate_blocks(machine, ranks, engine, particles, on_);
                        found.engine = "advection";
                        found.degree = blocks;
                        found.bytes = std::to_string(sizeof(flying_particle));
                        report(found);
                    }
    }

private:
    std::vector<int> blocks_{1, 2, 4, 8, 16};
    block_run_options on_;
    bundled_flow flow_;
    double step_ns_ = 1000;
    double visit_ns_ = 0;
};

} // namespace

std::unique_ptr<simulation> make_simulate_iexchange(CLI::App& simulate) {
    return std::make_unique<simulate_iexchange>(simulate);
}

} // namespace weft::tool
