#include "outcome.hpp"

#include "report/terminal.hpp"
#include <files/csv_row.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

nlohmann::ordered_json as_json(std::optional<double> number) {
    return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

/// Points of the panels of a figure, by panel and line.
nlohmann::ordered_json points_json(finding const& found) {
    auto panels = nlohmann::ordered_json::array();
    for (chart_panel const& panel : found.panels) {
        auto lines = nlohmann::ordered_json::array();
        for (chart_series const& line : panel.series) {
            auto points = nlohmann::ordered_json::array();
            for (chart_point const& point : line.points) points.push_back({point.x, point.y});
            lines.push_back({{"name", line.name}, {"points", std::move(points)}});
        }
        panels.push_back({{"title", panel.title}, {"x", panel.x.title}, {"y", panel.y.title},
            {"lines", std::move(lines)}});
    }
    return panels;
}

/// One verdict a cell: its claims, a line each.
std::string cell_of(finding const& found, std::string claim::*member) {
    std::string text;
    for (claim const& each : found.claims) text += (text.empty() ? "" : "<br>") + each.*member;
    return text;
}

} // namespace

std::string verdict_of(outcome const& one) {
    if (one.figure->run == nullptr) return fmt::format("not, because {}", one.figure->why_not);
    return verdict_text(one.found.claims);
}

std::string outcome_text(outcome const& one) {
    std::string text = fmt::format("\n{} {}: {}\n", one.paper->name, one.figure->name, one.figure->title);
    for (claim const& each : one.found.claims)
        text += fmt::format("  {:<72} paper {:>8}  here {}  {}\n", each.text, each.paper,
            each.ours.empty() ? "-" : each.ours, name_of(each.outcome));
    return text + fmt::format("  {}{}\n", verdict_of(one),
                      one.figure->run == nullptr ? "" : ", in " + seconds_as_text(one.wall_seconds));
}

std::string outcomes_markdown(std::span<outcome const> all) {
    std::string text = "| figure | what is compared | paper | here | verdict |\n|---|---|---|---|---|\n";
    for (outcome const& each : all)
        text += fmt::format("| {}: {} | {} | {} | {} | {} |\n", each.figure->name, each.figure->title,
            cell_of(each.found, &claim::text), cell_of(each.found, &claim::paper),
            cell_of(each.found, &claim::ours), verdict_of(each));
    return text;
}

std::string outcomes_csv(std::span<outcome const> all) {
    std::string text = "paper,figure,claim,source,paper_value,value,verdict,because\n";
    for (outcome const& each : all) {
        if (each.found.claims.empty())
            append_csv_row(text, each.paper->name, each.figure->name, std::string_view(), std::string_view(),
                std::string_view(), std::string_view(), name_of(verdict::not_run), each.figure->why_not);
        for (claim const& one : each.found.claims)
            append_csv_row(text, each.paper->name, each.figure->name, std::string_view(one.text),
                std::string_view(one.source), std::string_view(one.paper), std::string_view(one.ours),
                name_of(one.outcome), std::string_view(one.because));
    }
    return text;
}

nlohmann::ordered_json outcomes_json(std::span<outcome const> all) {
    auto figures = nlohmann::ordered_json::array();
    for (outcome const& each : all) {
        auto claims = nlohmann::ordered_json::array();
        for (claim const& one : each.found.claims)
            claims.push_back({{"claim", one.text}, {"source", one.source}, {"paper", one.paper},
                {"paper_number", as_json(one.paper_number)}, {"here", one.ours},
                {"number", as_json(one.our_number)}, {"verdict", name_of(one.outcome)},
                {"because", one.because}});
        figures.push_back({{"paper", each.paper->name}, {"figure", each.figure->name},
            {"title", each.figure->title}, {"verdict", verdict_of(each)}, {"claims", std::move(claims)},
            {"commands", each.lines}, {"panels", points_json(each.found)}, {"wall_s", each.wall_seconds}});
    }
    return figures;
}

} // namespace weft::tool
