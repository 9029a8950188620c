#include "frame_graph.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "simulated_run.hpp"
#include "stand_in.hpp"

#include <exchange/plan_troubles.hpp>

#include <weft/extend/protocol/census.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace weft::tool {

namespace {

/// One operation of one rank: steps behind one another, each an engine of the library or time of the
/// processor.
class frame_program {
public:
    frame_program(simulated_machine& machine, int rank, frame_graph const& graph, stand_in scale)
        : machine_(machine), rank_(rank), graph_(graph), scale_(scale), first_tag_(0) {}

    void compute(double seconds) {
        steps_.push_back([this, seconds] {
            machine_.compute(rank_, seconds);
            return std::unique_ptr<engine>();
        });
    }
    void agree() {
        steps_.push_back([this, tag = next_tags()] {
            auto made =
                std::make_unique<census>(machine_.at(rank_), tag.control, all_reduce_method::dissemination);
            made->enter(census_value::identity());
            return made;
        });
    }
    /// A message of this number of bytes an item between parts and blocks, `to_blocks` or from them; of 8
    /// bytes for 0: a count.
    void exchange(sparse_exchange_setup setup, bool to_blocks, std::int64_t item_bytes) {
        setup.tags = next_tags();
        steps_.push_back([this, setup, to_blocks, item_bytes] {
            message_list outgoing;
            for_each_peer(to_blocks, item_bytes, [&](int peer, std::size_t bytes) {
                outgoing.push_back({peer, buffer(bytes)});
            });
            expected_ = 0;
            for_each_peer(!to_blocks, item_bytes, [&](int, std::size_t) { ++expected_; });
            auto made = std::make_unique<sparse_exchange>(machine_.at(rank_), setup, std::move(outgoing));
            exchange_ = made.get();
            return made;
        });
    }
    /// The same by a plan: everybody knows what comes.
    void run_plan(bool to_blocks, std::int64_t item_bytes) {
        steps_.push_back([this, to_blocks, item_bytes, tags = next_tags()] {
            transport& via = machine_.at(rank_);
            pending_.clear();
            std::size_t all = 0;
            for_each_peer(!to_blocks, item_bytes, [&](int, std::size_t bytes) { all += bytes; });
            in_.resize(all);
            std::size_t place = 0;
            for_each_peer(!to_blocks, item_bytes, [&](int peer, std::size_t bytes) {
                pending_.push_back(via.receive(peer, tags.data, std::span(in_).subspan(place, bytes)));
                place += bytes;
            });
            std::size_t most = 0;
            for_each_peer(
                to_blocks, item_bytes, [&](int, std::size_t bytes) { most = std::max(most, bytes); });
            out_.resize(most);
            for_each_peer(to_blocks, item_bytes, [&](int peer, std::size_t bytes) {
                auto const sent = std::span<std::byte const>(out_).first(bytes);
                pending_.push_back(via.send(peer, tags.data, sent, send_mode::standard));
            });
            troubles_ = std::make_unique<plan_troubles>(tags.control);
            way_ = std::make_unique<plan_way>(plan_way{tags.data, 0, *troubles_, 1});
            complete_ = 0;
            return std::make_unique<plan_wait>(via, *way_, pending_, complete_, fruitless_);
        });
    }

    progress step() {
        while (!now_) {
            if (done_ == steps_.size()) return progress::done;
            now_ = steps_[done_++]();
        }
        progress const result = now_->step();
        if (result != progress::done) return result;
        if (exchange_ != nullptr) {
            if (exchange_->take().size() != expected_)
                throw std::logic_error(fmt::format("simulate frames: messages to rank {} are lost", rank_));
            exchange_ = nullptr;
        }
        now_.reset();
        return done_ == steps_.size() ? progress::done : progress::some;
    }

private:
    [[nodiscard]] epoch_tags next_tags() noexcept {
        int const first = first_tag_;
        first_tag_ += 4;
        return {first, first + 1, first + 2, first + 3};
    }
    /// Calls `use` with the other ranks that this one sends to, from the next one on, and with how many
    /// bytes: of its part to blocks, or of its block to parts. The messages to it are those of the other way.
    template <class Use>
    void for_each_peer(bool to_blocks, std::int64_t item_bytes, Use&& use) const {
        auto const look_at = [&](int peer) {
            std::int64_t const items = to_blocks ? graph_.between(rank_, peer) : graph_.between(peer, rank_);
            if (items > 0) use(peer, scale_.of(item_bytes == 0 ? 8 : items * item_bytes));
        };
        for (int peer = rank_ + 1; peer <= graph_.last(rank_); ++peer) look_at(peer);
        for (int peer = graph_.first(rank_); peer < rank_; ++peer) look_at(peer);
    }

