#include "density_picture.hpp"
#include "options/input_file.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "picture_options.hpp"
#include "report/reporting_command.hpp"

#include <files/csv_row.hpp>
#include <files/output_target.hpp>
#include <snapshots/snapshot_formats.hpp>

#include <weft/core/error.hpp>
#include <weft/io/write_text.hpp>
#include <weft/nbody/nbody_system.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/snapshots/snapshot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

namespace weft::tool {

namespace {

class nbody_command final : public reporting_command {
public:
    explicit nbody_command(CLI::App& app)
        : reporting_command(app, "nbody",
              "Gravity of particles by the Barnes-Hut method: forces, energies, and orbits by leapfrog "
              "steps") {
        parser_->add_option("SNAPSHOT", file_,
            "Particles: " + snapshots::list_of_particle_formats() + "; - for standard input");
        parser_->add_option("--restart", restart_,
            "Continue from a file that --checkpoint has written, in place of SNAPSHOT; the number of ranks "
            "may differ from that of the run that wrote the file");
        add_force_options();
        add_output_options();
        common_.add_watched_to(*parser_);
        parser_->footer(
            "Examples:\n"
            "  weft -n 4 nbody galaxy.dat --eps 0.5 --accelerations forces.csv\n"
            "  weft -n 4 nbody galaxy.dat --eps 0.5 --G 43007.1 --steps 100 --dt 0.01 --out later.vtp\n"
            "  weft -n 2 nbody cluster.csv --eps 0.01 --steps 50 --dt 0.01 --checkpoint later.wnb\n"
            "  weft -n 7 nbody --restart later.wnb --steps 50 --dt 0.01 --image later.png");
        parser_->callback([this] {
            if (file_.empty() == restart_.empty())
                throw CLI::ValidationError(
                    "SNAPSHOT", "name a file of particles, or a checkpoint by --restart");
            if (steps_ > 0 && parser_->count("--dt") == 0)
                throw CLI::ValidationError("--dt", "is needed for --steps above 0");
            if (parser_->count("--every") > 0 && animate_.empty())
                throw CLI::ValidationError("--every", "needs --animate");
            for (char const* const option : {"--view", "--reach", "--domains"})
                if (parser_->count(option) > 0 && image_.empty() && animate_.empty())
                    throw CLI::ValidationError(option, "needs --image or --animate");
        });
    }

private:
    void compute(session const& now) override {
        communicator const& comm = now.comm;
        std::string const& name = restart_.empty() ? file_ : restart_;
        now.progress.phase("reading " + name);
        if (parser_->count("--eps") > 0) reading_.softening = softening_;
        options_.engine = engine_ == "mailbox" ? tree_engine::mailbox : tree_engine::exchange;
        input_file const in(comm, name, ending_of_particles);
        snapshot start = in.naming_it([&] { return read_particles(comm, in.path().string(), reading_); });
        if (!restart_.empty() && !start.checkpoint)
            throw usage_error(restart_ + ": --restart expects a file of --checkpoint, found " + start.format +
                              "; name it without --restart");
        if (start.checkpoint && parser_->count("--G") == 0)
            options_.gravitational_constant = start.checkpoint->gravitational_constant;
        now.watch.lap("read");
        nbody_system system = system_of(comm, std::move(start.particles), name);
        system.find_forces();
        nbody_totals const first = system.totals();
        bool const goes_on = start.checkpoint &&
                             start.checkpoint->gravitational_constant == options_.gravitational_constant &&
                             !reading_.softening;
        double const energy = goes_on ? start.checkpoint->initial_energy : energy_of(first);
        double time = start.time;
        double drift = drift_from(energy, energy_of(first));
        std::optional<density_picture> frames;
        if (!animate_.empty()) {
            frames.emplace(picture_of(name));
            agreed(comm, [&] {
                if (comm.rank() == 0) weft::make_folder(animate_);
            });
        }
        std::vector<moves> moved;
        std::int64_t const every = std::max<std::int64_t>(1, steps_ / 20);
        std::int64_t const each_frame = every_ > 0 ? every_ : std::max<std::int64_t>(1, steps_ / 100);
        if (frames) frames->write(comm, frame_file(0), system.particles(), time);
        for (std::int64_t step = 1; step <= steps_; ++step) {
            system.advance(time_step_);
            time += time_step_;
            if (!migrants_.empty()) moved.push_back(moves_of(system, comm, step, time));
            if (frames && step % each_frame == 0)
                frames->write(comm, frame_file(step / each_frame), system.particles(), time);
            if (common_.progress != progress_when::never && step % every == 0)
                drift = drift_from(energy, energy_of(system.totals()));
            now.progress.show(fmt::format("stepping, energy off by {:.1e}", drift), step, steps_);
        }
        nbody_totals const last = steps_ > 0 ? system.totals() : first;
        nbody_record const record = system.record();
        now.watch.lap("compute");
        now.progress.phase("writing");
        std::vector<particle> const particles(system.particles().begin(), system.particles().end());
        if (!accelerations_.empty()) write_forces(comm, accelerations_, system);
        if (!out_.empty()) write_particles(comm, out_, particles, time);
        if (!checkpoint_.empty())
            write_checkpoint(comm, checkpoint_, particles, time,
                {(start.checkpoint ? start.checkpoint->step : 0) + steps_, energy,
                    options_.gravitational_constant});
        if (!migrants_.empty()) write_moves(comm, migrants_, moved);
        if (!image_.empty()) picture_of(name).write(comm, image_, particles, time);
        now.watch.lap("write");
        describe_run(now.report, start, time, energy, last, record);
        if (!migrants_.empty()) {
            auto& steps = now.report["result"]["steps"];
            steps = nlohmann::ordered_json::array();
            for (moves const& each : moved)
                steps.push_back({{"step", each.step}, {"time", each.time}, {"migrants", each.migrants},
                    {"mean_destinations", each.mean_destinations},
                    {"max_destinations", each.max_destinations}});
        }
        auto& seconds = now.report["seconds"];
        seconds["tree"] = record.seconds.tree;
        seconds["walk"] = record.seconds.walk;
        seconds["exchange"] = record.seconds.exchange;
        seconds["integrate"] = record.seconds.integrate;
        seconds["balance"] = record.seconds.balance;
    }

