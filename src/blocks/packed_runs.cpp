#include "packed_runs.hpp"

#include <weft/core/error.hpp>

#include <cstring>
#include <string>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t unit = detail::packed_message::unit;

/// Reads a message piece by piece. All pieces are multiples of `unit`, except for the items of the last one.
class piece_reader {
public:
    explicit piece_reader(std::span<std::byte const> all)
        : begin_(all.data()), at_(begin_), left_(all.size()) {
        if (left_ % unit != 0) ends_within_a_run();
    }

    [[nodiscard]] bool at_end() const noexcept { return left_ == 0; }
    /// Returns the mark of the next head, without moving on.
    [[nodiscard]] std::uint32_t mark() const noexcept {
        std::uint32_t word;
        std::memcpy(&word, at_, sizeof word);
        return word;
    }
    template <class Head>
    [[nodiscard]] Head head() {
        need(sizeof(Head));
        Head read;
        std::memcpy(&read, at_, sizeof read);
        advance(sizeof read);
        return read;
    }
    [[nodiscard]] std::span<std::byte const> items(std::size_t bytes) {
        need(bytes);
        std::span<std::byte const> const found{at_, bytes};
        advance(detail::packed_message::filled_up(bytes));
        return found;
    }
    void go_to_multiple_of(std::size_t alignment) {
        std::size_t const beyond = static_cast<std::size_t>(at_ - begin_) % alignment;
        if (beyond == 0) return;
        need(alignment - beyond);
        advance(alignment - beyond);
    }

private:
    [[noreturn]] static void ends_within_a_run() { throw wire_error("blocks: a message ends within a run"); }
    void need(std::size_t bytes) const {
        if (bytes > left_) [[unlikely]]
            ends_within_a_run();
    }
    void advance(std::size_t bytes) noexcept {
        at_ += bytes;
        left_ -= bytes;
    }

    std::byte const* begin_;
    std::byte const* at_;
    std::size_t left_;
};

} // namespace

void packed_runs::pack(detail::local_blocks& local, std::vector<stranger>* strangers) {
    (void)messages_to_partners(local);
    for (std::size_t place = 0; place < local.size(); ++place) {
        pack_block(local, place, strangers);
        local.at(place).out.clear();
    }
}

detail::packed_message* packed_runs::messages_to_partners(detail::local_blocks const& local) {
    to_partners_.resize(local.partners().size());
    return to_partners_.data();
}

void packed_runs::pack_block(
    detail::local_blocks& local, std::size_t place, std::vector<stranger>* strangers) {
    detail::block_queues& from = local.at(place);
    std::span<block_id const> const neighbors = from.neighbors.ids();
    std::size_t next = 0; // most blocks send to their neighbours in order
    for (detail::block_run const& run : from.out.runs()) {
        if (run.items.empty()) continue; // of an item that could not be encoded
        if (next == neighbors.size() || neighbors[next] != run.peer) [[unlikely]] {
            int const found = from.neighbors.index_of(run.peer);
            next = found < 0 ? neighbors.size() : static_cast<std::size_t>(found);
            if (found < 0) {
                if (strangers != nullptr)
                    strangers->push_back({place, run.peer});
                else
                    bring(local, place, local.address_of(run.peer), run);
                continue;
            }
        }
        bring(local, place, from.addresses[next++], run);
    }
}

void packed_runs::bring(detail::local_blocks& local, std::size_t place,
    detail::neighbor_address const& address, detail::block_run const& run) {
    detail::block_queues& sender = local.at(place);
    if (address.partner == detail::neighbor_address::here) {
        local.at(static_cast<std::size_t>(address.place)).pending.move_in(sender.id, sender.out, run);
        return;
    }
    detail::packed_message& packed = address.partner >= 0
                                         ? to_partners_[static_cast<std::size_t>(address.partner)]
                                         : to_others_[local.where().rank_of(run.peer)];
    std::memcpy(packed.begin(static_cast<std::int64_t>(place), address.place, run.kind, run.items.size()),
        run.items.data(), run.items.size());
    sender.out.release(run);
}

message_list packed_runs::take_messages(detail::local_blocks const& local) {
    message_list messages;
    for (std::size_t i = 0; i < to_partners_.size(); ++i)
        if (!to_partners_[i].empty()) messages.push_back({local.partners()[i], to_partners_[i].take()});
    for (auto& [rank, each] : to_others_) messages.push_back({rank, each.take()});
    to_others_.clear();
    return messages;
}

std::vector<buffer> packed_runs::take_by_partner() {
    std::vector<buffer> messages;
    messages.reserve(to_partners_.size());
    for (detail::packed_message& each : to_partners_) messages.push_back(each.take());
    return messages;
}

void packed_runs::forget() {
    for (detail::packed_message& each : to_partners_) each.clear();
    to_others_.clear();
}

void packed_runs::unpack(detail::local_blocks& local, message&& received) {
    int const source = received.peer;
    detail::blob const whole = detail::blob::of(std::move(received.data));
    std::byte const* const start = whole.bytes().data();
    detail::block_queues* const all = local.all().data();
    auto const here = static_cast<std::uint64_t>(local.size());
    std::uint64_t receivers = 0; // none before the first sender
    block_id sender{-1};
    detail::item_kind kind = 0;
    auto const receiver = [&](std::uint64_t place) -> detail::run_list& {
        if (place >= receivers) [[unlikely]]
            throw wire_error("blocks: rank " + std::to_string(local.rank()) + " has " + std::to_string(here) +
                             " blocks, and rank " + std::to_string(source) +
                             " sends a message for its block " + std::to_string(place));
        return all[place].pending;
    };
    for (piece_reader reader(whole.bytes()); !reader.at_end();) {
        std::uint32_t const mark = reader.mark();
        if (mark < detail::packed_message::long_run) [[likely]] {
            (void)reader.head<std::uint32_t>();
            receiver(mark >> detail::packed_message::size_bits)
                .add(sender, kind, reader.items(mark & detail::packed_message::short_bytes));
        } else if (mark == detail::packed_message::next_sender) {
            auto const head = reader.head<detail::packed_message::sender_head>();
            if (head.place >= local.where().blocks_of(source))
                throw wire_error("blocks: rank " + std::to_string(source) + " has no block " +
                                 std::to_string(head.place) + " that could send a message");
            sender = local.where().block_at(source, head.place);
            kind = head.kind;
            receivers = kind == 0 ? 0 : here;
        } else {
            auto const head = reader.head<detail::packed_message::long_head>();
            reader.go_to_multiple_of(detail::run_list::alignment);
            std::span<std::byte const> const items = reader.items(static_cast<std::size_t>(head.bytes));
            detail::run_list& to = receiver(static_cast<std::uint64_t>(head.place));
            if (items.size() < detail::run_list::blob_bytes)
                to.add(sender, kind, items);
            else
                to.add(
                    sender, kind, whole.part(static_cast<std::size_t>(items.data() - start), items.size()));
        }
    }
}

} // namespace weft
