#include <weft/frames/block_to_block.hpp>

#include "id_owners.hpp"
#include "move_kind.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <new>
#include <numeric>
#include <string>

namespace weft {

namespace {

exchange_plan plan_between(
    communicator const& comm, block_distribution const& from, block_distribution const& to) {
    check_same_blocks("block_to_block", comm, from);
    check_same_blocks("block_to_block", comm, to);
    if (from.begin() != to.begin() || from.end() != to.end())
        throw usage_error("block_to_block: from ids " + std::to_string(from.begin()) + ".." +
                          std::to_string(from.end() - 1) + " to " + std::to_string(to.begin()) + ".." +
                          std::to_string(to.end() - 1) + "; expected the same");
    std::vector<int> destinations;
    std::vector<std::int64_t> counts;
    global_id const end = from.end(comm.rank());
    for (global_id id = from.begin(comm.rank()); id < end;) {
        int const owner = to.owner(id);
        global_id const next = std::min(end, to.end(owner));
        destinations.push_back(owner);
        counts.push_back(next - id);
        id = next;
    }
    return exchange_plan(comm, destinations, counts);
}

} // namespace

block_to_block::block_to_block(
    communicator comm, block_distribution const& from, block_distribution const& to) try
    : plan_(plan_between(comm, from, to)) {
} catch (std::bad_alloc const&) {
    alone_unless_agreed("block_to_block");
    throw;
}

void block_to_block::run(std::span<std::byte const> from, std::span<std::byte> to, std::size_t value_bytes,
    item_type const& type, std::exception_ptr const& failure) const {
    check_move("block_to_block", plan_.comm(), failure, kind_of_move(type, value_bytes, true, false));
    plan_.exchange_bytes(from, to, value_bytes);
}

std::vector<std::int64_t> block_to_block::move_lengths(
    std::span<std::int64_t const> offsets, std::size_t values, item_type const& type) const try {
    std::vector<std::int64_t> lengths;
    std::vector<std::int64_t> moved;
    std::vector<std::int64_t> moved_offsets;
    std::exception_ptr const failure = detail::failure_in([&] {
        auto const items = static_cast<std::size_t>(plan_.outgoing_items());
        if (offsets.size() != items + 1 || offsets.front() != 0 ||
            offsets.back() != static_cast<std::int64_t>(values) || !std::ranges::is_sorted(offsets))
            throw usage_error("block_to_block: the offsets of lists on rank " +
                              std::to_string(plan_.comm().rank()) + " must be " + std::to_string(items + 1) +
                              ", ascend, and go from 0 to the " + std::to_string(values) + " values");
        for (std::size_t i = 0; i < items; ++i) lengths.push_back(offsets[i + 1] - offsets[i]);
        moved.resize(static_cast<std::size_t>(plan_.incoming_items()));
        moved_offsets.resize(moved.size() + 1);
    });
    check_move("block_to_block", plan_.comm(), failure,
        kind_of_move(type, static_cast<std::size_t>(type.bytes), true, true));
    plan_.exchange(lengths, moved);
    std::partial_sum(moved.begin(), moved.end(), moved_offsets.begin() + 1);
    return moved_offsets;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("block_to_block");
    throw;
}

exchange_plan block_to_block::plan_of_lists(
    std::span<std::int64_t const> offsets, std::exception_ptr failure) const try {
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < plan_.destinations().size(); ++i)
        counts.push_back(offsets[static_cast<std::size_t>(plan_.outgoing_offsets()[i + 1])] -
                         offsets[static_cast<std::size_t>(plan_.outgoing_offsets()[i])]);
    agree(plan_.comm(), std::move(failure));
    return exchange_plan(plan_.comm(), plan_.destinations(), counts);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("block_to_block");
    throw;
}

} // namespace weft
