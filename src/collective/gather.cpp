#include "broadcast_engine.hpp"

#include <weft/collective/gather.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <weft/extend/protocol/engine.hpp>
#include <weft/observe/counters.hpp>

#include "agreed_failure.hpp"
#include "collective_tags.hpp"

#include <cstring>
#include <new>
#include <optional>

namespace weft {

namespace {

/// Bytes of consecutive ranks: before those of each rank their number.
class gathered_bytes final : public detail::merged_values {
public:
    gathered_bytes() : values_(1) {}

    void add(buffer const& mine) {
        values_[0].reserve(sizeof(std::uint64_t) + mine.size());
        std::uint64_t const length = mine.size();
        values_[0].append(&length, sizeof(length));
        values_[0].append(mine.data(), mine.size());
    }

    void write(std::size_t value, buffer& to) override {
        to.append(values_[value].data(), values_[value].size());
    }
    std::size_t read(std::span<std::byte const> from) override {
        values_.emplace_back();
        values_.back().append(from.data(), from.size());
        return values_.size() - 1;
    }
    void combine(std::size_t left, std::size_t right) override {
        values_[left].append(values_[right].data(), values_[right].size());
        values_[right] = buffer();
    }

    void finish(std::size_t value) override {
        std::byte const* at = values_[value].data();
        std::byte const* const end = at + values_[value].size();
        for (int rank = 0; at != end; ++rank) {
            std::uint64_t length = 0;
            std::memcpy(&length, at, sizeof(length));
            at += sizeof(length);
            message next{rank};
            next.data.append(at, length);
            by_rank_.push_back(std::move(next));
            at += length;
        }
    }

    [[nodiscard]] message_list take() noexcept { return std::move(by_rank_); }

private:
    std::vector<buffer> values_;
    message_list by_rank_; // on rank 0, in the end
};

} // namespace

message_list gather_bytes(communicator const& comm, buffer mine, std::exception_ptr failure) try {
    // Nothing gets less on the way, so few hops are what counts.
    constexpr int k = 8;
    gathered_bytes values;
    try {
        values.add(mine);
    } catch (...) {
        if (!failure) failure = std::current_exception();
    }
    (void)detail::merge_ranks(comm,
        {.values = values, .k = k, .to = detail::merged_to::root, .failure = std::move(failure)},
        "gather_bytes");
    return values.take();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("gather_bytes");
    throw;
}

buffer broadcast_bytes(communicator const& comm, buffer of_root, std::exception_ptr failure, int root) {
    detail::check_root(comm, root, "broadcast");
    operation_context& context = context_of(comm);
    std::optional<broadcast_engine> down;
    or_alone("broadcast",
        [&] { down.emplace(context.via, collective_tags::down, root, collective_tags::of(comm).begin()); });
    if (comm.rank() == root) {
        try {
            if (!failure) down->bytes().append(of_root.data(), of_root.size());
        } catch (...) { failure = std::current_exception(); }
        down->fill(failure ? root : -1);
    } else {
        failure = nullptr;
    }
    complete(context, *down, "broadcast");
    context.count.control_messages += down->messages();
    detail::throw_known_failure(comm, down->lowest_failed(), std::move(failure));
    if (comm.rank() == root) return of_root;
    return down->take();
}

} // namespace weft
