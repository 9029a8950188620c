#include "mailbox_choice.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "simulated_run.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <stdexcept>

namespace weft::tool {

namespace {

class simulate_mailbox final : public simulation {
public:
    explicit simulate_mailbox(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("mailbox",
            "Degree counting as in the YGM paper (Priest et al., 2019): items of 8 bytes are sent "
            "to random ranks through a mailbox, by every route of messages");
        add_preset(*parser_, "--items", items_, "Items per rank", above_zero());
        parser_
            ->add_option("--batch", batch_,
                "Number of items after which a rank drains its mailbox, so that it waits until no message is "
                "in flight (default: all)")
            ->check(above_zero());
        mailboxes_.add_to(*parser_);
        parser_->add_option("--send-ns", send_ns_, "CPU time to send an item, in nanoseconds")
            ->capture_default_str();
        parser_->add_option("--handle-ns", handle_ns_, "CPU time to handle an item, in nanoseconds")
            ->capture_default_str();
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        for (named_machine const& each : options.machines) {
            named_machine const machine = mailboxes_.with_cores(each);
            for (int const ranks : options.ranks)
                for (std::string const& name : mailboxes_.names())
                    report(simulate(machine, ranks, name, options.seed));
        }
    }

private:
    simulation_result simulate(
        named_machine const& on, int ranks, std::string const& name, std::uint64_t seed) const {
        simulated_run made(on, on.model, ranks);
        simulated_machine& machine = made.machine();
        mail_stream const what{items_, batch_ > 0 ? batch_ : items_, 1e-9 * send_ns_, 1e-9 * handle_ns_,
            mailboxes_.named(name, made.nodes(), on.model), seed};
        std::vector<std::unique_ptr<mail_program>> programs;
        for (int rank = 0; rank < ranks; ++rank)
            programs.push_back(std::make_unique<mail_program>(machine, made.nodes(), rank, what));
        machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); });
        std::int64_t lost = 0;
        for (auto const& each : programs) lost += each->surplus();
        if (lost != 0) throw std::logic_error(fmt::format("simulate mailbox: {} lost {} items", name, lost));
        return made.row("mailbox", mailbox_choice::subject(name, what.mailbox.how),
            on.model.simulation.ranks_per_node, "8");
    }

    mailbox_choice mailboxes_;
    std::int64_t items_ = 10'000;
    std::int64_t batch_ = 0; // all
    double send_ns_ = 1;
    double handle_ns_ = 1;
};

} // namespace

std::unique_ptr<simulation> make_simulate_mailbox(CLI::App& simulate) {
    return std::make_unique<simulate_mailbox>(simulate);
}

} // namespace weft::tool
