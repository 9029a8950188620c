#include <weft/protocol/collectives.hpp>

#include <core/left_memory.hpp>

#include <weft/extend/protocol/census.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/observe/counters.hpp>

#include <numeric>
#include <utility>

namespace weft {

namespace {

/// One all-to-all of words as an engine.
class word_exchange final : public engine {
public:
    word_exchange(transport& via, std::vector<std::int64_t> mine)
        : via_(via),
          mine_(std::move(mine)),
          theirs_(mine_.size()),
          pending_(via.all_to_all(mine_, theirs_)) {}
    ~word_exchange() override {
        if (!pending_) return;
        leave_to_mpi(std::move(mine_)); // an error has ended the call while MPI is at work on them
        leave_to_mpi(std::move(theirs_));
    }

    [[nodiscard]] progress step() override { return via_.test(pending_) ? progress::done : progress::none; }
    [[nodiscard]] std::vector<std::int64_t> take() { return std::move(theirs_); }

private:
    transport& via_;
    std::vector<std::int64_t> mine_;
    std::vector<std::int64_t> theirs_;
    request pending_;
};

census_value one_maximum(std::int64_t value) {
    census_value carried = census_value::identity();
    carried.max[0] = value;
    return carried;
}

} // namespace

census_value combine_all(communicator const& comm, census_value const& mine) {
    auto const lease = or_alone("combine_all", [&] { return begin_operation(comm); });
    operation_context& context = context_of(comm);
    census joint(context.via, lease.tags().control, comm.settings().all_reduce);
    or_alone("combine_all", [&] { joint.enter(mine); });
    complete(context, joint, "combine_all");
    context.count.control_messages += joint.messages();
    ++context.count.small_all_reduces;
    return joint.result();
}

std::int64_t sum(communicator const& comm, std::int64_t mine) {
    census_value carried = census_value::identity();
    carried.sum[0] = mine;
    return combine_all(comm, carried).sum[0];
}

std::int64_t max(communicator const& comm, std::int64_t mine) {
    return combine_all(comm, one_maximum(mine)).max[0];
}

std::int64_t min(communicator const& comm, std::int64_t mine) {
    return ~max(comm, ~mine); // ~x = -x - 1 reverses the order and cannot overflow
}

std::vector<std::int64_t> detail::gather_words(communicator const& comm, std::int64_t mine) {
    // No tags are needed, but the operation must have its place in the order of calls.
    auto const lease = or_alone("all_gather", [&] { return begin_operation(comm); });
    operation_context& context = context_of(comm);
    auto words = or_alone("all_gather", [&] {
        return word_exchange(
            context.via, std::vector<std::int64_t>(static_cast<std::size_t>(comm.size()), mine));
    });
    complete(context, words, "all_gather");
    return words.take();
}

prefix exclusive_sum(communicator const& comm, std::int64_t mine) {
    auto const all = all_gather(comm, mine);
    auto const here = all.begin() + comm.rank();
    std::int64_t const before = std::accumulate(all.begin(), here, std::int64_t{0});
    return {before, std::accumulate(here, all.end(), before)};
}

} // namespace weft
