#include "options/input_file.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "picture_options.hpp"
#include "report/reporting_command.hpp"
#include "traced_field.hpp"
#include "volume_options.hpp"

#include <grids/grid_content.hpp>
#include <pictures/coastlines.hpp>
#include <tracing/draw_lines.hpp>
#include <tracing/line_seam.hpp>
#include <tracing/path_rule.hpp>
#include <tracing/tracer.hpp>
#include <tracing/world.hpp>
#include <tracing/write_vtp.hpp>

#include <weft/core/error.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/agreement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace weft::tool {

namespace {

class trace_command final : public reporting_command {
public:
    explicit trace_command(CLI::App& app)
        : reporting_command(app, "trace", "Trace particles through a vector field") {
        parser_->footer(
            "A particle stops at its last place when a step would leave the field or enter a cell with a "
            "missing value at a corner. Lines are the same to the last bit at any number of ranks, blocks "
            "and threads, with both engines.\n"
            "\n"
            "SEEDS is one of\n"
            "  every:N[,min=SHARE]  every Nth point, counted along x first, of the points whose speed is at "
            "least\n"
            "                       SHARE (default 0.1) of the greatest speed; every:auto chooses N for "
            "about\n"
            "                       500 seeds\n"
            "  box:NX,NY,NZ[,X0,X1,Y0,Y1,Z0,Z1]\n"
            "                       the middles of NX x NY x NZ equal parts of a box (default: the domain)\n"
            "  plane:z=3,NX,NY      the middles of NX x NY equal parts of a plane across an axis\n"
            "  random:N             random points of the domain; see --seed\n"
            "  file:FILE.csv        a line x,y,z for each seed; a line with the names of the columns may "
            "come first\n"
            "\n"
            "Examples:\n"
            "  weft -n 4 trace carotid.vtk --seeds every:10 --image flow.png\n"
            "  weft trace wind.nc --variable U,V, --integrator rk45 --duration 20 --out lines.vtp\n"
            "  weft trace t0.vti t1.vti t2.vti --times 0,0.5 --step-size 0.01 --ends ends.csv\n"
            "  weft -n 2 trace --synthetic fast=10,slow=1,n=64 --blocks 8 --engine exchange");
        field_.add_to(*parser_);
        add_path_options();
        add_output_options();
        common_.add_to(*parser_);
        parser_->callback([this] {
            field_.check();
            if (!coastlines_.empty() && image_.empty())
                throw CLI::ValidationError("--coastlines", "needs --image");
#ifndef WEFT_WITH_SHAPELIB
            if (!coastlines_.empty() && coastlines_ != "none")
                throw CLI::ValidationError(
                    "--coastlines", "this weft was built without shapelib; build it with -DWEFT_SHAPELIB=ON");
#endif
            if (method_ == "rk45") return;
            for (char const* const option : {"--tolerance", "--min-step", "--max-step", "--duration"})
                if (parser_->count(option) > 0) throw CLI::ValidationError(option, "needs --integrator rk45");
        });
    }

private:
    void compute(session const& now) override {
        communicator const& comm = now.comm;
        now.progress.phase("reading the field");
        input_file const first(comm, field_.first_file(), ending_of_grid);
        std::unique_ptr<flow> field;
        tracer with = first.naming_it([&] {
            agreed(comm, [&] { field = field_.open(first.path()); });
            return tracer(comm, *field,
                {.blocks = path_.blocks * comm.size(),
                    .threads = path_.threads,
                    .round_robin = assignment_ == "round-robin"});
        });
        now.watch.lap("read");

        now.progress.phase("placing seeds");
        std::vector<seed> const begun = make_seeds(comm, *field, seeds(), common_.seed);
        trace_options const options = options_of(path(), with, *field->domain());
        now.watch.lap("build");

        now.progress.phase("tracing");
        traces found = with.trace(begun, options);
        placement const& place = field->domain()->place;
        found.ends = in_world(std::move(found.ends), place);
        if (place.moves() && found.totals.seeds > 0)
            found.totals.mean_final = place.to_world(found.totals.mean_final);
        now.watch.lap("compute");
        if (comm.rank() == 0) warn_of_seeds_outside(found.totals, *field->domain());

        describe_run(now.report, with, options, *field->domain());
        add_result(now.report, found.totals);
        now.progress.phase("writing");
        if (!ends_.empty()) write_ends(comm, found.ends);
        if (!out_.empty())
            write_vtp(comm, out_, in_world(cut_at_seams(found.lines, *field->domain()), place));
        if (!ends_.empty() || !out_.empty()) now.watch.lap("write");
        if (!image_.empty()) {
            now.progress.phase("drawing");
            write_image(comm, found.lines, *field->domain());
            now.watch.lap("draw");
        }
    }

