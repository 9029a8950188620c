#include "broadcast_engine.hpp"
#include "merge_engine.hpp"
#include "scan_engine.hpp"

#include <weft/detail/collective/merge_ranks.hpp>

#include <weft/core/error.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/agreement.hpp>

#include "agreed_failure.hpp"
#include "collective_tags.hpp"

#include <optional>
#include <string>

namespace weft::detail {

void check_root(communicator const& comm, int root, char const* operation) {
    if (root < 0 || root >= comm.size())
        throw usage_error(std::string(operation) + ": the root " + std::to_string(root) + " is not among " +
                          std::to_string(comm.size()) + " ranks");
}

void throw_known_failure(communicator const& comm, int lowest_failed, std::exception_ptr thrown) {
    if (lowest_failed < 0) return;
    auto const lease = begin_operation(comm);
    operation_context& context = context_of(comm);
    agreement joint(context.via, lease.tags().control, comm.settings().all_reduce);
    joint.enter_known(lowest_failed, std::move(thrown));
    complete(context, joint, "agree");
    joint.rethrow();
}

std::size_t merge_ranks(communicator const& comm, rank_merge const& what, char const* operation) {
    check_root(comm, what.root, operation);
    operation_context& context = context_of(comm);
    std::optional<merge_engine> up; // other ranks do not hear of it where there is no memory for the engines
    std::optional<broadcast_engine> down;
    or_alone(operation, [&] {
        send_mode const mode = collective_tags::of(comm).begin();
        up.emplace(context.via, collective_tags::up, merge_schedule(comm.size(), what.k, {.root = what.root}),
            participants::ranks(comm.rank()), what.values, mode);
        down.emplace(context.via, collective_tags::down, what.root, mode);
    });
    if (what.failure) up->fail(what.failure);
    complete(context, *up, operation);

    std::exception_ptr thrown = up->thrown();
    std::size_t value = 0;
    if (comm.rank() == what.root) {
        int failed = up->lowest_failed();
        if (failed < 0) value = or_alone(operation, [&] { return up->results().front().value; });
        if (failed < 0) {
            try {
                if (what.to == merged_to::root)
                    what.values.finish(value);
                else if (comm.size() > 1)
                    what.values.write(value, down->bytes());
            } catch (...) {
                thrown = std::current_exception();
                failed = what.root;
            }
        }
        down->fill(failed);
    }
    complete(context, *down, operation);
    context.count.control_messages += up->messages() + down->messages();
    throw_known_failure(comm, down->lowest_failed(), std::move(thrown));
    if (what.to == merged_to::root) return value;
    std::exception_ptr unread;
    try {
        if (comm.rank() != what.root) value = what.values.read(down->received());
    } catch (...) { unread = std::current_exception(); }
    if (what.values.reading_may_throw())
        agree(comm, std::move(unread));
    else if (unread)
        or_alone(operation, [&] { std::rethrow_exception(unread); }); // for want of memory
    return value;
}

int value_k(communicator const& comm, double bytes) {
    return merge_k(comm.machine(), comm.size(), bytes);
}

std::size_t scan_ranks(communicator const& comm, merged_values& values, char const* operation) {
    operation_context& context = context_of(comm);
    std::optional<scan_engine> over;
    or_alone(operation, [&] {
        over.emplace(context.via, collective_tags::up, participants::ranks(comm.rank()), comm.size(), values,
            collective_tags::of(comm).begin());
    });
    complete(context, *over, operation);
    context.count.control_messages += over->messages();
    // No rank hears of all others: one may fail in its last round.
    agree(comm, over->thrown());
    return or_alone(operation, [&] { return over->results().front(); });
}

} // namespace weft::detail
