#include "gated_sums.hpp"

#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace weft {

namespace {

constexpr std::int64_t no_share = INT64_MIN;

/// Throws an error when all ranks already know which rank failed first.
void throw_known(gate& open, int lowest_failed) {
    auto const lease = or_alone(open.call(), [&] { return begin_operation(open.comm()); });
    operation_context& context = context_of(open.comm());
    agreement joint(context.via, lease.tags().control, open.comm().settings().all_reduce);
    joint.enter_known(lowest_failed, open.take());
    complete(context, joint, open.call());
    joint.rethrow();
}

} // namespace

std::int64_t sum(gate& open, std::int64_t mine) {
    census_value carried = census_value::identity();
    carried.sum[0] = mine;
    return open.agree(carried).sum[0];
}

std::int64_t max(gate& open, std::int64_t mine) {
    census_value carried = census_value::identity();
    carried.max[census_slot::load_messages] = mine;
    return open.agree(carried).max[census_slot::load_messages];
}

prefix exclusive_sum(gate& open, std::int64_t mine) {
    std::vector<std::int64_t> const all = all_gather(open.comm(), open.failed() ? no_share : mine);
    if (auto const failed = std::ranges::find(all, no_share); failed != all.end())
        throw_known(open, static_cast<int>(failed - all.begin()));
    auto const here = all.begin() + open.comm().rank();
    std::int64_t const before = std::accumulate(all.begin(), here, std::int64_t{0});
    return {before, std::accumulate(here, all.end(), before)};
}

} // namespace weft
