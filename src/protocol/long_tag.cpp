#include "long_tag.hpp"

#include "retired_tags.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <string>

namespace weft {

namespace {

/// Returns the first of `count` tags that no living object uses on any rank. Collective, since ranks may have
/// dropped different owners.
int agree_on_tag(communicator const& comm, char const* of, int count) {
    tag_pool& pool = long_tags(comm);
    retired_tags& retired = retired_tags::of(comm);
    std::int64_t candidate = tag_pool::first;
    while (true) {
        int const mine = pool.propose(static_cast<int>(candidate), count);
        census_value asked = census_value::identity();
        asked.max[0] = mine < 0 ? tag_pool::last + 1 : mine;
        asked.max[1] = -asked.max[0];
        asked.max[2] = -retired.lowest(tag_pool::first);
        asked.sum[0] = retired.count();
        asked = combine_all(comm, asked);
        candidate = asked.max[0];
        bool const is_last_way_out = candidate > tag_pool::last && asked.sum[0] > 0;
        if ((retired.have_changed(asked.sum[0]) || is_last_way_out) &&
            retired.give_back(comm, static_cast<int>(-asked.max[2]))) {
            candidate = tag_pool::first;
            continue;
        }
        if (candidate > tag_pool::last)
            throw usage_error(std::string(of) + ": too many plans and mailboxes are alive on this "
                                                "communicator; drop some, or split the communicator");
        if (candidate == -asked.max[1]) break;
    }
    for (int i = 0; i < count; ++i) pool.take(static_cast<int>(candidate) + i);
    return static_cast<int>(candidate);
}

} // namespace

long_tag::long_tag(communicator const& over, char const* of, int count)
    : comm(over), tag(or_alone(of, [&] { return agree_on_tag(over, of, count); })), count_(count) {
}

long_tag::~long_tag() {
    for (int each = tag; each < tag + count_; ++each)
        if (retired_)
            retired_tags::of(comm).owner_has_gone(each);
        else
            long_tags(comm).give_back(each);
}

void long_tag::retire() {
    for (int each = tag; each < tag + count_; ++each) retired_tags::of(comm).add(each);
    retired_ = true;
}

} // namespace weft
