#include "vertex_values.hpp"

#include "options/preset.hpp"

namespace weft::tool {

void vertex_values::add_to(CLI::App& parser, std::string const& value) {
    name_ = value;
    names_table(parser.add_option("--out", out_,
        "Write a line `original-id " + value + "` for each vertex" + std::string(label_rows_help)));
    add_preset(parser, "--top", top_,
        "Number of vertices that the report lists: those with the largest values", at_least(0));
}

std::string vertex_values::table_of_top(nlohmann::ordered_json const& result) {
    if (result["top"].empty()) return "";
    std::string rows = "\n  largest values\n";
    double const most = result["top"][0]["value"].get<double>();
    int place = 0;
    for (auto const& each : result["top"]) {
        auto const& vertex = each["vertex"];
        auto const value = each["value"].get<double>();
        rows += fmt::format("  {:>4}  {:>20}  {:<12.6g}  {}\n", ++place,
            vertex.is_string() ? vertex.get<std::string>() : vertex.dump(), value,
            last_bar(most > 0 ? value / most : 0, 44));
    }
    return rows;
}

} // namespace weft::tool
