#include "raw_options.hpp"

#include "number_check.hpp"

#include <algorithm>
#include <bit>

namespace weft::tool {

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
            "Byte order of a raw file: little, or big with the most significant byte first (default: that of "
            "this "
            "machine)")
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

void add_step_and_channel(CLI::App& command, grid_file_options& options) {
    command
        .add_option(
            "--step", options.step, "Time step to read, from 0, of a file that has time beside x, y and z")
        ->check(at_least(0));
    command.add_option("--channel", options.channel,
        "Channel of images to read: red, green, blue, alpha, or its number from 0");
}

void add_part_options(CLI::App& command, grid_file_options& options) {
    command.add_option(
        "--variable", options.variable, "Variable of a NetCDF file, or array of a VTK file, to read");
    add_step_and_channel(command, options);
}

std::string label_of_values(grid_file_options const& options, grid_shape const& shape) {
    return (options.variable.empty() ? "value" : options.variable) +
           (shape.units.empty() ? "" : " (" + shape.units + ")");
}

} // namespace weft::tool
