#include "retired_tags.hpp"

#include <weft/core/buffer.hpp>
#include <weft/extend/core/attachment.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/census.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <utility>

namespace weft {

namespace {

/// Receives all messages that were ever sent with some tags. Each rank sends one last synchronous message
/// with each tag to every other rank. Messages of one source and tag are received in order, so when these are
/// received, so are all others; when the ranks have agreed on that, no message with these tags remains. A
/// receive posted by a dropped owner matches one of the messages.
class last_messages final : public engine {
public:
    last_messages(transport& via, int control_tag, all_reduce_method method, retired_tags const& retired,
        std::vector<int> const& tags)
        : via_(via), closing_(via, control_tag, method), retired_(retired), tags_(tags) {
        for (int const tag : tags_)
            for (int rank = 0; rank < via_.size(); ++rank)
                if (rank != via_.rank()) sending_.push_back(via_.send(rank, tag, {}, send_mode::synchronous));
    }

    [[nodiscard]] progress step() override {
        if (all_sent_) {
            progress const now = closing_.step();
            closed_ = closed_ || now == progress::done;
            receive();
            return closed_ && receiving_.empty() ? progress::done
                   : now == progress::done       ? progress::none
                                                 : now;
        }
        bool const any = receive();
        std::erase_if(sending_, [&](request& each) { return via_.test(each); });
        if (!sending_.empty() || !retired_.owners_have_gone(tags_))
            return any ? progress::some : progress::none;
        all_sent_ = true;
        closing_.enter(census_value::identity());
        return progress::some;
    }
    void describe_wait(std::string& into) const override {
        if (all_sent_)
            closing_.describe_wait(into);
        else
            into += "messages of owners that were dropped; ";
    }
    [[nodiscard]] int messages() const noexcept { return closing_.messages(); }

private:
    struct arrival {
        request pending;
        buffer room;
    };

    bool receive() {
        bool any = false;
        if (!closed_)
            for (int const tag : tags_)
                while (auto const found = via_.probe(transport::any_source, tag)) {
                    arrival& made =
                        receiving_.emplace_back(arrival{{}, buffer(static_cast<std::size_t>(found->bytes))});
                    made.pending = via_.receive(*found, made.room.bytes());
                    any = true;
                }
        std::erase_if(receiving_, [&](arrival& each) { return via_.test(each.pending); });
        return any;
    }

    transport& via_;
    census closing_;
    retired_tags const& retired_;
    std::vector<int> const& tags_;
    std::vector<request> sending_;
    std::vector<arrival> receiving_;
    bool all_sent_ = false;
    bool closed_ = false;
};

} // namespace

retired_tags& retired_tags::of(communicator const& comm) {
    return attachment<retired_tags>(comm);
}

void retired_tags::add(int tag) {
    entries_.push_back({tag, false});
}

void retired_tags::owner_has_gone(int tag) noexcept {
    for (entry& each : entries_)
        if (each.tag == tag) each.owner_has_gone = true;
}

bool retired_tags::has(int tag) const noexcept {
    return std::ranges::find(entries_, tag, &entry::tag) != entries_.end();
}

int retired_tags::lowest(int from) const noexcept {
    int found = tag_pool::last + 1;
    for (entry const& each : entries_)
        if (each.tag >= from && each.tag < found) found = each.tag;
    return found;
}

bool retired_tags::owners_have_gone(std::vector<int> const& tags) const noexcept {
    return std::ranges::all_of(entries_, [&](entry const& each) {
        return each.owner_has_gone || std::ranges::find(tags, each.tag) == tags.end();
    });
}

bool retired_tags::have_changed(std::int64_t all) noexcept {
    return std::exchange(seen_, all) != all;
}

std::vector<int> retired_tags::dropped_everywhere(communicator const& comm, int first) const {
    constexpr int at_once = 31; // two flags each
    tag_pool const& pool = long_tags(comm);
    std::vector<int> found;
    while (first <= tag_pool::last) {
        int const end = std::min(first + at_once, tag_pool::last + 1);
        census_value all = census_value::identity();
        for (int tag = first; tag < end; ++tag) {
            if (has(tag))
                all.any |= std::uint64_t{1} << (tag - first);
            else if (pool.propose(tag) != tag) // it is in use here
                all.any |= std::uint64_t{1} << (at_once + tag - first);
        }
        all.max[0] = -lowest(end);
        all = combine_all(comm, all);
        for (int tag = first; tag < end; ++tag) {
            bool const is_retired = (all.any >> (tag - first) & 1) != 0;
            bool const is_alive = (all.any >> (at_once + tag - first) & 1) != 0;
            if (is_retired && !is_alive) found.push_back(tag);
        }
        first = static_cast<int>(-all.max[0]);
    }
    return found;
}

bool retired_tags::give_back(communicator const& comm, int first) {
    std::vector<int> const tags = dropped_everywhere(comm, first);
    if (tags.empty()) return false;
    auto const lease = begin_operation(comm);
    operation_context& context = context_of(comm);
    last_messages all(context.via, lease.tags().control, comm.settings().all_reduce, *this, tags);
    complete(context, all, "giving tags back");
    context.count.control_messages += all.messages();
    ++context.count.small_all_reduces;
    for (int const tag : tags)
        if (std::erase_if(entries_, [&](entry const& each) { return each.tag == tag; }) > 0)
            long_tags(comm).give_back(tag);
    return true;
}

} // namespace weft
