/// The five papers, and the bench that their figures work on.
#include "figure.hpp"

#include <simulate/simulation_set.hpp>

namespace weft::tool {

std::vector<simulation_result> const& workbench::simulate(std::string const& line) {
    lines_.push_back("weft simulate " + line);
    auto const [place, is_new] = known_.try_emplace(line);
    if (is_new) place->second = simulate_line(comm_, line);
    return place->second;
}

std::span<paper_row const> all_papers() noexcept {
    static paper_row const papers[] = {
        {"dsde", "Hoefler, Siebert, Lumsdaine, PPoPP 2010", figures_of_dsde()},
        {"versatile", "Peterka, Ross, EuroMPI 2012", figures_of_versatile()},
        {"iexchange", "Morozov, Peterka and others, LDAV 2021", figures_of_iexchange()},
        {"ygm", "Priest, Steil, Sanders, Pearce, 2019", figures_of_ygm()},
        {"frames", "Data movement framework (ParaDiGM), HPDC 2024", figures_of_frames()},
    };
    return papers;
}

} // namespace weft::tool
