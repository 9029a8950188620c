/// Small blocking collectives on integers, for set-up code: bounds, offsets, totals. The folder
/// weft/collective has collectives for other types.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/transport/census_value.hpp>

#include <concepts>
#include <cstdint>
#include <vector>

namespace weft {

/// Combines the words of a `census_value` over all ranks. Collective: yes. Blocks: until all ranks have
/// called. Cost: one small all-reduce, (L + 2o) ceil(log2 P), no table of size P. Throws: `mpi_error`.
[[nodiscard]] census_value combine_all(communicator const& comm, census_value const& mine);

/// Returns the sum of `mine` over all ranks. Collective, Blocks, Cost, Throws: as `combine_all`.
[[nodiscard]] std::int64_t sum(communicator const& comm, std::int64_t mine);

/// Returns the largest value of any rank. Collective, Blocks, Cost, Throws: as `combine_all`.
[[nodiscard]] std::int64_t max(communicator const& comm, std::int64_t mine);

/// Returns the least value of any rank. Collective, Blocks, Cost, Throws: as `combine_all`.
[[nodiscard]] std::int64_t min(communicator const& comm, std::int64_t mine);

#ifndef DOXYGEN
namespace detail {
[[nodiscard]] std::vector<std::int64_t> gather_words(communicator const& comm, std::int64_t mine);
}
#endif

/// Returns the values of all ranks, in the order of ranks. `T` is an integer type; for other types see
/// <weft/collective/gather.hpp>. Collective: yes. Blocks: until all ranks have called. Cost: one all-to-all
/// of words, O(P) memory. Throws: `mpi_error`.
template <std::integral T>
[[nodiscard]] std::vector<T> all_gather(communicator const& comm, T mine) {
    static_assert(sizeof(T) <= sizeof(std::int64_t), "weft: all_gather takes integers of 64 bits at most");
    std::vector<std::int64_t> words = detail::gather_words(comm, static_cast<std::int64_t>(mine));
    if constexpr (std::same_as<T, std::int64_t>) {
        return words;
    } else {
        std::vector<T> all;
        all.reserve(words.size());
        for (std::int64_t const each : words) all.push_back(static_cast<T>(each));
        return all;
    }
}

/// The sum over the ranks below this rank, and the sum over all ranks.
struct prefix {
    std::int64_t before = 0; ///< The sum over the lower ranks.
    std::int64_t total = 0;  ///< The sum over all ranks.
};

/// Returns the sum of `mine` over the lower ranks, and over all ranks. If `mine` is the length of this rank's
/// share of a list, the share begins at the first sum. Collective, Blocks, Cost, Throws: as `all_gather`.
[[nodiscard]] prefix exclusive_sum(communicator const& comm, std::int64_t mine);

#ifndef DOXYGEN // mistakes, which end in a sentence: fractions would be cut off
namespace detail {
template <class T>
T whole(T mine) {
    static_assert(std::integral<T>, "weft: sum, max, min and exclusive_sum take whole numbers; "
                                    "for other types there is all_reduce(comm, value, std::plus<>())");
    return mine;
}
} // namespace detail

template <std::floating_point T>
T sum(communicator const&, T mine) {
    return detail::whole(mine);
}
template <std::floating_point T>
T max(communicator const&, T mine) {
    return detail::whole(mine);
}
template <std::floating_point T>
T min(communicator const&, T mine) {
    return detail::whole(mine);
}
template <std::floating_point T>
T exclusive_sum(communicator const&, T mine) {
    return detail::whole(mine);
}
#endif

} // namespace weft
