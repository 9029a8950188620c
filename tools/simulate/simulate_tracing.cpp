#include "block_programs.hpp"
#include "neighbor_program.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "simulated_run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::tool {

namespace {

constexpr char const* particle_bytes = "32";

class simulate_tracing final : public simulation {
public:
    explicit simulate_tracing(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("tracing",
            "Particle tracing as in Peterka and Ross, EuroMPI 2012, in a flow of vortices: in "
            "rounds with neighbours, in rounds of exchanges, and asynchronously");
        on_.add_blocks_to(*parser_);
        add_preset(*parser_, "--fraction", fractions_,
            "With --by neighbors: share of the neighbours' messages for which a round waits",
            CLI::Range(0.0, 1.0));
        add_preset(*parser_, "--voxels", flow_.voxels, "Voxels along an edge of the cube", above_zero());
        add_preset(*parser_, "--particles", flow_.particles,
            "Number of particles, which begin at random places", above_zero());
        add_preset(*parser_, "--steps", flow_.steps, "Steps of a particle", above_zero());
        add_preset(
            *parser_, "--step-ns", step_ns_, "CPU time of a step of a particle, in nanoseconds", at_least(0));
        on_.add_to(*parser_, {"neighbors", "exchange", "iexchange"});
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        flow_.step_seconds = 1e-9 * step_ns_;
        flow_.seed = options.seed;
        if (std::erase(on_.by, "neighbors") > 0) run_neighbors(options, report);
        simulate_blocks(
            options, on_, "tracing", particle_bytes,
            [this](std::int64_t blocks) { return std::make_unique<traced_particles>(flow_, blocks); },
            report);
    }

private:
    void run_neighbors(
        simulation_options const& options, std::function<void(simulation_result const&)> const& report) {
        for (named_machine const& machine : options.machines)
            for (int const ranks : options.ranks)
                for (int const blocks : on_.blocks)
                    for (double const fraction : fractions_) {
                        traced_particles application(flow_, std::int64_t{ranks} * blocks);
                        simulated_run made(machine, on_.model_of(machine), ranks);
                        simulated_lanes lanes(made.machine(), on_.lanes);
                        trace_among_neighbors(made.machine(), lanes, application,
                            on_.assignment_of(application.blocks(), ranks), fraction);
                        std::string const engine = fmt::format("neighbors {:g}", fraction);
                        application.check(engine);
                        report(with_page(made.row("tracing", engine, blocks, particle_bytes), lanes));
                    }
    }

    block_run_options on_{.blocks = {8}, .by = {"neighbors"}};
    std::vector<double> fractions_{1, 0.1};
    vortex_flow flow_;
    double step_ns_ = 2400;
};

} // namespace

std::unique_ptr<simulation> make_simulate_tracing(CLI::App& simulate) {
    return std::make_unique<simulate_tracing>(simulate);
}

} // namespace weft::tool