    simulated_machine& machine_;
    int rank_;
    frame_graph const& graph_;
    stand_in scale_;
    int first_tag_;
    std::vector<std::function<std::unique_ptr<engine>()>> steps_;
    std::size_t done_ = 0;
    std::unique_ptr<engine> now_;
    sparse_exchange* exchange_ = nullptr; // `now_`, where it is one
    std::size_t expected_ = 0;            // messages of it
    std::vector<request> pending_;
    std::vector<std::byte> out_;
    std::vector<std::byte> in_;
    std::unique_ptr<plan_troubles> troubles_;
    std::unique_ptr<plan_way> way_;
    std::size_t complete_ = 0;
    int fruitless_ = 0;
};

class simulate_frames final : public simulation {
public:
    explicit simulate_frames(CLI::App& simulate) {
        parser_ = simulate.add_subcommand("frames",
            "Block-to-Part and Part-to-Block of ParaDiGM (HPDC 2024): values of global ids move "
            "between a distribution in blocks and a distribution in overlapping parts, by a plan, "
            "a sparse exchange or a collective");
        add_preset(*parser_, "--graph", graphs_, "Graphs of the paper",
            CLI::IsMember({"diagonal", "quasi-10", "quasi-25", "random"}));
        add_preset(*parser_, "--items", items_, "Number of items of each part and of each block",
            between(1, 1073741824));
        add_preset(
            *parser_, "--value-bytes", value_bytes_, "Bytes of the value of an item", between(1, 65536));
        add_preset(*parser_, "--item-ns", item_ns_,
            "CPU time to pack or unpack an item, in nanoseconds; --transfer create takes this time four "
            "times for each item",
            at_least(0));
        add_preset(*parser_, "--ranks-per-node", ranks_per_node_,
            "Number of consecutive ranks that share a node; 0: the number of the machine model",
            between(0, 65536));
        add_preset(*parser_, "--transfer", subjects_,
            "Operation to simulate. create: prepare Block-to-Part; plan, sparse, collective: move values "
            "from "
            "blocks to parts by a plan, a sparse exchange or a collective; back-create: prepare "
            "Part-to-Block; "
            "back-plan: move values from parts to blocks by a plan",
            CLI::IsMember({"create", "plan", "sparse", "collective", "back-create", "back-plan"}));
    }

    void run(simulation_options const& options,
        std::function<void(simulation_result const&)> const& report) override {
        for (named_machine const& machine : options.machines)
            for (int const ranks : options.ranks)
                for (std::string const& graph : graphs_)
                    for (std::string const& subject : subjects_)
                        report(simulate(machine, {graph, ranks, items_}, subject));
    }

private:
    /// Writes the program of each rank.
    void write_program(frame_program& program, machine_model const& machine, sparse_exchange_setup setup,
        frame_graph const& graph, std::string const& subject) const {
        double const pass = 1e-9 * item_ns_ * static_cast<double>(items_);
        topology const& nodes = *setup.nodes;
        auto const choose = [&](double item_bytes) {
            double const messages = graph.last(graph.ranks / 2) - graph.first(graph.ranks / 2);
            return fastest(machine,
                {graph.ranks, nodes.node_count(), nodes.largest_node(), messages, item_bytes},
                all_protocols());
        };
        if (subject == "create" || subject == "back-create") {
            bool const back = subject == "back-create";
            if (back) program.agree(); // the weight of all, for blocks of equal weight
            program.compute(2 * pass); // owners, and the order of owners
            program.agree();
            program.agree();
            setup.how = choose(16.0 * graph.reach());
            program.exchange(setup, true, 0);
            program.compute(pass);
            program.run_plan(true, back ? 8 : 4);    // ids, where a block does not know its places
            program.compute(back ? 2 * pass : pass); // and the order of ids in the block
            program.agree();
            program.agree();
            return;
        }
        program.compute(pass);
        if (subject == "plan" || subject == "back-plan") {
            program.agree();
            program.run_plan(subject == "back-plan", value_bytes_);
        } else {
            setup.how =
                subject == "collective" ? protocol::pex : choose(static_cast<double>(items_ * value_bytes_));
            program.exchange(setup, false, value_bytes_);
        }
        program.compute(pass);
    }

    [[nodiscard]] simulation_result simulate(
        named_machine const& on, frame_graph const& graph, std::string const& subject) const {
        machine_model real = on.model;
        if (ranks_per_node_ > 0) real.simulation.ranks_per_node = ranks_per_node_;
        stand_in const scale = stand_in::for_arrays(real, items_ * value_bytes_);
        simulated_run made(on, scale.on(real), graph.ranks);
        simulated_machine& machine = made.machine();
        sparse_exchange_setup setup;
        setup.nodes = &made.nodes();
        std::vector<std::unique_ptr<frame_program>> programs;
        for (int rank = 0; rank < graph.ranks; ++rank) {
            programs.push_back(std::make_unique<frame_program>(machine, rank, graph, scale));
            write_program(*programs.back(), real, setup, graph, subject);
        }
        machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); });
        return made.row("frames", graph.name + " " + subject,
            graph.last(graph.ranks / 2) - graph.first(graph.ranks / 2),
            std::to_string(items_ * value_bytes_));
    }

    std::vector<std::string> graphs_{"diagonal", "quasi-10", "quasi-25", "random"};
    std::vector<std::string> subjects_{"create", "plan", "sparse", "collective"};
    std::int64_t items_ = 600'000;
    std::int64_t value_bytes_ = 4;
    double item_ns_ = 1;
    int ranks_per_node_ = 0;
};

} // namespace

std::unique_ptr<simulation> make_simulate_frames(CLI::App& simulate) {
    return std::make_unique<simulate_frames>(simulate);
}

} // namespace weft::tool
