#include "local_numbering.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace weft {

namespace {

constexpr std::uint32_t unused = UINT32_MAX;

/// Numbers ids by a table over all possible ids; cheap if their number does not exceed that of the given
/// ids.
local_numbering number_by_table(
    std::span<global_id const> ids, std::int64_t total, global_id begin, std::int64_t own) {
    local_numbering result;
    std::vector<std::uint32_t> number(static_cast<std::size_t>(total), unused);
    for (global_id const id : ids) number[static_cast<std::size_t>(id)] = 0;
    for (global_id id = 0; id < total; ++id) {
        std::uint32_t& here = number[static_cast<std::size_t>(id)];
        if (here == unused) continue;
        bool const is_own = id >= begin && id < begin + own;
        here = static_cast<std::uint32_t>(is_own ? id - begin : own + std::ssize(result.ghosts));
        if (!is_own) result.ghosts.push_back(id);
    }
    result.index.reserve(ids.size());
    for (global_id const id : ids) result.index.push_back(number[static_cast<std::size_t>(id)]);
    return result;
}

} // namespace

local_numbering number_by_sorting(std::span<global_id const> ids, global_id begin, std::int64_t own) {
    local_numbering result;
    auto const is_own = [&](global_id id) { return id >= begin && id < begin + own; };
    for (global_id const id : ids)
        if (!is_own(id)) result.ghosts.push_back(id);
    std::ranges::sort(result.ghosts);
    result.ghosts.erase(std::unique(result.ghosts.begin(), result.ghosts.end()), result.ghosts.end());
    result.ghosts.shrink_to_fit();
    result.index.reserve(ids.size());
    for (global_id const id : ids) {
        std::int64_t const number =
            is_own(id) ? id - begin
                       : own + (std::ranges::lower_bound(result.ghosts, id) - result.ghosts.begin());
        result.index.push_back(static_cast<std::uint32_t>(number));
    }
    return result;
}

local_numbering number_locally(
    gate& call, uniform_distribution const& owners, std::span<global_id const> ids, char const* subject) {
    std::int64_t const own = owners.size(call.comm().rank());
    global_id const begin = owners.begin(call.comm().rank());
    local_numbering made;
    agreed(call, [&] {
        std::int64_t const most = std::min(owners.total(), own + std::ssize(ids));
        if (most >= std::int64_t{std::numeric_limits<std::uint32_t>::max()})
            throw usage_error(std::string(subject) + ": a rank holds too large a part; use more ranks");
        if (own == owners.total())
            made.index.assign(ids.begin(), ids.end());
        else
            made = owners.total() <= std::ssize(ids) ? number_by_table(ids, owners.total(), begin, own)
                                                     : number_by_sorting(ids, begin, own);
    });
    return made;
}

split_rows split_by_ghosts(
    std::span<std::size_t const> first, std::span<std::uint32_t const> index, std::int64_t own) {
    split_rows rows;
    rows.inner.reserve(first.size());
    for (std::size_t row = 0; row + 1 < first.size(); ++row) {
        bool const has_ghost = std::ranges::any_of(index.subspan(first[row], first[row + 1] - first[row]),
            [&](std::uint32_t i) { return i >= own; });
        (has_ghost ? rows.boundary : rows.inner).push_back(static_cast<std::uint32_t>(row));
    }
    return rows;
}

} // namespace weft
