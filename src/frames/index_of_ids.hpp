/// Finds the places of ids. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/core/ids.hpp>
#include <weft/extend/frames/item_plan.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Maps distinct ids of [first, end) to their places: by a table if they are dense, else by binary search.
class index_of_ids {
public:
    /// Throws: `usage_error` for an id outside of the range, and for a repeated one.
    index_of_ids(char const* call, communicator const& comm, global_id first, global_id end,
        std::span<global_id const> ids)
        : first_(first) {
        auto const complain = [&](global_id id, char const* what) {
            throw usage_error(std::string(call) + ": block id " + std::to_string(id) + " on rank " +
                              std::to_string(comm.rank()) + what);
        };
        if (ids.size() >= item_plan::nowhere)
            throw usage_error(std::string(call) + ": more than 4294967294 block ids on one rank");
        for (global_id const id : ids)
            if (id < first || id >= end)
                complain(id,
                    (" is outside of its block, " + std::to_string(first) + ".." + std::to_string(end - 1))
                        .c_str());
        if (static_cast<std::uint64_t>(end - first) <= 8 * static_cast<std::uint64_t>(ids.size())) {
            table_.assign(static_cast<std::size_t>(end - first), item_plan::nowhere);
            for (std::size_t i = 0; i < ids.size(); ++i) {
                std::uint32_t& place = table_[static_cast<std::size_t>(ids[i] - first)];
                if (place != item_plan::nowhere) complain(ids[i], " occurs twice");
                place = static_cast<std::uint32_t>(i);
            }
            return;
        }
        sorted_.reserve(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i)
            sorted_.emplace_back(ids[i], static_cast<std::uint32_t>(i));
        std::ranges::sort(sorted_);
        for (std::size_t i = 0; i + 1 < sorted_.size(); ++i)
            if (sorted_[i].first == sorted_[i + 1].first) complain(sorted_[i].first, " occurs twice");
    }

    /// Returns the place of an id of [first, end) among those given; `item_plan::nowhere` if it is absent.
    [[nodiscard]] std::uint32_t find(global_id id) const noexcept {
        if (!table_.empty()) return table_[static_cast<std::size_t>(id - first_)];
        auto const at =
            std::ranges::lower_bound(sorted_, id, {}, &std::pair<global_id, std::uint32_t>::first);
        return at != sorted_.end() && at->first == id ? at->second : item_plan::nowhere;
    }

private:
    global_id first_;
    std::vector<std::uint32_t> table_;
    std::vector<std::pair<global_id, std::uint32_t>> sorted_;
};

} // namespace weft
