#include "command.hpp"
#include "launch/volume_module.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "report/machine_report.hpp"
#include "tune_group.hpp"
#include "tune_phases.hpp"
#include "tune_plan.hpp"

#include <files/output_target.hpp>

#include <machine/machine_file.hpp>
#include <machine/stored_choices.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/agreement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

namespace weft::tool {

namespace {

/// The findings of a group, as the doubles that its first rank sends to the ranks that waited.
class found_costs {
public:
    measured_costs costs;
    network_model pair; // of a group of two

    [[nodiscard]] std::vector<double> flat() {
        std::vector<double> numbers;
        visit([&](double& each) { numbers.push_back(each); });
        return numbers;
    }
    void set(std::vector<double> const& numbers) {
        auto next = numbers.begin();
        visit([&](double& each) { each = *next++; });
    }

private:
    template <class Visitor>
    void visit(Visitor&& each) {
        for (double* const one : {&costs.all_reduce, &costs.all_to_all, &costs.reduce_scatter,
                 &pair.parameters.latency, &pair.parameters.overhead, &pair.parameters.gap,
                 &pair.parameters.gap_per_byte, &pair.synchronous_penalty})
            each(*one);
        for (phase_costs* const phase : {&costs.known, &costs.probed, &costs.synchronous})
            for (std::vector<double>* const list : {&phase->first, &phase->more}) {
                list->resize(std::size(measured_bytes));
                for (double& one : *list) each(one);
            }
    }
};

/// Measures one group after the other. Ranks outside a group sleep meanwhile: polling, they would take the
/// cores from those that are measured.
class tuner {
public:
    explicit tuner(communicator const& comm) : world_(comm.split(0, comm.rank())) {}

    found_costs measure(tune_group const& group, double seconds) const {
        auto const place = std::ranges::find(group.ranks, world_.rank());
        bool const takes_part = place != group.ranks.end();
        communicator const part =
            world_.split(takes_part ? 0 : 1, static_cast<int>(place - group.ranks.begin()));
        found_costs found;
        if (takes_part) {
            found.costs = measure_group(part, 0.8 * seconds);
            if (part.size() == 2) found.pair = measure_pair(transport_of(part), 0.2 * seconds);
        }
        found.costs.ranks = static_cast<int>(group.ranks.size());
        share(found, group.ranks);
        return found;
    }

private:
    static constexpr int tag = 0; // the communicator is this object's own

    /// From the first rank of the group to all others.
    void share(found_costs& found, std::vector<int> const& group) const {
        transport& via = transport_of(world_);
        std::vector<double> numbers = found.flat();
        auto const bytes = std::as_writable_bytes(std::span(numbers));
        auto const nap = std::chrono::milliseconds(1);
        if (world_.rank() == group.front()) {
            for (int rank = 0; rank < world_.size(); ++rank)
                if (rank != group.front())
                    for (request sent = via.send(rank, tag, bytes, send_mode::standard); !via.test(sent);)
                        std::this_thread::sleep_for(nap);
        } else {
            for (request got = via.receive(group.front(), tag, bytes); !via.test(got);)
                std::this_thread::sleep_for(nap);
            found.set(numbers);
        }
    }

