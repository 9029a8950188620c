#include "id_owners.hpp"

#include "item_place.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <string>

namespace weft {

namespace {

/// A number that two distributions have in common once in 2^62 if they differ.
std::int64_t print_of_blocks(block_distribution const& blocks) {
    std::uint64_t print = 14695981039346656037U;
    auto const add = [&](std::int64_t value) {
        print = (print ^ static_cast<std::uint64_t>(value)) * 1099511628211U;
        print ^= print >> 29;
    };
    for (int part = 0; part <= blocks.parts(); ++part) add(blocks.begin(part));
    return static_cast<std::int64_t>(print >> 2);
}

/// Agrees on what failed; then whether all have the same distribution.
void agree_on_blocks(char const* call, communicator const& comm, block_distribution const& blocks,
    std::exception_ptr const& failure) {
    std::int64_t const print = failure ? 0 : print_of_blocks(blocks);
    census_value value = census_value::identity();
    value.any = failure ? 1 : 0;
    value.max[0] = print;
    value.max[1] = -print;
    value = combine_all(comm, value);
    if (value.any != 0) agree(comm, failure);
    if (value.max[0] != -value.max[1])
        throw usage_error(std::string(call) + ": the ranks have different block distributions");
}

void check_parts(char const* call, communicator const& comm, block_distribution const& blocks) {
    if (blocks.parts() != comm.size())
        throw usage_error(std::string(call) + ": a distribution of " + std::to_string(blocks.parts()) +
                          " blocks for " + std::to_string(comm.size()) + " ranks");
}

} // namespace

void check_same_blocks(char const* call, communicator const& comm, block_distribution const& blocks) {
    std::exception_ptr failure;
    try {
        check_parts(call, comm, blocks);
    } catch (...) { failure = std::current_exception(); }
    agree_on_blocks(call, comm, blocks, failure);
}

owned_ids find_all_owners(char const* call, communicator const& comm, block_distribution const& blocks,
    parts_view<global_id> const& parts) {
    owned_ids found;
    std::exception_ptr failure;
    try {
        check_parts(call, comm, blocks);
        found.ids = detail::flat(parts, found.room);
        found.owners.resize(found.ids.size());
        std::size_t const outside = blocks.find_owners(found.ids, found.owners);
        if (outside < found.ids.size())
            throw usage_error(std::string(call) + ": id " + std::to_string(found.ids[outside]) +
                              where_item(comm, parts, outside) + " is outside of " +
                              std::to_string(blocks.begin()) + ".." + std::to_string(blocks.end() - 1));
    } catch (...) { failure = std::current_exception(); }
    agree_on_blocks(call, comm, blocks, failure);
    return found;
}

} // namespace weft
