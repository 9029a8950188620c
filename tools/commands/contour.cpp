#include "choice_check.hpp"
#include "command.hpp"
#include "input_file.hpp"
#include "number_check.hpp"
#include "output_option.hpp"
#include "raw_options.hpp"
#include "report.hpp"

#include <grids/cell_rows.hpp>
#include <grids/grid_content.hpp>
#include <grids/grid_source.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/contouring/write_surface.hpp>
#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace weft::tool {

namespace {

/// The surfaces of a grid. Each rank reads its rows of cells, and no rank more.
contour_result contour_of_grid(
    communicator const& comm, grid_source& source, grid_lines const& lines, contour_options const& options) {
    grid_shape const& shape = source.shape();
    std::vector<box<std::int64_t>> const boxes = boxes_of_cell_rows(shape, comm.rank(), comm.size());
    std::vector<std::vector<std::byte>> bytes;
    agreed(comm, [&] {
        for (box<std::int64_t> const& each : boxes)
            source.read(each, bytes.emplace_back(bytes_of(shape, each)));
    });
    options.lap("read");
    return visit_values(shape.type, {}, [&]<class T>(std::span<T const>) {
        std::vector<grid_values<T>> mine;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            mine.push_back(
                {boxes[i], {reinterpret_cast<T const*>(bytes[i].data()), bytes[i].size() / sizeof(T)}});
        return contour(comm, lines, std::span<grid_values<T> const>(mine), options);
    });
}

class contour_command final : public command {
public:
    explicit contour_command(CLI::App& app) {
        parser_ = app.add_subcommand(
            "contour", "Surfaces on which a volume has a value: marching cubes on balanced cells");
        parser_
            ->add_option("VOLUME", file_,
                "Whatever `weft label` reads: NIfTI, NRRD, VTK, NetCDF, NumPy, raw, images; - for standard "
                "input")
            ->required();
        parser_
            ->add_option("--iso", options_.values,
                "The value of a surface; inside is what is at least as large; several at once: V,V or "
                "--iso V --iso V")
            ->required()
            ->delimiter(',')
            ->take_all()
            ->allow_extra_args(false)
            ->check(finite());
        names_surface(parser_->add_option("--out", out_,
                          "Write the surface: FILE.vtp for VTK, FILE.pvtp for a piece a rank, FILE.stl or "
                          "FILE.ply; may be "
                          "given twice"))
            ->take_all()
            ->allow_extra_args(false);
        parser_
            ->add_option("--balance", options_.balance,
                "Deal the cells that a surface crosses to all ranks: auto (where a rank has more than 1.1 "
                "times "
                "its share), always or never")
            ->transform(one_of(std::map<std::string, cell_balance>{{"auto", cell_balance::automatic},
                {"always", cell_balance::always}, {"never", cell_balance::never}}))
            ->default_str("auto");
        raw_.add_to(*parser_);
        parser_->add_option(
            "--variable,--field", input_.variable, "Which variable of a NetCDF file, or array of VTK's");
        parser_
            ->add_option(
                "--step", input_.step, "Which time step of a file that has time beside x, y and z, from 0")
            ->check(at_least(0));
        parser_->add_option(
            "--channel", input_.channel, "Of images: red, green, blue, alpha, or its number from 0");
        parser_
            ->add_option("--missing", missing_, "The value that stands for none, where the file does not say")
            ->check(finite());
        common_.add_watched_to(*parser_);
        parser_->footer(
            "Surfaces are closed but for the ends of the volume and values that are missing; no "
            "result depends on the number of ranks.\n"
            "Examples:\n"
            "  weft -n 4 contour brain.nii.gz --iso 89.5 --out brain.vtp\n"
            "  weft -n 2 contour engine.raw --dims 256,256,128 --type uint8 --iso 64.5,128.5 --out "
            "engine.ply\n"
            "  weft contour clouds.nc --variable CLD --iso 0.5 --json -");
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        counters const before = counters_of(comm);
        auto report = make_report("contour", comm);
        progress_line progress(common_.progress, comm);
        stopwatch watch(comm);

        progress.phase("reading");
        input_file const in(comm, file_, ending_of_grid);
        std::unique_ptr<grid_source> source;
        in.naming_it([&] { agreed(comm, [&] { source = open(in.path()); }); });
        grid_shape const shape = source->shape();
        grid_lines const lines{shape.points, shape.axes, missing_ ? missing_ : shape.missing};
        options_.lap = [&](std::string_view phase) {
            watch.lap(phase);
            if (phase == "read") progress.phase("finding the surface");
        };
        contour_result const found =
            in.naming_it([&] { return contour_of_grid(comm, *source, lines, options_); });

        progress.phase("writing");
        for (std::string const& each : out_) write_surface(comm, found.made, options_.values, each);
        watch.lap("write");
        describe(report, shape, found);
        report["seconds"] = watch.seconds();
        report["traffic"] = traffic_since(comm, before);
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table()) print(table_of(report));
    }

private:
    [[nodiscard]] std::unique_ptr<grid_source> open(std::filesystem::path const& file) {
        raw_.apply_to(input_);
        auto source = open_grid(file, input_);
        grid_shape const& shape = source->shape();
        if (shape.components != 1)
            throw usage_error(file.string() + ": has " + std::to_string(shape.components) +
                              " values a voxel; name an array of single values with --variable");
        if (!shape.bent.empty())
            throw usage_error(file.string() + ": " + shape.bent +
                              ", and only grids with straight axes can be "
                              "contoured");
        return source;
    }

