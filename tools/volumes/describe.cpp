#include "commands/graph_input.hpp"
#include "field_input.hpp"
#include "file_kind.hpp"
#include "mesh_field.hpp"
#include "options/bound_option.hpp"
#include "report/reporting_command.hpp"
#include "value_ranges.hpp"
#include "volume_options.hpp"

#include <grids/grid_formats.hpp>
#include <meshes/mesh_formats.hpp>
#include <meshes/read_mesh.hpp>

#include <weft/core/error.hpp>
#include <weft/graph/vertex_set.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>
#include <weft/snapshots/snapshot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace weft::tool {

namespace {

using json = nlohmann::ordered_json;

/// Ranges as JSON: of one component its members, of several a list of such.
json ranges_as_json(std::vector<value_range> const& ranges) {
    json all = json::array();
    for (value_range const& each : ranges) {
        json one;
        one["min"] = each.finite > 0 ? json_of(each.least) : nullptr;
        one["max"] = each.finite > 0 ? json_of(each.greatest) : nullptr;
        one["values"] = each.finite;
        if (each.missing > 0) one["missing"] = each.missing;
        if (each.infinite > 0) one["infinite"] = each.infinite;
        all.push_back(std::move(one));
    }
    return all;
}

/// The least and the greatest coordinates of points: a list for each axis.
json extent_of(communicator const& comm, std::span<double const> coordinates) {
    json extent = json::array();
    for (value_range const& each : ranges_of(comm, coordinates, 3))
        extent.push_back(each.finite > 0 ? json{each.least.nearest(), each.greatest.nearest()} : json());
    return extent;
}

/// Axes of a volume: their ends and their step, or that it differs.
json axes_as_json(grid_shape const& shape) {
    json axes = json::object();
    for (std::size_t d = 0; d < 3; ++d) {
        std::vector<double> const& along =
            shape.values_at == value_place::cells ? shape.cell_ends[d] : shape.axes[d];
        if (along.empty()) continue;
        json& one = axes[std::string(1, "xyz"[d])];
        if (!shape.axis_names[d].empty()) one["name"] = shape.axis_names[d];
        if (!shape.axis_units[d].empty()) one["units"] = shape.axis_units[d];
        one["from"] = along.front();
        one["to"] = along.back();
        if (along.size() < 2) continue;
        auto const even = even_axis_of(along);
        one["step"] = even ? json(even->spacing) : json();
    }
    return axes;
}

/// The box that a turned volume fills in the world: a list for each axis.
json world_as_json(grid_shape const& shape) {
    json world = json::object();
    bool const in_cells = shape.values_at == value_place::cells;
    auto const corner = [&](std::size_t axis, bool far) {
        std::vector<double> const& along = in_cells ? shape.cell_ends[axis] : shape.axes[axis];
        return along.empty() ? 0.0 : far ? along.back() : along.front();
    };
    for (std::size_t d = 0; d < 3; ++d) {
        double least = shape.place.origin[d];
        double greatest = least;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto const [from, to] = std::minmax({shape.place.matrix[d][axis] * corner(axis, false),
                shape.place.matrix[d][axis] * corner(axis, true)});
            least += from;
            greatest += to;
        }
        world[std::string(1, "xyz"[d])] = {least, greatest};
    }
    return world;
}

std::string range_as_text(json const& ranges) {
    std::string text;
    for (json const& each : ranges) {
        if (!text.empty()) text += ", ";
        if (each["min"].is_null())
            text += "no finite value";
        else if (each["min"].is_number_float())
            text += fmt::format("{:.6g} to {:.6g}", each["min"].get<double>(), each["max"].get<double>());
        else
            text += fmt::format("{} to {}", each["min"].dump(), each["max"].dump());
        for (char const* const name : {"missing", "infinite"})
            if (each.contains(name))
                text += fmt::format("; {} {}", grouped(each[name].get<std::int64_t>()), name);
    }
    return text;
}

