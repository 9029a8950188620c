#include "mailbox_choice.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "simulated_run.hpp"

#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/mailbox/channel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>

namespace weft::tool {

namespace {

/// The course of every rank: sends items to random ranks and drains, batch after batch.
struct stream {
    std::int64_t items;  ///< of all batches
    std::int64_t batch;  ///< items before a drain
    double send_seconds; ///< of the processor, an item
    double handle_seconds;
    simulated_mailbox mailbox;
    std::uint64_t seed;
};

/// One rank with the mailbox's own engine.
class mail_program {
public:
    mail_program(simulated_machine& machine, topology const& nodes, int rank, stream const& what)
        : machine_(machine),
          rank_(rank),
          what_(what),
          batch_end_(std::min(what.items, what.batch)),
          nodes_(nodes.seen_by(rank)),
          next_(what.seed * 1'000'003 + static_cast<std::uint64_t>(rank)),
          mail_(machine.at(rank), simulated_mail(machine.at(rank), nodes_, what.mailbox)),
          receiver_([this](std::span<std::uint64_t const> batch) {
              handled_ += static_cast<std::int64_t>(batch.size());
              machine_.compute(rank_, what_.handle_seconds * static_cast<double>(batch.size()));
          }),
          channel_(mail_.add(receiver_)) {}

    progress step() {
        if (sent_ < batch_end_) return send_some();
        mail_.set_drains(true);
        progress const now = mail_.step();
        if (!mail_.is_quiet()) return now;
        mail_.begin_next_phase();
        mail_.set_drains(false);
        if (sent_ == what_.items) return progress::done;
        batch_end_ = std::min(what_.items, batch_end_ + what_.batch);
        return progress::some;
    }

    [[nodiscard]] std::int64_t surplus() const noexcept { return sent_ - handled_; }

private:
    /// Sends until a buffer is full or some hundred items are written, as far as there is room.
    progress send_some() {
        constexpr std::int64_t most = 256;
        std::uint64_t const key = mail_.key_of(channel_);
        std::int64_t const end = std::min(batch_end_, sent_ + most);
        std::int64_t const before = sent_;
        for (; sent_ < end; ++sent_) {
            if (!drawn_)
                destination_ = static_cast<std::size_t>(next_() % static_cast<unsigned>(mail_.size()));
            drawn_ = true;
            std::byte* const room = mail_.try_room(destination_, key, sizeof(std::uint64_t));
            if (room == nullptr) break;
            mail_.cursor_at(destination_).next += sizeof(std::uint64_t);
            drawn_ = false;
        }
        machine_.compute(rank_, what_.send_seconds * static_cast<double>(sent_ - before));
        progress const received = mail_.receive();
        return sent_ == before ? received : progress::some;
    }

    simulated_machine& machine_;
    int rank_;
    stream const& what_;
    std::int64_t batch_end_;
    topology nodes_;
    std::minstd_rand next_;
    mail_engine mail_;
    detail::item_receiver<std::uint64_t, std::function<void(std::span<std::uint64_t const>)>> receiver_;
    int channel_;
    std::int64_t sent_ = 0;
    std::int64_t handled_ = 0;
    std::size_t destination_ = 0;
    bool drawn_ = false; // the destination of the next item, which found no room
};

class simulate_mailbox final : public simulation {
public:
    explicit simulate_mailbox(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("mailbox", "Degree counting as in the YGM paper: items of 8 bytes "
                                                     "go to random ranks through a mailbox, by every route");
        add_preset(*parser_, "--items", items_, "Items per rank", above_zero());
        parser_
            ->add_option("--batch", batch_,
                "Items after which a rank drains its mailbox, as for edges made in batches (default: all)")
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
        stream const what{items_, batch_ > 0 ? batch_ : items_, 1e-9 * send_ns_, 1e-9 * handle_ns_,
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
