#include "exchange_program.hpp"
#include "options/byte_range.hpp"
#include "options/choice_check.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "protocol_choice.hpp"
#include "report/terminal.hpp"
#include "simulated_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace weft::tool {

namespace {

class simulate_exchange final : public simulation {
public:
    explicit simulate_exchange(CLI::App& simulate) {
        parser_ =
            simulate.add_subcommand("exchange", "Sparse exchange with random targets, by every protocol; "
                                                "`weft-bench exchange` measures this on a real machine");
        add_preset(*parser_, "--degree,-k", degrees_,
            "Number of other ranks to which each rank sends a message; at most all other ranks", at_least(0));
        parser_
            ->add_option("--bytes", sizes_,
                "Bytes of a message, or a range such as 1-1024 from which the sizes of messages are drawn")
            ->check(check_bytes)
            ->capture_default_str();
        add_preset(*parser_, "--rounds", rounds_,
            "Number of exchanges, one after the other without a barrier", above_zero());
        protocols_.add_to(*parser_,
            "Protocols to simulate; automatic: the protocol that the machine model chooses",
            "Method of the small all-reduces in the protocols nbx and pcx: by Weft's own messages, or by "
            "collectives of the machine's MPI",
            {protocol::automatic});
        parser_
            ->add_option("--by", source_,
                "Way to find the times. engines: run the protocols on the simulated machine; model: evaluate "
                "the formulas by which Weft chooses a protocol; both")
            ->transform(one_of(std::map<std::string, source>{
                {"engines", source::engines}, {"model", source::model}, {"both", source::both}}))
            ->default_str("engines");
        add_preset(*parser_, "--compute", compute_, "Microseconds that a rank computes before each round",
            at_least(0));
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        for (named_machine const& machine : options.machines)
            for (int const ranks : options.ranks)
                for (int const degree : degrees_)
                    for (std::string const& size : sizes_)
                        for (std::string const& name : protocols_.names()) {
                            cell const what{machine, ranks, degree, size, name};
                            if (source_ != source::model) report(simulate(what, options.seed));
                            if (source_ != source::engines) report(predict(what));
                        }
    }

private:
    enum class source { engines, model, both };

    /// One cell of the table.
    struct cell {
        named_machine const& on;
        int ranks;
        int degree;
        std::string const& size;
        std::string const& protocol_name;
    };

    /// The shape that the model is asked about: all ranks send alike.
    static exchange_shape shape_of(cell const& what) {
        auto const [least, most] = bytes_from(what.size);
        int const on_node = std::min(what.on.model.simulation.ranks_per_node, what.ranks);
        double const messages = std::min(what.degree, what.ranks - 1);
        return {what.ranks, (what.ranks + on_node - 1) / on_node, on_node, messages,
            0.5 * messages * static_cast<double>(least + most)};
    }

    simulation_result predict(cell const& what) const {
        double const round =
            predicted_seconds(what.on.model, protocols_.named(what.protocol_name), shape_of(what)) +
            1e-6 * compute_;
        return {"model", what.protocol_name, what.on.name, what.ranks, what.degree, what.size, rounds_,
            rounds_ * round, 0, 0};
    }

    simulation_result simulate(cell const& what, std::uint64_t seed) const {
        auto const [least, most] = bytes_from(what.size);
        exchange_traffic const sent{what.degree, least, most, rounds_,
            1e-6 * compute_ + what.on.model.simulation.exchange_overhead, seed};
        sparse_exchange_setup setup;
        setup.census = protocols_.census();
        setup.how = protocols_.named(what.protocol_name);
        if (setup.how == protocol::automatic)
            setup.how = fastest(what.on.model, shape_of(what), all_protocols());
        simulated_run made(what.on, what.on.model, what.ranks);
        simulated_machine& machine = made.machine();
        setup.nodes = &made.nodes();
        std::vector<exchange_program> programs(static_cast<std::size_t>(machine.size()));
        machine.run([&](int rank) {
            return programs[static_cast<std::size_t>(rank)].step(machine, rank, setup, sent);
        });
        std::int64_t lost = 0;
        for (exchange_program const& each : programs) lost += each.surplus();
        if (lost != 0)
            throw std::logic_error(
                fmt::format("simulate exchange: {} lost {} messages", what.protocol_name, lost));
        return made.row("exchange", what.protocol_name, what.degree, what.size, rounds_);
    }

    protocol_choice protocols_;
    std::vector<std::string> sizes_{"8"};
    std::vector<int> degrees_{6};
    source source_ = source::engines;
    int rounds_ = 10;
    double compute_ = 0;
};

} // namespace

std::unique_ptr<simulation> make_simulate_exchange(CLI::App& simulate) {
    return std::make_unique<simulate_exchange>(simulate);
}

} // namespace weft::tool
