/// Options that describe a raw file, and those that pick a part of a file.
#pragma once

#include "command.hpp"

#include <grids/grid_source.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::tool {

/// --dims, --type, --byte-order and --header-bytes.
class raw_options {
public:
    void add_to(CLI::App& command);
    /// Throws: `usage_error` for a type that does not exist.
    void apply_to(grid_file_options& options) const;

private:
    std::vector<std::int64_t> dims_;
    std::string type_;
    std::string byte_order_;
    std::int64_t header_bytes_ = 0;
};

/// --step and --channel.
void add_step_and_channel(CLI::App& command, grid_file_options& options);
/// These, and --variable.
void add_part_options(CLI::App& command, grid_file_options& options);
/// The name of the values on a picture, with their unit.
[[nodiscard]] std::string label_of_values(grid_file_options const& options, grid_shape const& shape);

} // namespace weft::tool