    [[nodiscard]] static nlohmann::ordered_json as_json(contour_counts const& of) {
        return {{"points", of.points}, {"triangles", of.triangles}, {"area", of.area},
            {"components", of.components}, {"active_cells", of.active_cells}};
    }

    void describe(
        nlohmann::ordered_json& report, grid_shape const& shape, contour_result const& found) const {
        auto& input = report["input"];
        input["file"] = file_;
        input["dims"] = shape.points;
        input["type"] = name_of(shape.type);
        if (!shape.units.empty()) input["units"] = shape.units;
        auto& chosen = report["options"];
        chosen["iso"] = options_.values;
        chosen["balance"] = options_.balance == cell_balance::automatic ? "auto"
                            : options_.balance == cell_balance::always  ? "always"
                                                                        : "never";
        if (!input_.variable.empty()) chosen["variable"] = input_.variable;
        if (!out_.empty()) chosen["out"] = out_;
        contour_counts all;
        nlohmann::ordered_json by_value = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < found.of_values.size(); ++i) {
            contour_counts const& each = found.of_values[i];
            all.points += each.points;
            all.triangles += each.triangles;
            all.area += each.area;
            all.components += each.components;
            all.active_cells += each.active_cells;
            nlohmann::ordered_json one = {{"value", options_.values[i]}};
            one.update(as_json(each));
            by_value.push_back(std::move(one));
        }
        auto& result = report["result"] = as_json(all);
        result["imbalance_before"] = found.imbalance_before;
        result["imbalance_after"] = found.imbalance_after;
        result["by_value"] = std::move(by_value);
    }

    [[nodiscard]] static std::string table_of(nlohmann::ordered_json const& report) {
        auto const& result = report["result"];
        auto const& dims = report["input"]["dims"];
        std::string table = table_head(report, report["input"]["file"].get<std::string>()) +
                            table_row("voxels", fmt::format("{} x {} x {} {}", dims[0].get<std::int64_t>(),
                                                    dims[1].get<std::int64_t>(), dims[2].get<std::int64_t>(),
                                                    report["input"]["type"].get<std::string>()));
        auto const rows_of = [&](nlohmann::ordered_json const& of) {
            for (char const* const name : {"active_cells", "points", "triangles", "components"})
                table += table_row(std::string_view(name) == "active_cells" ? "active cells" : name,
                    grouped(of[name].get<std::int64_t>()));
            table += table_row("area", fmt::format("{:.9g}", of["area"].get<double>()));
        };
        if (result["by_value"].size() == 1) rows_of(result);
        if (result["by_value"].size() > 1)
            for (auto const& each : result["by_value"]) {
                table += table_row("value", fmt::format("{:.9g}", each["value"].get<double>()));
                rows_of(each);
            }
        table += table_row(
            "imbalance", fmt::format("{:.3f}, {:.3f} when balanced", result["imbalance_before"].get<double>(),
                             result["imbalance_after"].get<double>()));
        return table + table_foot(report);
    }

    common_options common_;
    contour_options options_;
    grid_file_options input_;
    std::optional<double> missing_;
    std::string file_;
    std::vector<std::string> out_;
    raw_options raw_;
};

} // namespace

std::unique_ptr<command> make_contour(CLI::App& app) {
    return std::make_unique<contour_command>(app);
}

} // namespace weft::tool
