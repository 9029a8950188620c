/// The protocols that a simulation runs, and how they count messages.
#pragma once

#include <weft/core/settings.hpp>

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace weft::tool {

/// The option --protocol, of which all are chosen at first, and the one that says how they count.
class protocol_choice {
public:
    /// Texts of both in the help; `extra` can be chosen besides.
    void add_to(CLI::App& parser, std::string const& about_protocols, std::string const& about_census,
        std::vector<protocol> const& extra = {});

    [[nodiscard]] std::vector<std::string> const& names() const noexcept { return names_; }
    [[nodiscard]] protocol named(std::string const& name) const { return known_.at(name); }
    [[nodiscard]] all_reduce_method census() const noexcept { return census_; }

private:
    std::map<std::string, protocol> known_;
    std::vector<std::string> names_;
    all_reduce_method census_ = all_reduce_method::dissemination;
};

} // namespace weft::tool
