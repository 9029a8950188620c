#include "field_input.hpp"
#include "mesh_field.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "picture_options.hpp"
#include "report/reporting_command.hpp"
#include "surface_picture.hpp"
#include "volume_options.hpp"

#include <contouring/boundary.hpp>
#include <grids/grid_source.hpp>
#include <rendering/draw_rendered.hpp>

#include <weft/core/error.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

namespace weft::tool {

namespace {

/// Of a picture: what is seen and how much shines through. Pixels without a value count for none.
struct picture_means {
    std::optional<double> mean;
    std::optional<double> max;
    double mean_alpha = 0;
};

picture_means means_of(std::vector<rgba> const& pixels) {
    picture_means found;
    double sum = 0;
    std::int64_t seen = 0;
    for (rgba const& each : pixels) {
        found.mean_alpha += static_cast<double>(each.opacity);
        if (std::isnan(each.red)) continue;
        auto const value = static_cast<double>(each.red);
        sum += value;
        found.max = std::max(found.max.value_or(value), value);
        ++seen;
    }
    if (seen > 0) found.mean = sum / static_cast<double>(seen);
    found.mean_alpha /= static_cast<double>(std::max<std::size_t>(pixels.size(), 1));
    return found;
}

nlohmann::ordered_json value_or_null(std::optional<double> const& value) {
    return value && std::isfinite(*value) ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

class render_command final : public reporting_command {
public:
    explicit render_command(CLI::App& app)
        : reporting_command(
              app, "render", "Draw a volume by ray casting, or the outside of a mesh, coloured by a field") {
        add_mesh_or_volume(*parser_, file_);
        names_picture(parser_->add_option("--image", image_, "Write the picture as PNG"));
        names_output(parser_->add_option("--out", out_,
            "Write the pixels as raw float32, row by row from the top: red, green, blue (multiplied by the "
            "opacity) and opacity; with --projection mip the largest value on each ray, NaN outside the "
            "volume"));
        add_view_options();
        add_preset(*parser_, "--blocks", options_.blocks,
            "Number of slabs into which the volume is divided; it affects the last bits of the result, while "
            "the number of ranks does not",
            between(1, 1048576));
        add_preset(*parser_, "--composite", composite_,
            "Reduction by which the pictures of slabs are combined: swap (each rank gets a part of the "
            "picture) or merge (one rank gets the whole picture)",
            CLI::IsMember({"merge", "swap"}));
        add_preset(*parser_, "--k", options_.k, "Number of slabs that each round of compositing combines",
            between(2, 1024));
        reading_.add_to(*parser_);
        mesh_.add_to(*parser_);
        common_.add_watched_to(*parser_);
        parser_->footer(
            "Examples:\n"
            "  weft -n 4 render brain.nii.gz --transfer tissue --shade --image brain.png\n"
            "  weft -n 4 render part.vtk --field temperature --view 40,25 --image part.png\n"
            "  weft -n 2 render engine.raw --dims 256,256,128 --type uint8 --view z --image engine.png\n"
            "  weft -n 2 render clouds.nc --variable CLD --projection mip --out clouds.f32\n\n"
            "For a mesh there are --image, --field, --view, --range, --size, --theme, --missing and "
            "--solution; "
            "the others are for volumes.");
        parser_->callback([this] {
            if (parser_->count("--range") > 0 && !(range_[1] > range_[0]))
                throw CLI::ValidationError("--range", "expected LO,HI with HI above LO");
        });
    }

private:
    void compute(session const& now) override {
        communicator const& comm = now.comm;
        now.progress.phase("reading and drawing");
        transfer_function const transfer(transfer_, opacity_);
        opened_volume const volume(
            comm, file_,
            [&](std::filesystem::path const& path) -> std::unique_ptr<grid_source> {
                if (mesh_.names_mesh(path)) return nullptr;
                return open(path);
            },
            ending_of_field);
        if (volume.is_mesh()) {
            volume.naming_it([&] { draw_mesh(now, volume.path()); });
            return;
        }
        if (!size_.empty()) {
            options_.view.width = size_[0];
            options_.view.height = size_[1];
        }
        options_.cast.how = projection_ == "mip" ? projection::maximum : projection::light;
        options_.view.perspective = projection_ == "perspective";
        options_.by_merge = composite_ == "merge";
        if (!range_.empty()) options_.range = {range_[0], range_[1]};
        grid_shape const shape = volume.source().shape();
        look_at_layer(shape);
        rendered const found = volume.naming_it([&] {
            return render(comm, volume.source(), transfer, options_,
                [&](std::string_view phase) { now.watch.lap(phase); });
        });

        now.progress.phase("writing");
        if (!out_.empty()) write_text(comm, out_, comm.rank() == 0 ? raw(found.pixels) : std::string());
        if (!image_.empty())
            write_picture(comm, image_, [&] {
                render_labels const labels{short_name_of(file_), reading_.label_of_values(shape)};
                return draw_rendered(found, transfer, options_.cast.how, labels, theme_named(theme_));
            });
        now.watch.lap("write");
        describe_run(now.report, shape, found);
    }

    void draw_mesh(session const& now, std::filesystem::path const& path) {
        communicator const& comm = now.comm;
        refuse_options(*parser_, path,
            {"--out", "--projection", "--zoom", "--sampling", "--transfer", "--opacity", "--shade",
                "--blocks", "--composite", "--k", "--dims", "--type", "--byte-order", "--header-bytes",
                "--step", "--channel"},
            "volumes, and this is a mesh");
        mesh_input const mesh = mesh_.read(comm, path, reading_.variable(), reading_.missing(), true);
        now.watch.lap("read");
        tell_mesh_without_cells(comm, file_, mesh);
        surface const outside = contouring::boundary_of(comm, mesh.of, mesh.field, mesh.field_of_cells);
        now.watch.lap("find");
        std::string const view = angles_of(options_.view.from);
        surface_picture const picture({image_, view, size_, theme_, range_});
        picture.check(outside);
        if (!image_.empty())
            picture.write(comm, outside, {0},
                short_name_of(file_) + (mesh.field.name.empty() ? "" : ": " + mesh.field.name),
                mesh.field.name);
        now.watch.lap("draw");
        describe_mesh(now.report["input"], file_, mesh);
        auto& chosen = now.report["options"];
        chosen["view"] = view;
        if (!range_.empty()) chosen["range"] = range_;
        auto& result = now.report["result"];
        result["width"] = size_.empty() ? 800 : size_[0];
        result["height"] = size_.empty() ? 600 : size_[1];
        result["points"] = outside.points.total();
        result["triangles"] = outside.triangles.total();
    }

    /// The angles of a view along an axis, for a mesh; others are left as they are. A mesh is seen obliquely
    /// by default.
    [[nodiscard]] std::string angles_of(std::string const& from) const {
        if (parser_->count("--view") == 0) return "30,20";
        constexpr std::array<std::array<std::string_view, 2>, 6> along{
            {{"x", "-90,0"}, {"y", "0,0"}, {"z", "0,-90"}, {"-x", "90,0"}, {"-y", "180,0"}, {"-z", "0,90"}}};
        for (auto const& [axis, angles] : along)
            if (from == axis) return std::string(angles);
        return from;
    }

    /// A volume of one layer is seen along its short axis, unless the user looks elsewhere: a map. Throws:
    /// `usage_error` for angles, from which nothing of it is seen.
    void look_at_layer(grid_shape const& shape) {
        std::string& from = options_.view.from;
        for (std::size_t d = 0; d < 3; ++d) {
            if (shape.points[d] != 1) continue;
            if (parser_->count("--view") == 0) {
                from = "xyz"[d];
                return;
            }
            if (std::string_view("xyz").find(from.back()) == std::string_view::npos)
                throw usage_error(
                    fmt::format("{}: is one layer thick along {}, of which nothing is seen from angles; "
                                "leave out --view, or draw it by weft slice",
                        file_, "xyz"[d]));
        }
    }

    void add_view_options() {
        parser_
            ->add_option("--view", options_.view.from,
                "The direction of view. x, y or z: along that axis, with a pixel per column of voxels and "
                "the first slice in front; -x, -y or -z: against that axis, with the last slice in front; or "
                "AZIMUTH,ELEVATION in degrees")
            ->capture_default_str();
        add_preset(*parser_, "--projection", projection_,
            "The projection: orthographic, perspective, or mip, which shows the greatest value along each "
            "ray",
            CLI::IsMember({"orthographic", "perspective", "mip"}));
        parser_->add_option("--size", size_, "Pixels of the picture, as WIDTH,HEIGHT")
            ->delimiter(',')
            ->expected(2)
            ->check(between(1, 32768));
        add_preset(*parser_, "--zoom", options_.view.zoom, "Enlargement of the picture, if --view has angles",
            between(0.01, 1000.0));
        add_preset(*parser_, "--sampling", options_.view.samples_a_voxel,
            "Number of samples per voxel along a ray, if --view has angles", between(0.1, 64.0));
        add_preset(*parser_, "--transfer", transfer_, "Scale that gives each value a colour and an opacity",
            CLI::IsMember({"grey", "tissue", "heat"}));
        add_preset(
            *parser_, "--opacity", opacity_, "Opacity of a voxel with the largest value", between(0.0, 1.0));
        parser_
            ->add_option("--range", range_,
                "Values at the two ends of the colour scale, as LO,HI (default: the smallest and the largest "
                "value)")
            ->delimiter(',')
            ->expected(2);
        parser_->add_flag("--shade", options_.cast.shaded,
            "Shade the picture by the gradient of the values, with light from the viewer");
        add_theme(*parser_, theme_);
    }

    [[nodiscard]] std::unique_ptr<grid_source> open(std::filesystem::path const& file) const {
        auto source = open_grid(file, reading_.chosen());
        if (source->shape().components != 1)
            throw usage_error(file.string() + ": has " + std::to_string(source->shape().components) +
                              " values a voxel; name an array of single values with --variable");
        return reading_.marked(std::move(source));
    }

    [[nodiscard]] std::string raw(std::vector<rgba> const& pixels) const {
        std::string bytes;
        bool const alone = options_.cast.how == projection::maximum;
        for (rgba const& each : pixels) {
            float const values[] = {each.red, each.green, each.blue, each.opacity};
            bytes.append(reinterpret_cast<char const*>(values), alone ? sizeof(float) : sizeof values);
        }
        return bytes;
    }

    void describe_run(nlohmann::ordered_json& report, grid_shape const& shape, rendered const& found) const {
        report["input"]["file"] = file_;
        describe_shape(report["input"], shape);
        auto& chosen = report["options"];
        chosen["view"] = options_.view.from;
        chosen["projection"] = projection_;
        chosen["transfer"] = transfer_;
        chosen["opacity"] = opacity_;
        chosen["range"] = {found.range.first, found.range.second};
        chosen["blocks"] = options_.blocks;
        chosen["composite"] = composite_;
        chosen["k"] = options_.k;
        picture_means const means = means_of(found.pixels);
        auto& result = report["result"];
        result["width"] = found.width;
        result["height"] = found.height;
        result["mean"] = value_or_null(means.mean);
        result["max"] = value_or_null(means.max);
        result["mean_alpha"] = means.mean_alpha;
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        std::string const pixels =
            table_row("pixels", fmt::format("{} x {}", result["width"].get<std::int64_t>(),
                                    result["height"].get<std::int64_t>()));
        if (result.contains("triangles")) {
            auto const& input = report["input"];
            std::string table = input_row(input);
            if (input.contains("field"))
                table += table_row("field", fmt::format("{} at {}", input["field"].get<std::string>(),
                                                input["values_at"].get<std::string>()));
            return table +
                   table_row("outside", fmt::format("{} triangles between {} points",
                                            grouped(result["triangles"].get<std::int64_t>()),
                                            grouped(result["points"].get<std::int64_t>()))) +
                   pixels;
        }
        auto const number = [&](char const* name) {
            return result[name].is_null() ? "none" : fmt::format("{:.6g}", result[name].get<double>());
        };
        return table_row("voxels", counts_along_axes(report["input"]["dims"])) + pixels +
               table_row("mean", number("mean")) + table_row("max", number("max")) +
               table_row("mean opacity", number("mean_alpha"));
    }

    render_options options_;
    volume_options reading_;
    mesh_options mesh_;
    std::string file_;
    std::string image_;
    std::string out_;
    std::string projection_ = "orthographic";
    std::string transfer_ = "grey";
    std::string composite_ = "swap";
    std::string theme_ = "dark";
    double opacity_ = 0.05;
    std::vector<double> range_;
    std::vector<std::int64_t> size_;
};

} // namespace

std::unique_ptr<command> make_render(CLI::App& app) {
    return std::make_unique<render_command>(app);
}

} // namespace weft::tool