    void add_force_options() {
        add_preset(*parser_, "--steps", steps_,
            "Number of leapfrog steps; 0: compute only forces and energies", at_least(0));
        parser_->add_option("--dt", time_step_, "Length of a time step")->check(above_zero());
        add_preset(*parser_, "--theta", options_.theta,
            "Opening angle: a group of particles whose size divided by its distance is at most this counts "
            "as one body; 0: add up the forces of all pairs",
            between(0, 1));
        parser_
            ->add_option("--eps", softening_,
                "Plummer softening length of all particles (default: read from the file)")
            ->check(at_least(0));
        add_preset(*parser_, "--G", options_.gravitational_constant,
            "The gravitational constant; with --restart, the default is the constant of the checkpoint",
            finite());
        parser_
            ->add_option("--mass", reading_.total_mass,
                "Total mass, shared evenly by all particles, if the file has no masses (default: 1)")
            ->check(at_least(0));
        add_preset(*parser_, "--skew", options_.skew,
            "Distribute the particles anew when the work of the busiest rank exceeds the mean work by more "
            "than this fraction of the mean",
            at_least(0));
        add_preset(*parser_, "--engine", engine_,
            "exchange: ranks send cells of the tree to the ranks that need them; mailbox: ranks request the "
            "cells that they need",
            CLI::IsMember({"exchange", "mailbox"}));
    }

    void add_output_options() {
        names_output(parser_->add_option("--out,-o", out_,
            "Write the particles: .csv, .vtp, or GADGET format 2 for any other suffix; - writes CSV to "
            "standard output"));
        names_output(parser_->add_option("--accelerations", accelerations_,
            "Write the index, acceleration and potential of each particle as CSV"));
        names_output(parser_->add_option(
            "--checkpoint", checkpoint_, "After the last step, write a checkpoint that --restart can read"));
        names_picture(parser_->add_option(
            "--image", image_, "Draw the surface density after the last step, in log scale, as PNG"));
        names_output(parser_->add_option("--migrants", migrants_,
            "Write a CSV row for each step: the number of particles that changed ranks, and the number of "
            "ranks to which a rank sent particles (mean and maximum over all ranks)"));
        parser_->add_flag(
            "--domains", domains_, "Draw the box around the particles of each rank into pictures");
        parser_->add_option("--animate", animate_,
            "Draw a picture every few steps into this folder: frame_000000.png and so on");
        parser_->add_option("--every", every_, "Steps between two frames (default: about 100 frames in all)")
            ->check(at_least(1));
        add_preset(*parser_, "--view", view_, "The axis along which pictures look at the particles",
            CLI::IsMember({"x", "y", "z"}));
        parser_
            ->add_option("--reach", reach_,
                "Distance from the middle of a picture to its edges (default: pictures show 99 % of the "
                "mass)")
            ->check(above_zero());
        add_theme(*parser_, theme_);
    }

    /// The ending by which a copy of standard input is known: text is CSV, the other formats have a magic.
    [[nodiscard]] static std::string ending_of_particles(std::string_view start) {
        std::string_view const first = start.substr(0, 64);
        bool const is_text = std::ranges::all_of(first, [](char c) {
            return c == '\t' || c == '\n' || c == '\r' || static_cast<unsigned char>(c) >= ' ';
        });
        return is_text ? ".csv" : "";
    }

    [[nodiscard]] density_picture picture_of(std::string const& name) const {
        return {view_[0] - 'x', reach_ > 0 ? std::optional(reach_) : std::nullopt, theme_named(theme_),
            short_name_of(name), domains_};
    }

    [[nodiscard]] std::filesystem::path frame_file(std::int64_t number) const {
        return std::filesystem::path(animate_) / fmt::format("frame_{:06}.png", number);
    }