class describe_command final : public reporting_command {
public:
    explicit describe_command(CLI::App& app)
        : reporting_command(
              app, "describe", "Contents of a file: format, size, fields, units and ranges of values") {
        graph_.add_to(*parser_, "FILE");
        parser_->get_option("FILE")->description(
            "A graph, a volume, a mesh or a snapshot of particles, in any format that a command reads; or a "
            "generated graph, such as rmat:16 or grid:100x100");
        parser_
            ->add_option("--as", as_,
                "The kind of data in the file: graph, volume, mesh or particles (default: determined by the "
                "name and content of the file)")
            ->check(CLI::IsMember({"graph", "volume", "mesh", "particles"}));
        parser_->add_option("--solution", solution_,
            "The solution (Q file) of a PLOT3D grid: the fields of the solution are described too");
        volume_.add_to(*parser_);
        parser_->add_flag(
            "--heads", heads_, "Do not read the values of volumes; the report then has no ranges of values");
        common_.add_to(*parser_);
    }

private:
    void compute(session const& now) override {
        std::string const& file = graph_.graph;
        if (file == "-")
            throw usage_error(
                "describe: reads a file twice, so standard input cannot be described; name a file");
        file_kind const kind = chosen_kind(now.comm);
        now.report["input"]["file"] = file;
        json& result = now.report["result"];
        result["kind"] = name_of(kind);
        refuse_options_of_others(kind, file);
        now.progress.phase("reading");
        switch (kind) {
        case file_kind::graph:
            describe_graph(now, result);
            break;
        case file_kind::volume:
            describe_volume(now.comm, file, result);
            break;
        case file_kind::mesh:
            describe_mesh(now.comm, file, result);
            break;
        case file_kind::particles:
            describe_particles(now.comm, file, result);
            break;
        }
        now.watch.lap("compute");
    }

    [[nodiscard]] file_kind chosen_kind(communicator const& comm) const {
        for (file_kind const each :
            {file_kind::graph, file_kind::volume, file_kind::mesh, file_kind::particles})
            if (as_ == name_of(each)) return each;
        return kind_of_file(comm, graph_.graph);
    }

    /// An option that does not change what is said of this kind of data is a mistake.
    void refuse_options_of_others(file_kind kind, std::string const& file) const {
        std::string const but = std::string(", and this file is of the kind ") + name_of(kind);
        if (kind != file_kind::volume)
            refuse_options(*parser_, file,
                {"--dims", "--type", "--byte-order", "--header-bytes", "--step", "--channel"},
                "volumes" + but);
        if (kind == file_kind::graph || kind == file_kind::particles)
            refuse_options(*parser_, file, {"--field", "--missing"}, "volumes and meshes" + but);
    }

    void describe_graph(session const& now, json& result) {
        edge_list edges = load_edges(now, graph_, edge_values::weights, common_);
        now.report["input"].erase("graph");
        result["format"] = edges.format;
        result["directed"] = edges.directed;
        result["weighted"] = edges.weighted;
        std::int64_t loops = 0;
        for (edge const& each : edges.edges) loops += each.source == each.target ? 1 : 0; // of text, by index
        result["edges"] = sum(now.comm, static_cast<std::int64_t>(edges.edges.size()));
        result["loops"] = sum(now.comm, loops);
        if (edges.bipartite || edges.format.starts_with("MatrixMarket"))
            result["matrix"] = {edges.rows, edges.columns};
        if (edges.weighted) result["weights"] = ranges_as_json(ranges_of(now.comm, edges.weights, 1));
        vertex_set const vertices(now.comm, edges);
        result["vertices"] = vertices.owners().total();
        constexpr char const* namings[] = {"by the format", "integers", "text"};
        result["labels"] = namings[static_cast<std::size_t>(vertices.naming())];
    }

    void describe_volume(communicator const& comm, std::string const& file, json& result) {
        grid_format const* const format = grid_format_of(file);
        result["format"] = format ? std::string(format->name) : "stack of images";
        grid_file_options options;
        std::vector<std::string> names;
        agreed(comm, [&] {
            options = volume_.chosen();
            if (options.variable.empty() && format && format->fields) names = format->fields(file);
        });
        if (names.empty()) names.push_back(options.variable);
        json& fields = result["fields"] = json::array();
        for (std::string const& name : names) {
            grid_file_options one = options;
            one.variable = name;
            json field;
            if (!name.empty()) field["name"] = name;
            try {
                describe_field(comm, file, one, format && format->heeds.step, field);
            } catch (usage_error const& caught) { // agreed, so that all go on alike
                if (names.size() == 1) throw;
                field["not_read"] = caught.what();
            }
            fields.push_back(std::move(field));
        }
    }

    /// Opens a field; where it has time beside x, y and z and no step is given, its first step.
    [[nodiscard]] static std::unique_ptr<grid_source> open_field(
        std::string const& file, grid_file_options& options, bool has_steps) {
        try {
            return open_grid(file, options);
        } catch (usage_error const&) {
            if (!has_steps || options.step >= 0) throw;
            options.step = 0;
            try {
                return open_grid(file, options);
            } catch (usage_error const&) { options.step = -1; }
            return open_grid(file, options); // its own complaint is the one to read
        }
    }