    void add_path_options() {
        parser_->add_option("--seeds", seeds_,
            "Start points of the particles, by one of the rules below (default: every:auto; with --synthetic "
            "four points for each cell of the plane x = 0)");
        add_preset(*parser_, "--integrator", method_,
            "rk4: Runge-Kutta of order 4 with steps of equal length; rk45: Dormand-Prince with adaptive "
            "steps",
            CLI::IsMember({"rk4", "rk45"}));
        parser_
            ->add_option("--step-size", path_.step,
                "Length of a step in time; for rk45, of the first step (default: the time in which the "
                "greatest speed "
                "crosses half the narrowest cell; 1 with --synthetic)")
            ->check(above_zero());
        add_preset(
            *parser_, "--max-steps", path_.max_steps, "Largest number of steps of a particle", at_least(0));
        parser_
            ->add_option(
                "--duration", path_.duration, "Longest time for which a particle is traced, with rk45")
            ->check(above_zero());
        add_preset(*parser_, "--tolerance", path_.tolerance,
            "Largest error of a step of rk45, divided by the diagonal of the domain", above_zero());
        parser_
            ->add_option(
                "--min-step", path_.min_step, "Least step of rk45 (default: a millionth of --step-size)")
            ->check(above_zero());
        parser_
            ->add_option("--max-step", path_.max_step,
                "Greatest step of rk45 (default: the time across the domain at the greatest speed)")
            ->check(above_zero());
        parser_->add_flag("--backward", path_.backward, "Trace against the flow, back in time");
        parser_->add_option("--start-time", path_.start,
            "Time at which particles begin (default: the first time step; with --backward the last)");
        add_preset(*parser_, "--blocks", path_.blocks,
            "Number of blocks on each rank; fewer if there are too few cells", above_zero());
        add_preset(*parser_, "--assignment", assignment_,
            "Assignment of blocks to ranks: contiguous (each rank has blocks with consecutive numbers, which "
            "count along x first, then y, then z) or round-robin (block i is on rank i modulo the number of "
            "ranks)",
            CLI::IsMember({"contiguous", "round-robin"}));
        add_preset(*parser_, "--engine", engine_,
            "Communication: exchange (in rounds) or iexchange (asynchronous messages)",
            CLI::IsMember({"exchange", "iexchange"}));
        add_preset(*parser_, "--threads", path_.threads,
            "Number of blocks that a rank works on at the same time, each by a thread", between(1, 1024));
    }

    void add_output_options() {
        names_output(parser_->add_option("--ends", ends_,
            "Write a line x0,y0,z0,xN,yN,zN,steps_done,still_inside,path_length for each seed"));
        names_output(parser_->add_option("--out", out_,
            "Write the lines as VTK XML polydata (.vtp) for ParaView, with the speed at each point and the "
            "seed of each line"));
        names_picture(parser_->add_option("--image", image_,
            "Draw the lines into a PNG file, shaded and coloured by speed; if there are very many lines, "
            "only some are drawn"));
        parser_->add_option("--coastlines", coastlines_,
            "Shapefile of coastlines to draw behind the lines, if x is a longitude and y a latitude; none: "
            "draw no coastlines (default: those of Debian's package python-cartopy-data, if installed)");
        add_theme(*parser_, theme_);
    }

    [[nodiscard]] std::string seeds() const {
        return seeds_.empty() ? field_.usual_seeds() : seeds_;
    }

    [[nodiscard]] path_options path() const {
        path_options path = path_;
        path.adaptive = method_ == "rk45";
        path.in_rounds = engine_ == "exchange";
        path.lines = !out_.empty() || !image_.empty();
        if (path.step == 0 && field_.is_synthetic()) path.step = 1;
        return path;
    }

    void describe_run(nlohmann::ordered_json& report, tracer const& with, trace_options const& options,
        flow_domain const& domain) const {
        auto& input = report["input"];
        input["field"] = field_.name();
        auto& points = input["points"] = nlohmann::ordered_json::array();
        for (flow_axis const& axis : domain.axes) points.push_back(axis.points().size());
        input["steps"] = domain.times.points().size();
        if (!field_.units().empty()) input["units"] = field_.units();
        auto& axes = input["axes"] = nlohmann::ordered_json::array();
        for (std::size_t d = 0; d < 3; ++d) axes.push_back(field_.axis_label(d));
        if (domain.is_periodic()) input["periods"] = domain.period;
        auto& chosen = report["options"];
        chosen["seeds"] = seeds();
        chosen["integrator"] = method_;
        chosen["step_size"] = options.rule.step;
        chosen["max_steps"] = options.rule.max_steps;
        chosen["engine"] = engine_;
        chosen["blocks"] = with.grid().blocks();
        chosen["assignment"] = assignment_;
        chosen["threads"] = path_.threads;
    }