    communicator world_;
};

std::string described(communicator const& comm) {
    auto const count = [](int number, std::string_view what) {
        return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
    };
    return fmt::format("{} on {}, {}", count(comm.size(), "rank"),
        count(comm.topology().node_count(), "node"), mpi_library());
}

/// Measures the machine in about this number of seconds. Collective, the same on all ranks.
machine_model measure(communicator const& comm, double seconds, progress_when shown) {
    progress_line line(shown, comm);
    auto const groups = plan_groups(comm.topology(), comm.size());
    auto const total = static_cast<std::int64_t>(groups.size());
    tuner const tune(comm);
    machine_model machine;
    for (tune_group const& group : groups) {
        line.show("measuring", &group - groups.data(), total);
        found_costs const found = tune.measure(group, seconds / static_cast<double>(total));
        if (group.how == placement::mixed) {
            machine.mixed.push_back(found.costs);
            continue;
        }
        network_model& network = group.how == placement::inside ? machine.inside : machine.between;
        if (group.ranks.size() == 2) {
            network.parameters = found.pair.parameters;
            network.synchronous_penalty = found.pair.synchronous_penalty;
        }
        network.measured.push_back(found.costs);
    }
    if (machine.between.measured.empty()) machine.between = machine.inside;
    if (machine.inside.measured.empty()) machine.inside = machine.between;
    machine.copy_per_byte = measure_copying(comm);
    machine.handover_per_byte = measure_handover(comm);
    machine.simulation.ranks_per_node = comm.topology().largest_node();
    machine.simulation.exchange_overhead = measure_exchange_overhead(comm);
    machine.measured_on = described(comm);
    return machine;
}

/// Where the model goes: what the options or WEFT_MACHINE say, or where it is looked for.
std::string place_for(std::string const& option, settings const& knobs) {
    if (!option.empty()) return option;
    if (!knobs.machine.empty() && knobs.machine != "none") return knobs.machine;
    std::string const usual = machine_file_path();
    if (usual.empty()) throw usage_error("tune: no home to store the model in; name a place with --file");
    return usual;
}

/// Whoever reads meanwhile sees the old file or the new one. The choices made with the old one go: where the
/// machine has changed they are what is wrong.
void store(std::string const& file, std::string const& text) {
    std::filesystem::path const path(file);
    std::error_code failure;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failure);
    write_output(path, text);
    std::filesystem::remove(choices_file_path(file), failure);
}

/// The time of a message against its bytes, by standard and by synchronous sends, on the fewest ranks that
/// were measured.
chart_panel send_panel(network_model const& network, std::string const& where) {
    measured_costs const& costs = network.measured.front();
    chart_panel panel{
        fmt::format("{}, {} ranks", where, costs.ranks), {"bytes", true}, {"microseconds", true}, {}};
    auto const add = [&](char const* name, phase_costs const& phase) {
        chart_series line{name, panel.series.size(), false, {}};
        for (std::size_t i = 0; i < phase.first.size(); ++i)
            line.points.push_back({measured_bytes[i], 1e6 * phase.first[i]});
        panel.series.push_back(std::move(line));
    };
    add("MPI_Send, received after a probe", costs.probed);
    add("MPI_Ssend, received after a probe", costs.synchronous);
    add("MPI_Send, of known source and size", costs.known);
    return panel;
}

/// A panel for each kind of connection that was measured.
void draw_sends(machine_model const& machine, topology const& nodes, std::string const& file) {
    std::vector<chart_panel> panels;
    if (nodes.largest_node() > 1) panels.push_back(send_panel(machine.inside, "inside a node"));
    if (nodes.node_count() > 1) panels.push_back(send_panel(machine.between, "between nodes"));
    load_volumes().draw_chart(file, "time of a message each way", panels);
}

class tune_command final : public command {
public:
    explicit tune_command(CLI::App& app) {
        parser_ = app.add_subcommand(
            "tune", "Measure this machine, so that exchanges can choose the fastest protocol");
        parser_->add_option("--file", file_,
            "File to write the machine model to (default: the file that Weft programs read)");
        add_preset(*parser_, "--seconds", seconds_, "Approximate time of the measurement, in seconds",
            between(0.1, 3600.0));
        parser_->add_flag("--dry-run", dry_run_, "Store nothing");
        names_picture(parser_->add_option("--plot", plot_,
            "Plot the times of standard and synchronous sends against the sizes of messages into a PNG "
            "file"));
        common_.add_output_to(*parser_);
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        if (comm.size() < 2)
            throw usage_error("tune: one rank has nobody to send to; start it on as many ranks as programs "
                              "will have, as in `weft -n 4 tune` or `mpirun -n 64 weft tune`");
        stopwatch watch(comm);
        machine_model machine =
            measure(comm, seconds_, common_.quiet ? progress_when::never : progress_when::automatic);
        watch.lap("measure");
        std::string place;
        agreed(comm, [&] {
            if (comm.rank() != 0) return;
            if (!dry_run_) store(place = place_for(file_, comm.settings()), to_text(machine));
            if (!plot_.empty()) draw_sends(machine, comm.topology(), plot_);
            machine.origin = dry_run_ ? "measured, and not stored" : "stored in " + place;
        });
        auto report = make_report("tune", comm);
        report["options"] = {{"seconds", seconds_}, {"dry_run", dry_run_}};
        if (!plot_.empty()) report["options"]["plot"] = plot_;
        report["result"] = {{"file", place}, {"machine", machine_as_json(machine)}};
        report["seconds"] = watch.seconds();
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table())
            print(table_head(report, "tune") + machine_as_text(machine) + "\n");
    }

private:
    common_options common_;
    std::string file_;
    double seconds_ = 10;
    bool dry_run_ = false;
    std::string plot_;
};

} // namespace

std::unique_ptr<command> make_tune(CLI::App& app) {
    return std::make_unique<tune_command>(app);
}

} // namespace weft::tool
