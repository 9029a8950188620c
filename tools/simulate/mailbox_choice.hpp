/// The mailboxes that a simulation runs: their routes, memory and nodes.
#pragma once

#include "simulation.hpp"

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::tool {

/// The options --route, of which all are chosen at first, --cores and --buffer-bytes.
class mailbox_choice {
public:
    void add_to(CLI::App& parser);

    [[nodiscard]] std::vector<std::string> const& names() const noexcept { return names_; }
    [[nodiscard]] std::int64_t buffer_bytes() const noexcept { return buffer_bytes_; }
    /// The machine with as many ranks a node as were asked for.
    [[nodiscard]] named_machine with_cores(named_machine machine) const;
    /// The route by its name; for `automatic` the one that a mailbox would choose.
    [[nodiscard]] route named(
        std::string const& name, topology const& nodes, machine_model const& machine) const;
    /// A name for tables, which tells what `automatic` stands for.
    [[nodiscard]] static std::string subject(std::string const& name, route how);

private:
    std::map<std::string, route> known_;
    std::vector<std::string> names_;
    int cores_ = 0;
    std::int64_t buffer_bytes_ = settings().mailbox_bytes;
};

/// The engine of a simulated rank, without shared memory. `nodes` as that rank sees them, which must live as
/// long.
[[nodiscard]] mail_setup simulated_mail(topology const& nodes, route how, std::int64_t buffer_bytes);

} // namespace weft::tool
