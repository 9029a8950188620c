/// Items of all ranks in the order of their keys.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/frames/parts_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// A run of consecutive items: those of the first rank come first.
template <class T>
struct sorted_items {
    std::vector<global_id> keys; ///< ascending
    std::vector<T> values;       ///< of the keys, in their order
    double imbalance = 0;        ///< of the numbers of items: the largest over the average, less 1
};

} // namespace weft

namespace weft::detail {

/// Values of one size, in the order of their keys; `failure`: why this rank cannot take part.
struct unsorted_items {
    std::span<std::byte const> values = {};
    std::size_t value_bytes = 0;
    item_type type = {};
    double tolerance = 0;
    std::exception_ptr failure = {};
};
struct sorted_bytes {
    std::vector<global_id> keys;
    buffer values;
    double imbalance = 0;
};
[[nodiscard]] sorted_bytes sort_items(
    communicator const& comm, parts_view<global_id> const& keys, unsorted_items const& what);

} // namespace weft::detail

namespace weft {

/// Sorts items of all ranks by keys that are not negative; items with one key stay in the order (rank, part,
/// position) and come to one rank. No rank has more than 1 + tolerance times the average, unless a key has.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: a radix sort of the items here, some small
/// reductions that find where to cut, an exchange, and a merge of a run from each rank. Throws: `usage_error`
/// on all ranks, naming rank, part and position, for a negative key; where values and keys differ in number,
/// or there are 2^32 - 1 items or more on a rank; `mpi_error`.
template <bare_type T>
[[nodiscard]] sorted_items<T> sort_by_key(communicator const& comm, parts_view<global_id> const& keys,
    parts_view<T> const& values, double tolerance = 0.05) {
    std::vector<T> room;
    detail::unsorted_items what{
        std::as_bytes(detail::flat(values, room)), sizeof(T), print_of<T>(sizeof(T)), tolerance};
    if (values.items() != keys.items())
        what.failure = std::make_exception_ptr(
            usage_error("sort_by_key: " + std::to_string(values.items()) + " values but " +
                        std::to_string(keys.items()) + " keys on rank " + std::to_string(comm.rank())));
    detail::sorted_bytes bytes = detail::sort_items(comm, keys, what);
    std::size_t const items = bytes.keys.size();
    sorted_items<T> sorted{std::move(bytes.keys), std::vector<T>(items), bytes.imbalance};
    if (!sorted.values.empty()) std::memcpy(sorted.values.data(), bytes.values.data(), bytes.values.size());
    return sorted;
}

/// Sorts keys alone: the run of this rank. Otherwise as `sort_by_key`.
[[nodiscard]] inline std::vector<global_id> sort_keys(
    communicator const& comm, parts_view<global_id> const& keys, double tolerance = 0.05) {
    return detail::sort_items(comm, keys, {.tolerance = tolerance}).keys;
}

} // namespace weft
