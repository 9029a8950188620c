/// Outcomes of figures as text, Markdown, CSV and JSON.
#pragma once

#include "figure.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace weft::tool {

/// A figure that was run, or that cannot be.
struct outcome {
    paper_row const* paper = nullptr;
    figure_row const* figure = nullptr;
    finding found;
    std::vector<std::string> lines; ///< that were run for it
    double wall_seconds = 0;
};

/// The verdict of a figure; "not, because ..." also where nothing is run for it.
[[nodiscard]] std::string verdict_of(outcome const& one);

/// For persons: a head, a row a claim, the verdict.
[[nodiscard]] std::string outcome_text(outcome const& one);

/// A table in Markdown: a row a figure, with all its claims.
[[nodiscard]] std::string outcomes_markdown(std::span<outcome const> all);

/// A row a claim; a figure without claims has one row.
[[nodiscard]] std::string outcomes_csv(std::span<outcome const> all);

/// Figures with claims, the lines that were run, and the points of the picture.
[[nodiscard]] nlohmann::ordered_json outcomes_json(std::span<outcome const> all);

} // namespace weft::tool
