#include "command.hpp"
#include "empty_answer.hpp"
#include "field_input.hpp"
#include "input_file.hpp"
#include "report.hpp"
#include "surface_picture.hpp"
#include "surface_report.hpp"

#include <weft/contouring/slice.hpp>
#include <weft/contouring/write_surface.hpp>
#include <weft/core/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace weft::tool {

namespace {

/// "z=2.5", or "A,B,C,D": where A x + B y + C z = D.
std::optional<plane> plane_in(std::string const& text) {
    std::array<double, 4> numbers{};
    std::size_t first = 0;
    char const* at = text.data();
    char const* const end = at + text.size();
    if (text.size() > 2 && text[1] == '=' && text[0] >= 'x' && text[0] <= 'z') {
        numbers[static_cast<std::size_t>(text[0] - 'x')] = 1;
        first = 3;
        at += 2;
    }
    for (std::size_t i = first; i < 4; ++i) {
        auto const [stop, failed] = std::from_chars(at, end, numbers[i]);
        bool const is_last = i == 3;
        if (failed != std::errc{} || !std::isfinite(numbers[i]) ||
            (is_last ? stop != end : stop == end || *stop != ','))
            return std::nullopt;
        at = stop + 1;
    }
    plane found{{}, {numbers[0], numbers[1], numbers[2]}};
    double square = 0;
    for (double const each : found.normal) square += each * each;
    if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
    for (std::size_t d = 0; d < 3; ++d) found.through[d] = found.normal[d] / square * numbers[3];
    return found;
}

contour_result slice_of(
    communicator const& comm, field_input& field, plane const& by, slice_options const& options) {
    if (auto* const mesh = std::get_if<mesh_input>(&field)) {
        auto& fields = mesh->field_of_cells ? mesh->of.of_cells : mesh->of.of_points;
        if (!mesh->field.name.empty()) fields.insert(fields.begin(), std::move(mesh->field));
        return slice(comm, mesh->of, by, options);
    }
    auto const& volume = std::get<volume_input>(field);
    double_boxes const mine(volume);
    return slice(comm, volume.lines, mine.boxes(), volume.name, by, options);
}

class slice_command final : public command {
public:
    explicit slice_command(CLI::App& app) {
        parser_ = app.add_subcommand("slice", "A plane through a volume or a mesh, with the fields on it");
        parser_
            ->add_option(
                "--plane", plane_, "x=V, y=V or z=V; or A,B,C,D for the points with A x + B y + C z = D")
            ->required()
            ->check(CLI::Validator(
                [](std::string const& text) {
                    return plane_in(text)
                               ? std::string()
                               : "expected x=V, y=V, z=V or A,B,C,D with a normal A,B,C, found " + text;
                },
                ""));
        field_.add_to(*parser_);
        add_surface_outputs(*parser_, out_);
        add_balance(*parser_, options_.balance);
        picture_.add_to(*parser_);
        parser_->get_option("--view")
            ->description("Where the picture is seen from: AZIMUTH,ELEVATION in degrees; 0,0 looks along y, "
                          "0,90 from above (default: straight at the plane)")
            ->default_str("");
        common_.add_watched_to(*parser_);
        parser_->footer("The slice carries the field and what --carry names; no result depends on the number "
                        "of ranks.\n");
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        counters const before = counters_of(comm);
        auto report = make_report("slice", comm);
        progress_line progress(common_.progress, comm);
        stopwatch watch(comm);

        plane const by = *plane_in(plane_);
        picture_.look_straight_at(by.normal);
        progress.phase("reading");
        field_input field = field_.read(comm);
        watch.lap("read");
        describe_input(report["input"], field_.file(), field);
        progress.phase("cutting");
        options_.lap = [&](std::string_view phase) { watch.lap(phase); };
        contour_result const found = slice_of(comm, field, by, options_);

        progress.phase("writing");
        std::vector<double> const one{0};
        for (std::string const& each : out_) write_surface(comm, found.made, one, each);
        watch.lap("write");
        if (picture_.is_wanted()) {
            progress.phase("drawing");
            picture_.write(
                comm, found.made, short_name_of(field_.file()) + ": " + plane_, first_field(found.made));
            watch.lap("draw");
        }
        auto& chosen = report["options"];
        chosen["plane"] = plane_;
        chosen["balance"] = name_of(options_.balance);
        field_.describe(chosen);
        if (!out_.empty()) chosen["out"] = out_;
        picture_.describe(chosen);
        auto& result = report["result"] = as_json(found.of_values.at(0));
        result["imbalance_before"] = found.imbalance_before;
        result["imbalance_after"] = found.imbalance_after;
        if (found.of_values.at(0).triangles == 0) tell_empty_slice(comm, field, by, plane_, result);
        report["seconds"] = watch.seconds();
        report["traffic"] = traffic_since(comm, before);
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table())
            print(table_head(report, field_.file()) + input_row(report["input"]) +
                  table_row("plane", plane_) + rows_of(result) + imbalance_row(result) + table_foot(report));
    }

private:
    common_options common_;
    std::string plane_;
    slice_options options_;
    field_options field_{true};
    surface_picture picture_;
    std::vector<std::string> out_;
};

} // namespace

std::unique_ptr<command> make_slice(CLI::App& app) {
    return std::make_unique<slice_command>(app);
}

} // namespace weft::tool
