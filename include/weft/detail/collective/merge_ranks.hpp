/// Values of all ranks merged, as bytes: the core of the typed collectives.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/collective/merged_values.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>

namespace weft::detail {

/// The ranks that have the result of a merge of all ranks.
enum class merged_to : std::uint8_t { root, all };

/// One merge of all ranks. Equal on all ranks, except for `values` and `failure`.
struct rank_merge {
    merged_values& values; ///< value 0 is that of this rank
    int k = 2;
    int root = 0;
    merged_to to = merged_to::all;
    std::exception_ptr failure = {}; ///< the reason why this rank has no value
};

/// Merges the values of all ranks in rank order. Returns the number of the result: on the root, that of one
/// of its values; on other ranks, that of a value which was read if all ranks get the result, else 0.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: 2 (P - 1) messages, log_k P + log2 P deep.
/// Order: of the ranks, in pairs, in pairs of pairs; see `merge_engine`. Throws: `usage_error` for a root
/// that is not a rank; errors of the values, agreed; `mpi_error`.
[[nodiscard]] std::size_t merge_ranks(
    communicator const& comm, rank_merge const& what, char const* operation);

/// Returns the radix k of a merge of values of about `bytes` bytes. All radices from which the model chooses
/// give the same bits. Local.
[[nodiscard]] int value_k(communicator const& comm, double bytes);

/// Computes an inclusive prefix: value 0 of each rank combined with those of all lower ranks. Returns its
/// number. Collective: yes. Blocks: until all ranks have called. Cost: at most ceil(log2 P) messages per
/// rank, and a census. Order: that of the ranks. Throws: errors of the values, agreed; `mpi_error`.
[[nodiscard]] std::size_t scan_ranks(communicator const& comm, merged_values& values, char const* operation);

} // namespace weft::detail