    static void warn_of_seeds_outside(trace_totals const& totals, flow_domain const& domain) {
        if (totals.seeds == 0 || totals.inside > 0 || totals.steps > 0) return;
        flow_domain const around = in_world(domain);
        auto const& [x, y, z] = around.axes;
        say_warning(
            fmt::format("all {} seeds are outside of the field, which spans x {:g} to {:g}, y {:g} to {:g}, "
                        "z {:g} to {:g}",
                totals.seeds, x.lo(), x.hi(), y.lo(), y.hi(), z.lo(), z.hi()));
    }

    static void add_result(nlohmann::ordered_json& report, trace_totals const& totals) {
        auto& result = report["result"];
        result["seeds"] = totals.seeds;
        result["inside"] = totals.inside;
        result["left"] = totals.seeds - totals.inside;
        result["steps"] = totals.steps;
        result["mean_final"] = totals.mean_final;
        result["mean_path"] = totals.mean_path;
    }

    void write_ends(communicator const& comm, std::vector<trace_end> const& ends) const {
        std::string text;
        if (comm.rank() == 0) text = "x0,y0,z0,xN,yN,zN,steps_done,still_inside,path_length\n";
        for (trace_end const& end : ends)
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n", end.seed[0], end.seed[1],
                end.seed[2], end.place[0], end.place[1], end.place[2], end.steps, end.inside, end.path);
        write_text(comm, ends_, text);
    }

    void write_image(communicator const& comm, line_set const& lines, flow_domain const& domain) const {
        constexpr std::int64_t most_points = 4'000'000;
        line_set const all = gather_lines(comm, lines, most_points);
        write_picture(comm, image_, [&] {
            return draw_lines(in_world(cut_at_seams(all, domain), domain.place), in_world(domain), labels(),
                theme_named(theme_));
        });
    }

    [[nodiscard]] line_labels labels() const {
        line_labels words;
        words.title = field_.title();
        for (std::size_t d = 0; d < 3; ++d) words.axes[d] = field_.axis_label(d);
        if (!field_.units().empty()) words.speed += " (" + field_.units() + ")";
        bool const is_map = field_.is_map();
        if (coastlines_.empty() && is_map && std::filesystem::exists(installed_coastlines))
            words.coastlines = installed_coastlines;
        if (!coastlines_.empty() && coastlines_ != "none") {
            if (!is_map)
                throw usage_error("--coastlines: x and y of " + field_.name() +
                                  " are not said to be longitude and latitude");
            words.coastlines = coastlines_;
        }
        return words;
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const& report) const override {
        return short_name_of(report["input"]["field"].get<std::string>());
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const& input = report["input"];
        auto const number = [&](char const* name) { return result[name].get<std::int64_t>(); };
        auto const share = [&](char const* name) {
            double const of = number("seeds") == 0
                                  ? 0
                                  : static_cast<double>(number(name)) / static_cast<double>(number("seeds"));
            return fmt::format("{:>10}  {:5.1f} %  {}", grouped(number(name)), 100 * of, last_bar(of, 38));
        };
        auto const& place = result["mean_final"];
        double const seconds = report["seconds"]["compute"].get<double>();
        return table_row("points", counts_along_axes(input["points"]) +
                                       (input["steps"] == 1 ? ""
                                                            : fmt::format(", {} steps in time",
                                                                  input["steps"].get<std::int64_t>()))) +
               (input.contains("units") ? table_row("units", input["units"].get<std::string>())
                                        : std::string()) +
               table_row("blocks", fmt::format("{}, {}", report["options"]["blocks"].get<std::int64_t>(),
                                       report["options"]["engine"].get<std::string>())) +
               table_row("seeds", fmt::format("{:>10}", grouped(number("seeds")))) +
               table_row("inside", share("inside")) + table_row("left", share("left")) +
               table_row("steps", fmt::format("{:>10}  {:.3g} million a second", grouped(number("steps")),
                                      static_cast<double>(number("steps")) / 1e6 / seconds)) +
               table_row("mean final", fmt::format("{:.6g}, {:.6g}, {:.6g}", place[0].get<double>(),
                                           place[1].get<double>(), place[2].get<double>())) +
               table_row("mean path", fmt::format("{:.6g}", result["mean_path"].get<double>()));
    }

    traced_field field_;
    std::string seeds_;
    std::string method_ = "rk4";
    std::string engine_ = "iexchange";
    std::string assignment_ = "contiguous";
    path_options path_;
    std::string ends_;
    std::string out_;
    std::string image_;
    std::string coastlines_;
    std::string theme_ = "light";
};

} // namespace

std::unique_ptr<command> make_trace(CLI::App& app) {
    return std::make_unique<trace_command>(app);
}

} // namespace weft::tool
