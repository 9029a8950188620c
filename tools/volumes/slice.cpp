#include "empty_answer.hpp"
#include "surface_command.hpp"
#include "surface_report.hpp"

#include <weft/contouring/slice.hpp>
#include <weft/core/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
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

class slice_command final : public surface_command {
public:
    explicit slice_command(CLI::App& app)
        : surface_command(app, "slice",
              "Cut a volume or a mesh by a plane and compute the fields on it; for a flat field draw a map "
              "or a profile",
              true) {
        parser_
            ->add_option(
                "--plane", plane_, "The plane: x=V, y=V or z=V; or A,B,C,D for the plane A x + B y + C z = D")
            ->required()
            ->check(CLI::Validator(
                [](std::string const& text) {
                    return plane_in(text)
                               ? std::string()
                               : "expected x=V, y=V, z=V or A,B,C,D with a normal A,B,C, found " + text;
                },
                ""));
        field_.add_to(*parser_);
        add_surface_options();
        parser_->get_option("--view")
            ->description("The direction from which the picture is seen: AZIMUTH,ELEVATION in degrees; 0,0 "
                          "looks along y, 0,90 looks from above (default: straight at the plane)")
            ->default_str("");
        parser_->footer(
            "The slice contains the values of the field of --field and of the fields of --carry. Results do "
            "not depend on the number of ranks. A volume of one layer of points is flat: its own plane, such "
            "as z=0, gives a map; any other plane gives a profile, which --out writes as .csv, .tsv, .npy, "
            ".parquet or .vtp and --image draws as a chart.\n");
    }

private:
    [[nodiscard]] char const* phase() const override { return "cutting"; }

    [[nodiscard]] contour_result find(
        communicator const& comm, field_input& field, slice_options const& how) override {
        plane const by = *plane_in(plane_);
        picture_.look_straight_at(by.normal);
        return slice_of(comm, field, by, how);
    }

    [[nodiscard]] std::vector<double> numbers() const override { return {0}; }

    [[nodiscard]] std::string title(field_input const&) const override { return plane_; }

    void describe_choice(nlohmann::ordered_json& options) const override { options["plane"] = plane_; }

    void describe_result(communicator const& comm, field_input const& field, contour_result const& found,
        nlohmann::ordered_json& result) const override {
        result = as_json(found.of_values.at(0));
        result["imbalance_before"] = found.imbalance_before;
        result["imbalance_after"] = found.imbalance_after;
        if (found.of_values.at(0).components == 0)
            tell_empty_slice(comm, field, *plane_in(plane_), plane_, result);
    }

    [[nodiscard]] std::optional<std::vector<line_rule>> line_rules(plane const& flat) const override {
        plane const by = *plane_in(plane_);
        std::array<double, 3> across{};
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            std::size_t const a = (d + 1) % 3;
            std::size_t const b = (d + 2) % 3;
            across[d] = by.normal[a] * flat.normal[b] - by.normal[b] * flat.normal[a];
            square += across[d] * across[d];
        }
        if (!(square > 0)) return std::nullopt; // the field as a map
        return std::vector<line_rule>{[by](std::array<double, 3> const& place, double) {
            double sum = 0;
            for (std::size_t d = 0; d < 3; ++d) sum += by.normal[d] * (place[d] - by.through[d]);
            return sum;
        }};
    }
    [[nodiscard]] bool lines_have_levels() const override { return false; }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        if (result.contains("lines"))
            return input_row(report["input"]) + table_row("plane", plane_) + rows_of_lines(result);
        return input_row(report["input"]) + table_row("plane", plane_) + rows_of(result) +
               imbalance_row(result);
    }

    std::string plane_;
};

} // namespace

std::unique_ptr<command> make_slice(CLI::App& app) {
    return std::make_unique<slice_command>(app);
}

} // namespace weft::tool
