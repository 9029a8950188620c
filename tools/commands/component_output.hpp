/// Components, weak or strong: the files that they are written to, and the table of the largest.
#pragma once

#include "report/reporting_command.hpp"

#include <weft/core/ids.hpp>
#include <weft/graph/vertex_set.hpp>

#include <span>
#include <string>
#include <string_view>

namespace weft::tool {

/// Options that name files for labels and for sizes.
class component_files {
public:
    /// `part` is what the help calls one of them, `label` what a label is.
    void add_to(CLI::App& parser, std::string const& part = "component",
        std::string const& label = "the smallest original id of the component");
    /// Writes those that are asked for, and adds them to the options of the report. `label` has the
    /// components of the vertices of this rank. Collective.
    void write(session const& now, vertex_set const& vertices, std::span<global_id const> label) const;

private:
    std::string labels_;
    std::string sizes_;
};

/// Rows of the largest components, or other `parts`, of a report's result.
[[nodiscard]] std::string table_of_largest(
    nlohmann::ordered_json const& result, std::string_view parts = "components");

} // namespace weft::tool
