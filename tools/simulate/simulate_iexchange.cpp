#include "advection.hpp"
#include "block_programs.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"

namespace weft::tool {

namespace {

class simulate_iexchange final : public simulation {
public:
    explicit simulate_iexchange(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("iexchange",
            "Particle tracing as in the iexchange paper (Morozov et al., LDAV 2021), in a flow that is slow "
            "in the blocks on the diagonal: in rounds of exchanges, and asynchronously");
        on_.add_blocks_to(*parser_);
        add_preset(*parser_, "--voxels", flow_.voxels, "Voxels along an edge of the cube", above_zero());
        add_preset(*parser_, "--seeds", flow_.seeds_per_voxel,
            "Number of particles per voxel along y, and along z", above_zero());
        add_preset(*parser_, "--fast", flow_.fast,
            "Speed outside the blocks on the diagonal, in voxels per step", above_zero());
        add_preset(*parser_, "--slow", flow_.slow,
            "Speed in the blocks on the diagonal of the cube, in voxels per step", above_zero());
        add_preset(
            *parser_, "--step-ns", step_ns_, "CPU time of a step of a particle, in nanoseconds", at_least(0));
        add_preset(*parser_, "--visit-ns", visit_ns_,
            "CPU time to receive a particle in a block and to send it to the next block, in nanoseconds",
            at_least(0));
        add_preset(*parser_, "--flush-after", on_.engines.flush_after,
            "With --by iexchange: number of particles after which a callback flushes its messages; 0: "
            "messages are sent when the callback returns",
            at_least(0));
        on_.add_to(*parser_);
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        flow_.step_seconds = 1e-9 * step_ns_;
        flow_.visit_seconds = 1e-9 * visit_ns_;
        simulate_blocks(
            options, on_, "advection", std::to_string(sizeof(flying_particle)),
            [this](std::int64_t blocks) { return std::make_unique<advection>(flow_, blocks); }, report);
    }

private:
    block_run_options on_{.blocks = {1, 2, 4, 8, 16}};
    bundled_flow flow_;
    double step_ns_ = 1000;
    double visit_ns_ = 0;
};

} // namespace

std::unique_ptr<simulation> make_simulate_iexchange(CLI::App& simulate) {
    return std::make_unique<simulate_iexchange>(simulate);
}

} // namespace weft::tool
