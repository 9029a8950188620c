#include <weft/blocks/packed_runs.hpp>

#include <weft/core/error.hpp>

#include <cstring>
#include <string>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t unit = run_parcel::unit;

/// Reads a message piece by piece; all pieces are multiples of `unit`, but for the items in the last one.
class piece_reader {
public:
    explicit piece_reader(std::span<std::byte const> all)
        : begin_(all.data()), at_(begin_), left_(all.size()) {
        if (left_ % unit != 0) ends_within_a_run();
    }

    [[nodiscard]] bool at_end() const noexcept { return left_ == 0; }
    /// Of the next head, which is still to be read.
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
        advance(run_parcel::filled_up(bytes));
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

void packed_runs::pack(block_desks& desks, std::vector<stranger>* strangers) {
    (void)parcels_to_partners(desks);
    for (std::size_t place = 0; place < desks.size(); ++place) {
        pack_block(desks, place, strangers);
        desks.at(place).out.clear();
    }
}

run_parcel* packed_runs::parcels_to_partners(block_desks const& desks) {
    to_partners_.resize(desks.partners().size());
    return to_partners_.data();
}

void packed_runs::pack_block(block_desks& desks, std::size_t place, std::vector<stranger>* strangers) {
    block_desk& from = desks.at(place);
    std::span<block_id const> const neighbors = from.neighbors.ids();
    std::size_t next = 0; // most blocks send to their neighbours in order
    for (block_run const& run : from.out.runs()) {
        if (run.items.empty()) continue; // of an item that could not be encoded
        if (next == neighbors.size() || neighbors[next] != run.peer) [[unlikely]] {
            int const found = from.neighbors.index_of(run.peer);
            next = found < 0 ? neighbors.size() : static_cast<std::size_t>(found);
            if (found < 0) {
                if (strangers != nullptr)
                    strangers->push_back({place, run.peer});
                else
                    bring(desks, place, desks.route_to(run.peer), run);
                continue;
            }
        }
        bring(desks, place, from.routes[next++], run);
    }
}

void packed_runs::bring(
    block_desks& desks, std::size_t place, block_route const& route, block_run const& run) {
    block_desk& sender = desks.at(place);
    if (route.partner == block_route::here) {
        desks.at(static_cast<std::size_t>(route.place)).pending.move_in(sender.id, sender.out, run);
        return;
    }
    run_parcel& parcel = route.partner >= 0 ? to_partners_[static_cast<std::size_t>(route.partner)]
                                            : to_others_[desks.where().rank_of(run.peer)];
    std::memcpy(parcel.begin(static_cast<std::int64_t>(place), route.place, run.kind, run.items.size()),
        run.items.data(), run.items.size());
    sender.out.release(run);
}

message_list packed_runs::take_messages(block_desks const& desks) {
    message_list messages;
    for (std::size_t i = 0; i < to_partners_.size(); ++i)
        if (!to_partners_[i].empty()) messages.push_back({desks.partners()[i], to_partners_[i].take()});
    for (auto& [rank, each] : to_others_) messages.push_back({rank, each.take()});
    to_others_.clear();
    return messages;
}

std::vector<buffer> packed_runs::take_by_partner() {
    std::vector<buffer> messages;
    messages.reserve(to_partners_.size());
    for (run_parcel& each : to_partners_) messages.push_back(each.take());
    return messages;
}

void packed_runs::forget() {
    for (run_parcel& each : to_partners_) each.clear();
    to_others_.clear();
}

void packed_runs::unpack(block_desks& desks, message&& received) {
    int const source = received.peer;
    blob const whole = blob::of(std::move(received.data));
    std::byte const* const start = whole.bytes().data();
    block_desk* const all = desks.all().data();
    auto const here = static_cast<std::uint64_t>(desks.size());
    std::uint64_t receivers = 0; // none before the first sender
    block_id sender{-1};
    item_kind kind = 0;
    auto const receiver = [&](std::uint64_t place) -> run_list& {
        if (place >= receivers) [[unlikely]]
            throw wire_error("blocks: rank " + std::to_string(desks.rank()) + " has " + std::to_string(here) +
                             " blocks, and rank " + std::to_string(source) +
                             " sends a message for its block " + std::to_string(place));
        return all[place].pending;
    };
    for (piece_reader reader(whole.bytes()); !reader.at_end();) {
        std::uint32_t const mark = reader.mark();
        if (mark < run_parcel::long_run) [[likely]] {
            (void)reader.head<std::uint32_t>();
            receiver(mark >> run_parcel::size_bits)
                .add(sender, kind, reader.items(mark & run_parcel::short_bytes));
        } else if (mark == run_parcel::next_sender) {
            auto const head = reader.head<run_parcel::sender_head>();
            if (head.place >= desks.where().blocks_of(source))
                throw wire_error("blocks: rank " + std::to_string(source) + " has no block " +
                                 std::to_string(head.place) + " that could send a message");
            sender = desks.where().block_at(source, head.place);
            kind = head.kind;
            receivers = kind == 0 ? 0 : here;
        } else {
            auto const head = reader.head<run_parcel::long_head>();
            reader.go_to_multiple_of(run_list::alignment);
            std::span<std::byte const> const items = reader.items(static_cast<std::size_t>(head.bytes));
            run_list& to = receiver(static_cast<std::uint64_t>(head.place));
            if (items.size() < run_list::blob_bytes)
                to.add(sender, kind, items);
            else
                to.add(
                    sender, kind, whole.part(static_cast<std::size_t>(items.data() - start), items.size()));
        }
    }
}

} // namespace weft