    void describe_field(communicator const& comm, std::string const& file, grid_file_options options,
        bool has_steps, json& field) const {
        std::unique_ptr<grid_source> source;
        std::optional<double> last_time;
        agreed(comm, [&] {
            source = open_field(file, options, has_steps);
            if (source->shape().steps > 1 && source->shape().time) {
                grid_file_options last = options;
                last.step = source->shape().steps - 1;
                last_time = open_grid(file, last)->shape().time;
            }
        });
        grid_shape const& shape = source->shape();
        field["dims"] = shape.points;
        field["type"] = name_of(shape.type);
        if (shape.components > 1) field["components"] = shape.components;
        field["values_at"] = shape.values_at == value_place::cells ? "cells" : "points";
        if (!shape.units.empty()) field["units"] = shape.units;
        if (!shape.space.empty()) field["space"] = shape.space;
        if (!shape.bent.empty()) field["curvilinear"] = shape.bent;
        if (shape.missing) field["missing_value"] = *shape.missing;
        if (shape.steps > 0) {
            field["steps"] = shape.steps;
            field["step"] = options.step;
            if (shape.time) field["time"] = {*shape.time, last_time.value_or(*shape.time)};
        }
        if (shape.z_is_time) field["z_is_time"] = true;
        field["axes"] = axes_as_json(shape);
        if (shape.place.moves()) field["world"] = world_as_json(shape);
        if (!heads_) field["ranges"] = ranges_as_json(ranges_of(comm, *source));
    }

    void describe_mesh(communicator const& comm, std::string const& file, json& result) const {
        mesh_format const* const format = mesh_format_of(file);
        if (format && format->with_solution && solution_.empty())
            throw usage_error(file + ": by its ending a grid of " + std::string(format->name) +
                              "; name its solution with --solution");
        mesh_input found = read_mesh(comm, file, {.all = true, .solution = solution_});
        result["format"] = format ? std::string(format->name) : "mesh";
        result["points"] = found.of.points.total();
        result["cells"] = found.of.cells.total();
        std::array<std::int64_t, 4> kinds{};
        for (cell_kind const each : found.of.kinds) ++kinds[static_cast<std::size_t>(each)];
        json& by_kind = result["kinds"] = json::object();
        constexpr char const* names[] = {"tetrahedra", "pyramids", "prisms", "hexahedra"};
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (std::int64_t const all = sum(comm, kinds[i]); all > 0) by_kind[names[i]] = all;
        if (found.left_out > 0) result["flat_cells"] = found.left_out;
        if (found.straightened > 0) result["straightened_cells"] = found.straightened;
        auto const& places = found.of.places;
        result["extent"] =
            extent_of(comm, {places.empty() ? nullptr : places.front().data(), 3 * places.size()});
        json& fields = result["fields"] = json::array();
        std::string const wanted = volume_.chosen().variable; // empty: all
        auto const add = [&](named_values& each, char const* at) {
            if (!wanted.empty() && each.name != wanted) return;
            json field{{"name", each.name}, {"values_at", at}};
            if (each.components > 1) field["components"] = each.components;
            if (auto const& mark = volume_.missing()) {
                field["missing_value"] = *mark;
                std::ranges::replace(each.values, *mark, std::nan(""));
            }
            field["ranges"] = ranges_as_json(ranges_of(comm, each.values, each.components));
            fields.push_back(std::move(field));
        };
        for (named_values& each : found.of.of_points) add(each, "points");
        for (named_values& each : found.of.of_cells) add(each, "cells");
        if (!wanted.empty() && fields.empty()) throw usage_error(file + ": has no field '" + wanted + "'");
    }

    static void describe_particles(communicator const& comm, std::string const& file, json& result) {
        snapshot const found = read_particles(comm, file);
        result["format"] = found.format;
        result["particles"] = sum(comm, static_cast<std::int64_t>(found.particles.size()));
        result["time"] = found.time;
        if (found.checkpoint) result["step"] = found.checkpoint->step;
        std::vector<double> positions, velocities, masses;
        for (particle const& each : found.particles) {
            positions.insert(positions.end(), each.position.begin(), each.position.end());
            velocities.insert(velocities.end(), each.velocity.begin(), each.velocity.end());
            masses.push_back(each.mass);
        }
        result["extent"] = extent_of(comm, positions);
        json& fields = result["fields"] = json::array();
        fields.push_back({{"name", "velocity"}, {"components", 3},
            {"ranges", ranges_as_json(ranges_of(comm, velocities, 3))}});
        fields.push_back({{"name", "mass"}, {"ranges", ranges_as_json(ranges_of(comm, masses, 1))}});
    }