    /// Complaints about particles name the file that they are from.
    [[nodiscard]] nbody_system system_of(
        communicator const& comm, std::vector<particle>&& particles, std::string const& name) const {
        try {
            return nbody_system(comm, std::move(particles), options_);
        } catch (usage_error const& caught) {
            throw usage_error((name == "-" ? "standard input" : name) + ": " + caught.what());
        }
    }

    /// The particles that a step has moved between ranks.
    struct moves {
        std::int64_t step;
        double time;
        std::int64_t migrants;
        double mean_destinations; ///< of a rank
        std::int64_t max_destinations;
    };
    [[nodiscard]] static moves moves_of(
        nbody_system const& system, communicator const& comm, std::int64_t step, double time) {
        nbody_record const now = system.record();
        return {step, time, now.last_migrations, static_cast<double>(now.last_destinations) / comm.size(),
            now.last_max_destinations};
    }

    /// The rows are the same on all ranks; rank 0 writes them.
    static void write_moves(
        communicator const& comm, std::string const& file, std::vector<moves> const& rows) {
        std::string text;
        agreed(comm, [&] {
            if (comm.rank() != 0) return;
            text = "step,time,migrants,mean_destinations,max_destinations\n";
            for (moves const& each : rows)
                append_csv_row(
                    text, each.step, each.time, each.migrants, each.mean_destinations, each.max_destinations);
        });
        write_text(comm, file, text);
    }

    [[nodiscard]] static double energy_of(nbody_totals const& totals) {
        return totals.kinetic + totals.potential;
    }
    [[nodiscard]] static double drift_from(double first, double last) {
        return first != 0 ? (last - first) / std::abs(first) : last - first;
    }

    void describe_run(nlohmann::ordered_json& report, snapshot const& start, double time, double energy,
        nbody_totals const& last, nbody_record const& record) const {
        report["input"] = {{"file", restart_.empty() ? file_ : restart_}, {"format", start.format},
            {"time", start.time}, {"step", start.checkpoint ? start.checkpoint->step : 0}};
        auto& chosen = report["options"];
        chosen["steps"] = steps_;
        if (steps_ > 0) chosen["dt"] = time_step_;
        chosen["theta"] = options_.theta;
        if (reading_.softening) chosen["eps"] = *reading_.softening;
        chosen["G"] = options_.gravitational_constant;
        chosen["skew"] = options_.skew;
        chosen["engine"] = engine_;
        auto& result = report["result"];
        result["particles"] = last.particles;
        result["time"] = time;
        result["mass"] = last.mass;
        result["center_of_mass"] = last.center_of_mass;
        result["momentum"] = last.momentum;
        result["angular_momentum"] = last.angular_momentum;
        result["kinetic"] = last.kinetic;
        result["potential"] = last.potential;
        result["energy_drift"] = drift_from(energy, energy_of(last));
        result["max_neighbors"] = record.max_neighbors;
        result["rebalances"] = record.rebalances;
        result["migrations"] = record.migrations;
        result["max_destinations"] = record.max_destinations;
        result["skew"] = record.skew;
        result["interactions_a_particle"] = last.particles > 0 ? static_cast<double>(record.interactions) /
                                                                     static_cast<double>(last.particles)
                                                               : 0.0;
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const number = [&](char const* name) {
            return fmt::format("{:.10g}", result[name].get<double>());
        };
        return table_row("particles", grouped(result["particles"].get<std::int64_t>())) +
               table_row("time", number("time")) + table_row("mass", number("mass")) +
               table_row("kinetic", number("kinetic")) + table_row("potential", number("potential")) +
               table_row("energy drift", fmt::format("{:.3e}", result["energy_drift"].get<double>())) +
               table_row("interactions",
                   fmt::format("{:.1f} a particle", result["interactions_a_particle"].get<double>())) +
               table_row(
                   "balance", fmt::format("{:.1f} % skew, {} rebalances", 100 * result["skew"].get<double>(),
                                  result["rebalances"].get<std::int64_t>())) +
               table_row("migrants",
                   fmt::format("{} that changed ranks, from one rank to {} others in a step at most",
                       grouped(result["migrations"].get<std::int64_t>()),
                       result["max_destinations"].get<std::int64_t>()));
    }

    nbody_options options_;
    snapshot_options reading_;
    std::string file_;
    std::string engine_ = "exchange";
    std::string out_;
    std::string accelerations_;
    std::string checkpoint_;
    std::string restart_;
    std::string image_;
    std::string migrants_;
    bool domains_ = false;
    std::string animate_;
    std::string view_ = "z";
    std::string theme_ = "dark";
    std::int64_t every_ = 0;
    double reach_ = 0;
    std::int64_t steps_ = 0;
    double time_step_ = 0;
    double softening_ = 0;
};

} // namespace

std::unique_ptr<command> make_nbody(CLI::App& app) {
    return std::make_unique<nbody_command>(app);
}

} // namespace weft::tool
