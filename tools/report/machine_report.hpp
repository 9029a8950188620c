/// The machine model as `weft tune` and `weft info` show it.
#pragma once

#include <weft/machine/machine_model.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace weft::tool {

/// All of the model; seconds.
[[nodiscard]] nlohmann::ordered_json machine_as_json(machine_model const& machine);

/// A table for a person: the parameters, and what was measured by ranks.
[[nodiscard]] std::string machine_as_text(machine_model const& machine);

} // namespace weft::tool
