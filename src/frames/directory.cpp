#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/directory.hpp>

#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/agreement.hpp>

#include <new>

namespace weft {

directory::directory(communicator comm, parts_view<global_id> const& registered) try
    : comm_(std::move(comm)) {
    blocks_ = balance_blocks(comm_, registered).blocks;
    part_to_block const plan(comm_, blocks_, registered);
    std::vector<item_location> mine;
    agreed(comm_, [&] {
        mine.reserve(registered.items());
        for (std::size_t part = 0; part < registered.parts(); ++part)
            for (std::size_t i = 0; i < registered[part].size(); ++i)
                mine.push_back({comm_.rank(), static_cast<std::int32_t>(part), static_cast<std::int64_t>(i)});
        ids_.assign(plan.ids().begin(), plan.ids().end());
    });
    locations_ = plan.merge(mine);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("directory");
    throw;
}

ragged<item_location> directory::find(std::span<global_id const> asked) const try {
    // Ids beyond the blocks are unknown, but no error.
    std::vector<global_id> known;
    std::vector<std::int64_t> offsets;
    agreed(comm_, [&] {
        known.reserve(asked.size());
        for (global_id const id : asked)
            if (blocks_.contains(id)) known.push_back(id);
        if (known.size() < asked.size()) offsets.reserve(asked.size() + 1);
    });
    block_to_part const plan(comm_, blocks_, known, ids_, {.missing_allowed = true});
    ragged<item_location> found = plan.exchange(locations_);
    if (known.size() == asked.size()) return found;
    offsets.push_back(0);
    std::size_t next = 0;
    for (global_id const id : asked)
        offsets.push_back(offsets.back() + (blocks_.contains(id) ? found.length(next++) : 0));
    found.offsets = std::move(offsets);
    return found;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("directory");
    throw;
}

} // namespace weft
