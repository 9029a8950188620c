#include "mailbox_choice.hpp"

#include "options/choice_check.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"

#include <machine/message_costs.hpp>
#include <weft/extend/mailbox/route_choice.hpp>

#include <fmt/format.h>

namespace weft::tool {

void mailbox_choice::add_to(CLI::App& parser) {
    for (route const each : {route::direct, route::node_local, route::node_remote, route::nlnr}) {
        names_.emplace_back(name_of(each));
        known_[names_.back()] = each;
    }
    std::vector<std::string> known = names_;
    known.emplace_back(name_of(route::automatic));
    known_[known.back()] = route::automatic;
    add_preset(parser, "--route", names_,
        "Routes of messages between nodes to simulate; automatic: the route that a mailbox would choose",
        CLI::IsMember(known));
    add_preset(parser, "--cores", cores_, "Number of ranks per node; 0: the number of the machine model",
        at_least(0));
    add_preset(parser, "--inside", inside_,
        "Transport between ranks of a node: memory (shared memory), messages, or automatic (memory if the "
        "machine model has separate parameters for messages inside a node, or has measured shared memory)",
        CLI::IsMember({"automatic", "memory", "messages"}));
    add_preset(parser, "--buffer-bytes", buffer_bytes_, "Limit for the bytes of all buffers of a rank",
        above_zero());
    add_termination_to(parser, termination_);
}

void add_termination_to(CLI::App& parser, termination_kind& chosen) {
    std::map<std::string, termination_kind> known;
    for (auto const each : {termination_kind::counted_waves, termination_kind::four_counters,
             termination_kind::barrier_consensus})
        known[std::string(name_of(each))] = each;
    parser
        .add_option("--termination", chosen,
            "Termination detection of mailboxes: counted_waves, Weft's own all-reduces of message counts; "
            "four_counters, the same counts by MPI_Iallreduce; barrier_consensus, a barrier and a reduction, "
            "as in the iexchange paper")
        ->transform(one_of(known))
        ->default_str(std::string(name_of(chosen)));
}

named_machine mailbox_choice::with_cores(named_machine machine) const {
    if (cores_ > 0) machine.model.simulation.ranks_per_node = cores_;
    return machine;
}

simulated_mailbox mailbox_choice::named(
    std::string const& name, topology const& nodes, machine_model const& machine) const {
    bool const shares = nodes.largest_node() > 1 &&
                        (inside_ == "automatic" ? has_shared_memory(machine) : inside_ == "memory");
    route const how = known_.at(name);
    return {how == route::automatic ? fastest_route(nodes, machine, buffer_bytes_, shares) : how,
        buffer_bytes_, shares, termination_};
}

std::string mailbox_choice::subject(std::string const& name, route how) {
    return name == name_of(how) ? name : fmt::format("{}: {}", name, name_of(how));
}

} // namespace weft::tool
