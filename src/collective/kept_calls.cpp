#include "kept_calls.hpp"

#include <weft/observe/counters.hpp>
#include <weft/protocol/agreement.hpp>

#include "collective_tags.hpp"

namespace weft {

void kept_call::reduce(
    communicator const& comm, std::byte* data, array_operator& how, bool may_throw, char const* name) {
    operation_context& context = context_of(comm);
    data_ = data;
    or_alone(name, [&] {
        send_mode const mode = collective_tags::of(comm).begin();
        if (up_)
            up_->again(how, mode);
        else
            up_.emplace(context.via, collective_tags::up, call_, how, mode);
    });
    complete(context, *up_, name);
    context.count.control_messages += up_->messages();
    if (may_throw) agree(comm, up_->take_thrown());
}

void kept_call::spread(communicator const& comm, std::byte* data, char const* name) {
    operation_context& context = context_of(comm);
    data_ = data;
    or_alone(name, [&] {
        send_mode const mode = collective_tags::of(comm).begin();
        if (down_)
            down_->again(mode);
        else
            down_.emplace(context.via, collective_tags::down, call_, mode);
    });
    complete(context, *down_, name);
    context.count.control_messages += down_->messages();
}

} // namespace weft