    [[nodiscard]] std::string describe(json const& report) const override {
        json const& result = report["result"];
        std::string table = table_row("kind", result["kind"].get<std::string>()) +
                            table_row("format", result["format"].get<std::string>());
        auto const count = [&](char const* name) {
            if (result.contains(name)) table += table_row(name, grouped(result[name].get<std::int64_t>()));
        };
        auto const yes_or_no = [&](char const* name) {
            if (result.contains(name)) table += table_row(name, result[name].get<bool>() ? "yes" : "no");
        };
        for (char const* const name : {"vertices", "edges", "loops", "points", "cells", "particles"})
            count(name);
        yes_or_no("directed");
        yes_or_no("weighted");
        if (result.contains("labels")) table += table_row("labels", result["labels"].get<std::string>());
        if (result.contains("matrix"))
            table +=
                table_row("matrix", fmt::format("{} x {}", grouped(result["matrix"][0].get<std::int64_t>()),
                                        grouped(result["matrix"][1].get<std::int64_t>())));
        if (result.contains("weights")) table += table_row("weights", range_as_text(result["weights"]));
        if (result.contains("kinds"))
            for (auto const& [name, number] : result["kinds"].items())
                table += table_row(name, grouped(number.get<std::int64_t>()));
        count("flat_cells");
        count("straightened_cells");
        if (result.contains("time"))
            table += table_row("time", fmt::format("{:.9g}", result["time"].get<double>()));
        if (result.contains("extent"))
            for (std::size_t d = 0; d < 3; ++d)
                if (!result["extent"][d].is_null())
                    table += table_row(std::string(1, "xyz"[d]),
                        fmt::format("{:.6g} to {:.6g}", result["extent"][d][0].get<double>(),
                            result["extent"][d][1].get<double>()));
        if (result.contains("fields"))
            for (json const& field : result["fields"]) table += "\n" + rows_of_field(field);
        return table;
    }

    [[nodiscard]] static std::string rows_of_field(json const& field) {
        std::string rows = field.contains("name") ? table_row("field", field["name"].get<std::string>()) : "";
        if (field.contains("not_read"))
            return rows + table_row("not read", field["not_read"].get<std::string>());
        if (field.contains("dims")) {
            rows += table_row(
                "values", fmt::format("{} of {}, at {}", counts_along_axes(field["dims"]),
                              field["type"].get<std::string>(), field["values_at"].get<std::string>()));
        } else if (field.contains("values_at")) {
            rows += table_row("at", field["values_at"].get<std::string>());
        }
        if (field.contains("components"))
            rows += table_row("components", std::to_string(field["components"].get<int>()));
        for (char const* const name : {"units", "space", "curvilinear"})
            if (field.contains(name)) rows += table_row(name, field[name].get<std::string>());
        if (field.contains("steps")) {
            auto const steps = field["steps"].get<std::int64_t>();
            std::string text = grouped(steps);
            if (steps > 1 && field["step"] >= 0)
                text += fmt::format("; the other rows are of step {}", field["step"].get<std::int64_t>());
            rows += table_row("steps", text);
            if (field.contains("time")) {
                auto const [from, to] = field["time"].get<std::array<double, 2>>();
                rows += table_row("time",
                    from == to ? fmt::format("{:.9g}", from) : fmt::format("{:.9g} to {:.9g}", from, to));
            }
        }
        if (field.contains("missing_value"))
            rows += table_row("missing is", fmt::format("{:.9g}", field["missing_value"].get<double>()));
        if (field.contains("axes"))
            for (auto const& [name, axis] : field["axes"].items()) rows += axis_row(name, axis);
        if (field.contains("world"))
            for (auto const& [name, ends] : field["world"].items())
                rows += table_row("in world " + name,
                    fmt::format("{:.6g} to {:.6g}", ends[0].get<double>(), ends[1].get<double>()));
        if (field.contains("ranges")) rows += table_row("range", range_as_text(field["ranges"]));
        return rows;
    }

    [[nodiscard]] static std::string axis_row(std::string const& name, json const& axis) {
        std::string text =
            fmt::format("{:.6g} to {:.6g}", axis["from"].get<double>(), axis["to"].get<double>());
        if (axis.contains("step"))
            text += axis["step"].is_null() ? std::string(", uneven steps")
                                           : fmt::format(", step {:.6g}", axis["step"].get<double>());
        if (axis.contains("units")) text += " " + axis["units"].get<std::string>();
        if (axis.contains("name")) text += " (" + axis["name"].get<std::string>() + ")";
        return table_row(name, text);
    }

    graph_argument graph_;
    std::string as_;
    std::string solution_;
    volume_options volume_;
    bool heads_ = false;
};

} // namespace

std::unique_ptr<command> make_describe(CLI::App& app) {
    return std::make_unique<describe_command>(app);
}

} // namespace weft::tool
