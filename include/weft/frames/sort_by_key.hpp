/// Sorts items of all ranks by their keys.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/core/huge_pages.hpp>
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

/// This rank's items of the sorted sequence; rank 0 has the first items.
template <class T>
struct sorted_items {
    std::vector<global_id> keys; ///< ascending
    std::vector<T> values;       ///< the values, in the order of their keys
    double imbalance = 0;        ///< the largest number of items of a rank divided by the average, minus 1
};

} // namespace weft

namespace weft::detail {

/// The values to sort, all of the same size, in the order of the given keys; or the error of a rank that
/// cannot take part.
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
/// Receives the sorted items of this rank. Its exceptions are thrown on all ranks.
class sorted_taker {
public:
    virtual void take(sorted_bytes&& run) = 0;

protected:
    ~sorted_taker() = default;
};
/// Sorts bytes. Collective, Blocks, Cost, Throws: as `sort_by_key`.
void sort_items(communicator const& comm, parts_view<global_id> const& keys, unsorted_items const& what,
    sorted_taker& taker);
/// Sorts keys without values. Collective, Blocks, Cost, Throws: as `sort_keys`.
[[nodiscard]] std::vector<global_id> sort_keys_alone(
    communicator const& comm, parts_view<global_id> const& keys, double tolerance);

} // namespace weft::detail

namespace weft {

/// Sorts items of all ranks by keys that are not negative; items with the same key stay in the order (rank,
/// part, position) and are on one rank. No rank gets more than (1 + tolerance) times the average number of
/// items, unless a single key has more items; for this limit the keys 2^63 - 2 and 2^63 - 1 count as one key.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: a radix sort of this rank's items, some small
/// reductions that find the bounds between ranks, an exchange, and a merge of the received items. Throws:
/// `usage_error` on all ranks, whose text names rank, part and position, for a negative key; if values and
/// keys differ in number, a rank has 2^32 - 1 items or more, or the tolerance is negative or differs between
/// ranks; `std::bad_alloc`, on all ranks; `mpi_error`.
template <bare_type T>
[[nodiscard]] sorted_items<T> sort_by_key(communicator const& comm, parts_view<global_id> const& keys,
    parts_view<T> const& values, double tolerance = 0.05) {
    struct typed_taker final : detail::sorted_taker {
        void take(detail::sorted_bytes&& run) override {
            detail::resize_in_huge_pages(sorted.values, run.keys.size());
            if (!sorted.values.empty())
                std::memcpy(sorted.values.data(), run.values.data(), run.values.size());
            sorted.keys = std::move(run.keys);
            sorted.imbalance = run.imbalance;
        }
        sorted_items<T> sorted;
    };
    std::vector<T> room;
    detail::unsorted_items what{{}, sizeof(T), print_of<T>(sizeof(T)), tolerance};
    what.failure = detail::failure_in([&] {
        if (values.items() != keys.items())
            throw usage_error("sort_by_key: " + std::to_string(values.items()) + " values but " +
                              std::to_string(keys.items()) + " keys on rank " + std::to_string(comm.rank()));
        what.values = std::as_bytes(detail::flat(values, room));
    });
    typed_taker taker;
    detail::sort_items(comm, keys, what, taker);
    return std::move(taker.sorted);
}

/// Sorts keys without values, and returns this rank's section of the sorted keys. All else is the same as for
/// `sort_by_key`.
[[nodiscard]] inline std::vector<global_id> sort_keys(
    communicator const& comm, parts_view<global_id> const& keys, double tolerance = 0.05) {
    return detail::sort_keys_alone(comm, keys, tolerance);
}

} // namespace weft
