#include "small_reductions.hpp"

#include <weft/extend/core/attachment.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/agreement.hpp>

#include "agreed_failure.hpp"
#include "collective_tags.hpp"

namespace weft::detail {

void reduce_small(
    communicator const& comm, rank_array mine, array_operator& how, small_reduction const& what) {
    expect_no_lone_failure(); // others would take what it sends for their next reduction
    operation_context& context = context_of(comm);
    // The engine cannot tell the others before it has its memory.
    small_reductions& all =
        or_alone(what.name, [&]() -> small_reductions& { return attachment<small_reductions>(comm); });
    auto now = or_alone(what.name, [&] {
        (void)collective_tags::of(comm);
        auto made = all.take(context.via, collective_tags::up, mine.elements, mine.element_bytes);
        made->engine.begin(mine.data, how,
            what.prefix ? doubling_reduction::reach::prefix : doubling_reduction::reach::all, what.failure);
        return made;
    });
    doubling_reduction& over = now->engine;
    complete(context, over, what.name);
    context.count.control_messages += over.messages();
    int const failed = over.lowest_failed();
    std::exception_ptr const thrown = over.take_thrown();
    all.keep(std::move(now));
    throw_known_failure(comm, failed, thrown);
    if (what.may_throw) agree(comm, thrown);
}

} // namespace weft::detail
