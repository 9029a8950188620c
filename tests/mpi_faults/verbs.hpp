/// The verbs of Weft, each with the calls of tests/faults that try it.
#pragma once

#include <faults/call.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace mpi_faults {

struct verb {
    std::string_view name;
    std::vector<std::string_view>
        beginnings; ///< of the names of its calls; a call belongs to the first verb that fits
};

[[nodiscard]] inline std::vector<verb> all_verbs() {
    return {
        {"plans", {"exchange_plan", "planned_exchange"}},
        {"exchange", {"exchange"}},
        {"start_exchange", {"start_exchange"}},
        {"mailbox", {"mailbox"}},
        {"containers", {"map", "counting_set", "set", "multi", "disjoint_set", "array", "bag", "work_queue",
                           "alias_table", "tagged_bag", "view of a map"}},
        {"exchange of blocks", {"block_set::exchange"}},
        {"iexchange", {"block_set::iexchange"}},
        {"block_set", {"block_set", "fill_ghosts", "kd_tree"}},
        {"reductions of blocks",
            {"merge_reduce", "swap_reduce", "all_reduce_arrays", "broadcast of blocks", "broadcast_arrays",
                "scan of blocks", "scan_arrays", "all_to_all", "reduce_scatter of blocks"}},
        {"collectives",
            {"all_reduce", "reduce", "scan", "broadcast", "all_gather", "sum,", "gather_bytes", "agree"}},
        {"frames", {"balance_blocks", "block_distribution", "block_to", "part_to", "directory", "halo",
                       "number_ids", "sort_by_key", "recursive_bisection"}},
        {"communicators", {"communicator", "make_communicator"}},
    };
}

/// The calls of each verb; what is no verb of the runtime is left out.
[[nodiscard]] inline std::vector<std::vector<faults::call>> calls_by_verb(std::span<verb const> verbs) {
    std::vector<std::vector<faults::call>> all(verbs.size());
    for (faults::call& each : faults::all_calls()) {
        auto const found = std::ranges::find_if(verbs, [&](verb const& one) {
            return std::ranges::any_of(
                one.beginnings, [&](std::string_view begin) { return each.name.starts_with(begin); });
        });
        if (found != verbs.end()) all[static_cast<std::size_t>(found - verbs.begin())].push_back(each);
    }
    return all;
}

} // namespace mpi_faults
