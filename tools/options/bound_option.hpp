/// Options that take numbers to compare values with.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/value_bound.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::tool {

/// Adds an option that takes a number; whole ones are kept exactly.
CLI::Option* add_bound(
    CLI::App& app, std::string const& name, std::optional<value_bound>& into, std::string const& about);
/// Adds an option that takes several, as V,V or one by one.
CLI::Option* add_bounds(
    CLI::App& app, std::string const& name, std::vector<value_bound>& into, std::string const& about);

/// The bounds as those of a mesh field, which is in memory as doubles: where all its values are numbers of
/// float32, and not all are whole, a bound whose float32 is among them is that one. Collective: yes. Cost:
/// one pass, a reduction.
[[nodiscard]] std::vector<value_bound> in_type_of(
    communicator const& comm, std::span<double const> field, std::vector<value_bound> bounds);

/// As a number of a report; exact.
[[nodiscard]] nlohmann::ordered_json json_of(value_bound const& bound);
[[nodiscard]] nlohmann::ordered_json json_of(std::vector<value_bound> const& bounds);

} // namespace weft::tool
