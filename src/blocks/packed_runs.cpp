#include <weft/blocks/packed_runs.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace weft {

namespace {

// The four bytes before a run: the receiver's place above `size_bits` bits of its bytes, or one of these.
constexpr std::uint32_t next_sender = UINT32_MAX;  // then the sender's place and the type of its items
constexpr std::uint32_t long_run = UINT32_MAX - 1; // then a long_head, and items at a multiple of 16
constexpr int size_bits = 12;
constexpr std::uint32_t short_bytes = (1U << size_bits) - 1;    // at most
constexpr std::uint32_t short_places = UINT32_MAX >> size_bits; // fewer than that
constexpr std::size_t unit = sizeof(std::uint32_t);

struct sender_head {
    std::uint32_t mark;
    item_kind kind;
    std::uint32_t place;
};

struct long_head {
    std::uint32_t mark;
    std::uint32_t unused;
    std::int64_t place;
    std::uint64_t bytes;
};

constexpr std::size_t up_to(std::size_t multiple, std::size_t bytes) noexcept {
    return (bytes + multiple - 1) / multiple * multiple;
}

/// Copies items and fills up with zeros.
void put(std::byte* room, std::span<std::byte const> items, std::size_t filled_up) {
    if (items.size() == sizeof(std::uint64_t)) { // one number: worth a call to nobody
        std::memcpy(room, items.data(), sizeof(std::uint64_t));
        return;
    }
    std::memcpy(room, items.data(), items.size());
    if (filled_up != items.size()) std::memset(room + items.size(), 0, filled_up - items.size());
}

/// Reads a message piece by piece.
class piece_reader {
public:
    explicit piece_reader(std::span<std::byte const> all) noexcept : all_(all) {}

    [[nodiscard]] bool at_end() const noexcept { return at_ == all_.size(); }
    [[nodiscard]] std::uint32_t peek() const {
        std::uint32_t word;
        need(sizeof word);
        std::memcpy(&word, all_.data() + at_, sizeof word);
        return word;
    }
    template <class Head>
    [[nodiscard]] Head head() {
        Head read;
        need(sizeof read);
        std::memcpy(&read, all_.data() + at_, sizeof read);
        at_ += sizeof read;
        return read;
    }
    [[nodiscard]] std::span<std::byte const> items(std::size_t bytes) {
        need(bytes);
        std::span<std::byte const> const found = all_.subspan(at_, bytes);
        need(up_to(unit, bytes));
        at_ += up_to(unit, bytes);
        return found;
    }
    void go_to_multiple_of(std::size_t alignment) {
        std::size_t const skipped = up_to(alignment, at_) - at_;
        need(skipped);
        at_ += skipped;
    }

private:
    void need(std::size_t bytes) const {
        if (bytes > all_.size() - at_) throw wire_error("blocks: a message ends within a run");
    }

    std::span<std::byte const> all_;
    std::size_t at_ = 0;
};

} // namespace

void packed_runs::append(parcel& to, std::size_t sender, std::int64_t receiver, block_run const& run,
    std::span<std::byte const> items) {
    buffer& data = to.data;
    if (data.empty()) data.reserve(to.usual_bytes);
    if (to.sender != static_cast<std::int64_t>(sender) || to.kind != run.kind) {
        to.sender = static_cast<std::int64_t>(sender);
        to.kind = run.kind;
        sender_head const head{next_sender, run.kind, static_cast<std::uint32_t>(sender)};
        std::memcpy(data.extend(sizeof head), &head, sizeof head);
    }
    std::size_t const filled_up = up_to(unit, items.size());
    if (items.size() <= short_bytes && receiver < short_places) {
        std::uint32_t const head =
            static_cast<std::uint32_t>(receiver) << size_bits | static_cast<std::uint32_t>(items.size());
        std::byte* const room = data.extend(unit + filled_up);
        std::memcpy(room, &head, unit);
        put(room + unit, items, filled_up);
        return;
    }
    long_head const head{long_run, 0, receiver, items.size()};
    std::memcpy(data.extend(sizeof head), &head, sizeof head);
    std::size_t const skipped = up_to(run_list::alignment, data.size()) - data.size();
    std::memset(data.extend(skipped), 0, skipped);
    put(data.extend(filled_up), items, filled_up);
}

std::int64_t packed_runs::pack(block_desks& desks, std::vector<stranger>* strangers) {
    to_partners_.resize(desks.partners().size());
    std::int64_t packed = 0;
    for (std::size_t place = 0; place < desks.size(); ++place) {
        packed += pack_block(desks, place, strangers);
        desks.at(place).out.clear();
    }
    return packed;
}

