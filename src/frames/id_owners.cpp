#include "id_owners.hpp"

#include "item_place.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/frames/frame_values.hpp>

#include <string>

namespace weft {

namespace {

/// Agrees on errors, and then checks that all ranks have the same distribution and options.
void agree_on_blocks(char const* call, communicator const& comm, block_distribution const& blocks,
    value_print options, std::exception_ptr const& failure) {
    char const* const unequal = options == value_print() ? "have different block distributions"
                                                         : "have different block distributions or options";
    (void)agree_on(call, comm, failure, options.add(blocks), unequal);
}

void check_parts(char const* call, communicator const& comm, block_distribution const& blocks) {
    if (blocks.parts() != comm.size())
        throw usage_error(std::string(call) + ": a distribution of " + std::to_string(blocks.parts()) +
                          " blocks for " + std::to_string(comm.size()) + " ranks");
}

} // namespace

void check_same_blocks(char const* call, communicator const& comm, block_distribution const& blocks) {
    agree_on_blocks(call, comm, blocks, {}, detail::failure_in([&] { check_parts(call, comm, blocks); }));
}

owned_ids find_all_owners(char const* call, communicator const& comm, block_distribution const& blocks,
    parts_view<global_id> const& parts, value_print const& options) {
    owned_ids found;
    std::exception_ptr const failure = detail::failure_in([&] {
        check_parts(call, comm, blocks);
        found.ids = detail::flat(parts, found.room);
        found.owners.resize(found.ids.size());
        std::size_t const outside = blocks.find_owners(found.ids, found.owners);
        if (outside < found.ids.size())
            throw usage_error(std::string(call) + ": id " + std::to_string(found.ids[outside]) +
                              where_item(comm, parts, outside) + " is outside of " +
                              std::to_string(blocks.begin()) + ".." + std::to_string(blocks.end() - 1));
    });
    agree_on_blocks(call, comm, blocks, options, failure);
    return found;
}

} // namespace weft
