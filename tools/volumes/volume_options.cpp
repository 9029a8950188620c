#include "volume_options.hpp"

#include "options/number_check.hpp"

#include <grids/grid_formats.hpp>

#include <weft/protocol/agreement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

namespace weft::tool {

namespace {

/// CLI11 takes an empty text for 0, and no number for one.
std::string a_number(std::string const& text) {
    double value = 0;
    char const* const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(text.data() + text.starts_with('+'), end, value);
    bool const good = error == std::errc{} && stop == end && std::isfinite(value);
    return good ? "" : "expected a number, found \"" + text + '"';
}

/// A volume of which the command line says what marks missing data.
class marked_grid final : public grid_source {
public:
    marked_grid(std::unique_ptr<grid_source> of, double missing) : of_(std::move(of)), shape_(of_->shape()) {
        shape_.missing = shape_.type == value_type::float32 ? double{static_cast<float>(missing)} : missing;
    }

    [[nodiscard]] grid_shape const& shape() const noexcept override { return shape_; }
    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        of_->read(points, into);
    }
    void read_hidden(box<std::int64_t> const& cells, std::span<std::uint8_t> into) override {
        of_->read_hidden(cells, into);
    }

private:
    std::unique_ptr<grid_source> of_;
    grid_shape shape_;
};

} // namespace

void raw_options::add_to(CLI::App& command) {
    command.add_option("--dims", dims_, "Points along x, y and z of a raw file, x fastest: X,Y,Z")
        ->delimiter(',')
        ->expected(3)
        ->check(above_zero());
    command.add_option("--type", type_,
        "Type of the values of a raw file: int8, uint8, int16, uint16, int32, uint32, int64, uint64, "
        "float32, "
        "float64");
    command
        .add_option("--byte-order", byte_order_,
            "Byte order of a raw file: little, or big with the most significant byte first (default: the "
            "byte order of this machine)")
        ->check(CLI::IsMember({"little", "big"}));
    command.add_option("--header-bytes", header_bytes_, "Bytes of a raw file to skip before its values")
        ->check(at_least(0));
}

void raw_options::apply_to(grid_file_options& options) const {
    if (!dims_.empty()) std::copy(dims_.begin(), dims_.end(), options.dims.begin());
    if (!type_.empty()) options.type = value_type_named(type_);
    if (!byte_order_.empty())
        options.byte_order = byte_order_ == "big" ? std::endian::big : std::endian::little;
    options.header_bytes = header_bytes_;
}

std::string help_of_volumes(std::string const& lead) {
    return lead + ": " + list_of_grid_formats() +
           ". Several images: give a folder, or a pattern in quotes. Standard input: -";
}

std::string help_of_arrays(std::string const& lead) {
    return lead + " (" + formats_that_heed(&heeded_options::variable) + ")";
}

void add_step_and_channel(CLI::App& command, grid_file_options& options) {
    command
        .add_option("--step", options.step,
            "Time step to read, counted from 0, if the file has time steps (" +
                formats_that_heed(&heeded_options::step) + ")")
        ->check(at_least(0));
    command.add_option("--channel", options.channel,
        "Channel of images to read (" + formats_that_heed(&heeded_options::channel) +
            "): red, green, blue, alpha, or its number from 0");
}

void volume_options::add_to(CLI::App& command) {
    raw_.add_to(command);
    command.add_option("--field,--variable", part_.variable, help_of_arrays("Variable or array to read"));
    add_step_and_channel(command, part_);
    command
        .add_option(
            "--missing", missing_, "The value that marks missing data, if the file does not define it")
        ->check(a_number);
}

std::unique_ptr<grid_source> volume_options::marked(std::unique_ptr<grid_source> source) const {
    return missing_ ? std::make_unique<marked_grid>(std::move(source), *missing_) : std::move(source);
}

grid_file_options volume_options::chosen() const {
    grid_file_options options = part_;
    raw_.apply_to(options);
    return options;
}

std::string volume_options::label_of_values(grid_shape const& shape) const {
    return (part_.variable.empty() ? "value" : part_.variable) +
           (shape.units.empty() ? "" : " (" + shape.units + ")");
}

void add_volume(CLI::App& command, std::string& file) {
    command.add_option("VOLUME", file, help_of_volumes("A volume"))->required();
}

opened_volume::opened_volume(communicator const& comm, std::string const& file, open_function const& open,
    input_file::ending_of const& ending)
    : in_(comm, file, ending) {
    in_.naming_it([&] { agreed(comm, [&] { source_ = open(in_.path()); }); });
}

void describe_shape(nlohmann::ordered_json& input, grid_shape const& shape) {
    input["dims"] = shape.points;
    input["type"] = name_of(shape.type);
    if (!shape.units.empty()) input["units"] = shape.units;
}

std::string counts_along_axes(nlohmann::ordered_json const& dims) {
    return fmt::format("{} x {} x {}", dims[0].get<std::int64_t>(), dims[1].get<std::int64_t>(),
        dims[2].get<std::int64_t>());
}

} // namespace weft::tool