std::int64_t packed_runs::pack_block(
    block_desks& desks, std::size_t place, std::vector<stranger>* strangers) {
    run_list& out = desks.at(place).out;
    block_id const sender = desks.at(place).id;
    block_desk* const all = desks.all().data();
    block_route const* const routes = desks.routes_of(place).data();
    std::span<block_id const> const neighbors = desks.at(place).neighbors.ids();
    std::size_t next = 0; // most blocks send to their neighbours in order
    std::int64_t packed = 0;
    for (block_run const& run : out.runs()) {
        if (run.bytes == 0) continue; // of an item that could not be encoded
        if (next == neighbors.size() || neighbors[next] != run.peer) [[unlikely]] {
            int const found = desks.at(place).neighbors.index_of(run.peer);
            next = found < 0 ? neighbors.size() : static_cast<std::size_t>(found);
            if (found < 0) {
                if (strangers != nullptr)
                    strangers->push_back({place, run.peer});
                else
                    bring(desks, place, desks.route_to(run.peer), run);
                packed += strangers == nullptr ? 1 : 0;
                continue;
            }
        }
        block_route const& route = routes[next++];
        ++packed;
        if (route.partner == block_route::here)
            all[route.place].pending.move_in(sender, out, run);
        else
            bring(desks, place, route, run);
    }
    return packed;
}

void packed_runs::bring(
    block_desks& desks, std::size_t place, block_route const& route, block_run const& run) {
    block_desk& sender = desks.at(place);
    if (route.partner == block_route::here) {
        desks.at(static_cast<std::size_t>(route.place)).pending.move_in(sender.id, sender.out, run);
        return;
    }
    append(route.partner >= 0 ? to_partners_[static_cast<std::size_t>(route.partner)]
                              : to_others_[desks.where().rank_of(run.peer)],
        place, route.place, run, sender.out.bytes_of(run));
    sender.out.release(run);
}

buffer packed_runs::taken_from(parcel& from) {
    constexpr std::size_t much = 65536;
    from.usual_bytes = std::min(std::max(from.usual_bytes, from.data.size()), much);
    from.sender = -1;
    return std::exchange(from.data, {});
}

std::vector<message> packed_runs::take_messages(block_desks const& desks) {
    std::vector<message> messages;
    for (std::size_t i = 0; i < to_partners_.size(); ++i)
        if (!to_partners_[i].data.empty())
            messages.push_back({desks.partners()[i], taken_from(to_partners_[i])});
    for (auto& [rank, each] : to_others_) messages.push_back({rank, std::move(each.data)});
    to_others_.clear();
    return messages;
}

std::vector<buffer> packed_runs::take_by_partner() {
    std::vector<buffer> messages;
    messages.reserve(to_partners_.size());
    for (parcel& each : to_partners_) messages.push_back(taken_from(each));
    return messages;
}

void packed_runs::unpack(block_desks& desks, message&& received) {
    int const source = received.peer;
    blob const whole = blob::of(std::move(received.data));
    std::byte const* const start = whole.bytes().data();
    block_id sender{-1};
    item_kind kind = 0;
    auto const receiver = [&](std::int64_t place) -> run_list& {
        if (place < 0 || place >= static_cast<std::int64_t>(desks.size()) || kind == 0)
            throw wire_error("blocks: rank " + std::to_string(desks.rank()) + " has " +
                             std::to_string(desks.size()) + " blocks, and rank " + std::to_string(source) +
                             " sends a message for its block " + std::to_string(place));
        return desks.at(static_cast<std::size_t>(place)).pending;
    };
    for (piece_reader reader(whole.bytes()); !reader.at_end();) {
        std::uint32_t const mark = reader.peek();
        if (mark == next_sender) {
            auto const head = reader.head<sender_head>();
            if (head.place >= desks.where().blocks_of(source))
                throw wire_error("blocks: rank " + std::to_string(source) + " has no block " +
                                 std::to_string(head.place) + " that could send a message");
            sender = desks.where().block_at(source, head.place);
            kind = head.kind;
        } else if (mark == long_run) {
            auto const head = reader.head<long_head>();
            reader.go_to_multiple_of(run_list::alignment);
            std::span<std::byte const> const items = reader.items(static_cast<std::size_t>(head.bytes));
            if (items.size() < run_list::blob_bytes)
                receiver(head.place).add(sender, kind, items);
            else
                receiver(head.place)
                    .add(sender, kind,
                        whole.part(static_cast<std::size_t>(items.data() - start), items.size()));
        } else {
            (void)reader.head<std::uint32_t>();
            receiver(mark >> size_bits).add(sender, kind, reader.items(mark & short_bytes));
        }
    }
}

} // namespace weft
