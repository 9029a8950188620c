/// The mailboxes that a simulation runs: their routes, memory and nodes.
#pragma once

#include "mail_program.hpp"
#include "simulation.hpp"

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::tool {

/// The options --route, of which all are chosen at first, --cores, --inside, --buffer-bytes and
/// --termination.
class mailbox_choice {
public:
    void add_to(CLI::App& parser);

    [[nodiscard]] std::vector<std::string> const& names() const noexcept { return names_; }
    /// The machine with as many ranks a node as were asked for.
    [[nodiscard]] named_machine with_cores(named_machine machine) const;
    /// The mailbox with the route of this name; for `automatic` the route that a mailbox would choose.
    [[nodiscard]] simulated_mailbox named(
        std::string const& name, topology const& nodes, machine_model const& machine) const;
    /// A name for tables, which tells what `automatic` stands for.
    [[nodiscard]] static std::string subject(std::string const& name, route how);

private:
    std::map<std::string, route> known_;
    std::vector<std::string> names_;
    int cores_ = 0;
    std::string inside_ = "automatic";
    std::int64_t buffer_bytes_ = settings().mailbox_bytes;
    termination_kind termination_ = termination_kind::counted_waves;
};

/// Adds the option --termination.
void add_termination_to(CLI::App& parser, termination_kind& chosen);

} // namespace weft::tool
