/// Options that describe a raw file.
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

} // namespace weft::tool
