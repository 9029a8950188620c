/// Figures and tables of papers as rows: what is run for each, and what comes of it.
#pragma once

#include "claim.hpp"

#include <simulate/simulation.hpp>

#include <pictures/chart.hpp>

#include <weft/core/communicator.hpp>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::tool {

/// The outcome of a figure: claims beside our numbers, and panels in the axes of the paper.
struct finding {
    std::vector<claim> claims;
    std::vector<chart_panel> panels;
};

/// Runs lines of `weft` for figures. A line that several figures take is run once.
class workbench {
public:
    workbench(communicator const& comm, bool small) : comm_(comm), small_(small) {}

    /// Seconds are enough: fewer ranks, where what is claimed of more is left out.
    [[nodiscard]] bool small() const noexcept { return small_; }
    /// One rank, for calls of the library on examples.
    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }
    /// The rows of `weft simulate LINE`.
    std::vector<simulation_result> const& simulate(std::string const& line);
    /// The lines since the last call, those that were known among them.
    [[nodiscard]] std::vector<std::string> take_lines() { return std::exchange(lines_, {}); }

private:
    communicator comm_;
    bool small_;
    std::map<std::string, std::vector<simulation_result>> known_;
    std::vector<std::string> lines_;
};

/// A figure or table of a paper, or a paragraph with numbers.
struct figure_row {
    std::string_view name;
    std::string_view title;
    finding (*run)(workbench&); ///< null where nothing is run
    std::string_view why_not;   ///< then
};

/// A paper with its figures in its order.
struct paper_row {
    std::string_view name;
    std::string_view title;
    std::span<figure_row const> figures;
};

/// Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010.
[[nodiscard]] std::span<figure_row const> figures_of_dsde() noexcept;
/// Source: Peterka, Ross, EuroMPI 2012.
[[nodiscard]] std::span<figure_row const> figures_of_versatile() noexcept;
/// Source: Morozov, Peterka and others, LDAV 2021.
[[nodiscard]] std::span<figure_row const> figures_of_iexchange() noexcept;
/// Source: Priest, Steil, Sanders, Pearce, 2019.
[[nodiscard]] std::span<figure_row const> figures_of_ygm() noexcept;
/// Source: the paper on data movement, HPDC 2024.
[[nodiscard]] std::span<figure_row const> figures_of_frames() noexcept;

[[nodiscard]] std::span<paper_row const> all_papers() noexcept;

} // namespace weft::tool
