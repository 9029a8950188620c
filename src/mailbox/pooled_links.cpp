// Links that share a pool: the part of `outgoing_mail` for many next ranks and little memory.
#include "outgoing_mail.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace weft {

namespace {

[[nodiscard]] std::size_t run_bytes(std::byte const* head) noexcept {
    return sizeof(run_head) + run_aligned(read_head(head).bytes);
}

[[nodiscard]] std::size_t left_in(out_slot const& slot) noexcept {
    return static_cast<std::size_t>(slot.end - slot.used);
}

/// A queue of links, the fullest first.
class fullest_first {
public:
    explicit fullest_first(std::size_t most) { links_.reserve(most); }
    void add(std::size_t filled, int link) { links_.push_back({filled, link}); }
    void order() { std::ranges::make_heap(links_); }
    [[nodiscard]] bool empty() const noexcept { return links_.empty(); }
    [[nodiscard]] int next() const noexcept { return links_.front().link; }
    void pop() {
        std::ranges::pop_heap(links_);
        links_.pop_back();
    }

private:
    struct entry {
        std::size_t filled;
        int link;
        auto operator<=>(entry const&) const = default;
    };
    std::vector<entry> links_;
};

} // namespace

bool outgoing_mail::nothing_open() const noexcept {
    // mutant: mail_is_left_in_the_pool
    return open_.empty() && pooled_.empty();
}

std::byte* outgoing_mail::pooled_room(
    std::size_t index, std::uint64_t key, std::size_t needed, bool may_spill) {
    cursor& at = cursors_[index];
    cursor_back& back = backs_[index];
    auto const number = static_cast<std::size_t>(back.link);
    hop const kind = links_[number].kind;
    if (!pool_.fits(kind, needed) && !make_pool_room(kind, needed, may_spill)) return nullptr;
    out_link& link = links_[number];
    // Chunks double in size, up to a fraction of the share of each active link.
    std::size_t const share = std::max<std::size_t>(64, pool_.shared() / 4 / (pooled_.size() + 1));
    std::size_t const most = std::min(share / run_alignment * run_alignment, link.longest_chunk);
    std::size_t const wanted = std::min<std::size_t>(back.next_chunk, most);
    std::size_t const bytes = pool_.fits(kind, std::max(needed, wanted)) ? std::max(needed, wanted) : needed;
    back.next_chunk = static_cast<std::uint32_t>(2 * wanted);
    if (link.held == 0) pooled_.push_back(back.link);
    at.next = pool_.take(static_cast<std::uint32_t>(number), kind, bytes);
    at.end = at.next + bytes;
    link.held += mail_pool::cost_of(bytes);
    back.listed = static_cast<std::uint32_t>(link.open_places.size());
    link.open_places.push_back(static_cast<std::uint32_t>(index));
    return begin_run(link, index, key);
}

bool outgoing_mail::let_go(out_link& link, shares_of_wire& ahead, bool whole_messages) noexcept {
    // One message of each class is always allowed: a hop waits only for later hops.
    std::int64_t& messages = ahead.messages[static_cast<int>(link.kind)];
    auto const message = static_cast<std::int64_t>(sizes_.wire_slot);
    std::int64_t const bytes = std::max(sizes_.wire_bound - ahead.bytes, messages == 0 ? message : 0);
    auto const held = static_cast<std::int64_t>(link.held);
    std::int64_t const wanted = held > message && whole_messages ? held / message * message : held;
    std::int64_t const quota = std::min(wanted, bytes);
    if (quota < wanted && quota < message) return false;
    ++messages;
    ahead.bytes += quota;
    ahead.held -= quota;
    bool const is_all = quota == static_cast<std::int64_t>(link.held); // chunks with holes are longer
    let_go(link, leaving::as_message, is_all ? SIZE_MAX : static_cast<std::size_t>(quota));
    return true;
}

void outgoing_mail::let_go(out_link& link, leaving how, std::size_t quota) noexcept {
    for (std::uint32_t const index : link.open_places) {
        // mutant: mail_in_the_pool_is_counted_twice
        close_chunk(link, index);
        backs_[index].next_chunk = first_chunk(link);
    }
    link.open_places.clear();
    link.leaves = how;
    link.quota = quota;
}

bool outgoing_mail::make_pool_room(hop kind, std::size_t needed, bool may_spill) {
    bool& is_stuck = pool_is_stuck_[static_cast<int>(kind)];
    // Runs leave rarely, and then many at once, since the chunks of all links move each time.
    bool const is_half_under_way =
        wire_slots_[static_cast<int>(kind)] > 0 && 2 * wire_bytes_ > sizes_.wire_bound;
    if ((is_stuck || is_half_under_way) && !may_spill) return false;
    fullest_first order(pooled_.size());
    for (int const number : pooled_)
        order.add(filled_bytes(links_[static_cast<std::size_t>(number)]), number);
    order.order();

    shares_of_wire ahead = shares_now();
    // The fullest links leave first, for long messages; more than necessary leave, so that this is rare.
    auto const most = static_cast<std::int64_t>(pool_.shared() / 4 * 3);
    for (; ahead.held > most && !order.empty(); order.pop())
        if (!let_go(links_[static_cast<std::size_t>(order.next())], ahead, true)) break;
    if (ahead.messages[static_cast<int>(kind)] == 0) {
        out_link* fullest = nullptr;
        for (int const number : pooled_) {
            out_link& link = links_[static_cast<std::size_t>(number)];
            if (link.kind == kind && (fullest == nullptr || link.held > fullest->held)) fullest = &link;
        }
        if (fullest != nullptr) (void)let_go(*fullest, ahead, true);
    }
    send_leaving();
    while (may_spill && !pool_.fits(kind, needed) && !pooled_.empty()) {
        int const fullest = *std::ranges::max_element(
            pooled_, {}, [&](int number) { return links_[static_cast<std::size_t>(number)].held; });
        let_go(links_[static_cast<std::size_t>(fullest)], leaving::as_spill, SIZE_MAX);
        send_leaving();
    }
    is_stuck = !pool_.fits(kind, needed);
    return !is_stuck;
}

bool outgoing_mail::hand_over_idle_of_pool(std::size_t at_least) {
    shares_of_wire ahead = shares_now();
    bool any = false;
    for (int const number : pooled_) {
        out_link& link = links_[static_cast<std::size_t>(number)];
        if (!is_idle(link) || (at_least > 0 && filled_bytes(link) < at_least)) continue;
        if (let_go(link, ahead, false)) any = true;
    }
    if (any) send_leaving();
    return any;
}

outgoing_mail::shares_of_wire outgoing_mail::shares_now() const noexcept {
    shares_of_wire now{static_cast<std::int64_t>(pool_.held()), wire_bytes_, {}};
    std::ranges::copy(wire_slots_, now.messages);
    return now;
}

void outgoing_mail::send_leaving() {
    // Chunks of a link, in the order of allocation.
    auto const begin_again = [&] {
        for (int const number : pooled_) {
            out_link& link = links_[static_cast<std::size_t>(number)];
            link.left_of_quota = link.quota;
        }
    };
    auto const goes = [&](std::uint32_t number, std::size_t bytes) {
        out_link& link = links_[number];
        bool const has_quota = bytes <= link.left_of_quota;
        // mutant: mail_overtakes_in_the_pool
        link.left_of_quota = has_quota ? link.left_of_quota - bytes : 0; // later chunks must not overtake
        return has_quota;
    };
    std::vector<pooled_run> runs;
    begin_again();
    pool_.for_each_run(goes, [&](std::uint32_t link, std::byte const* run) {
        runs.push_back({link, read_head(run).destination, run});
        // mutant: mail_leaves_the_pool_twice
        links_[link].to_write += run_bytes(run);
    });
    // By link and destination, in the order of sending.
    // mutant: mail_leaves_the_pool_in_reverse
    std::ranges::stable_sort(
        runs, {}, [](pooled_run const& each) { return std::tuple(each.link, each.destination); });
    put_together(runs);

    std::vector<int> left;
    std::vector<mail_pool::open_chunk> open;
    for (int const number : pooled_) {
        out_link& link = links_[static_cast<std::size_t>(number)];
        link.held = 0;
        if (link.leaves != leaving::no) left.push_back(number);
        for (std::uint32_t const index : link.open_places) open.push_back({cursors_[index].end, index});
    }
    std::ranges::sort(open, {}, &mail_pool::open_chunk::end);
    begin_again();
    pool_.keep(
        open, goes,
        [&](std::uint32_t link, std::size_t bytes) {
            links_[link].held += bytes;
            return links_[link].kind;
        },
        [&](std::uint32_t index, std::size_t down) {
            cursors_[index].next -= down;
            // mutant: mail_moves_in_the_pool_without_its_cursor
            cursors_[index].end -= down;
            if (backs_[index].run != nullptr) backs_[index].run -= down;
        });
    std::erase_if(pooled_, [&](int number) { return links_[static_cast<std::size_t>(number)].held == 0; });
    for (int const number : left) {
        out_link& link = links_[static_cast<std::size_t>(number)];
        link.leaves = leaving::no;
        link.quota = 0;
        push(link);
    }
    if (!left.empty()) handed_over_ = true;
}

bool outgoing_mail::join(out_slot& slot, std::byte* last, std::byte const* next) const noexcept {
    run_head first = read_head(last);
    run_head const more = read_head(next);
    // mutant: mail_in_the_pool_joins_pieces, mail_in_the_pool_joins_sources
    bool const is_the_same = first.channel == more.channel && first.how == more.how && !first.piece &&
                             !more.piece && first.destination == more.destination &&
                             first.source == more.source;
    std::size_t const bytes = std::size_t{first.bytes} + more.bytes;
    std::byte* const items = last + sizeof first;
    if (!is_the_same || bytes > longest_run_ ||
        run_aligned(bytes) > static_cast<std::size_t>(slot.end - items))
        return false;
    std::memcpy(items + first.bytes, next + sizeof more, more.bytes);
    first.bytes = static_cast<std::uint32_t>(bytes);
    std::memcpy(last, &first, sizeof first);
    slot.used = items + run_aligned(bytes);
    return true;
}

void outgoing_mail::open_message(out_link& link) {
    std::size_t const rest = sizeof(slot_head) + link.to_write;
    std::size_t const bytes = std::min(rest, sizes_.wire_slot);
    take_heap(link, buffer(bytes), bytes, link.leaves == leaving::as_spill);
    link.open.channels = 0;
    link.open.used = link.open.base + sizeof(slot_head);
    link.open.end = link.open.base + link.open.heap.size();
}

void outgoing_mail::put_together(std::vector<pooled_run> const& runs) {
    std::byte* last = nullptr; // last run of the open message, which may be extended
    auto const end_message = [&](out_link& link) {
        out_slot& slot = link.open;
        slot_head const head = head_of_slot(slot.channels);
        std::memcpy(slot.base, &head, sizeof head);
        give_message(link);
        slot.base = last = nullptr;
    };
    for (std::size_t i = 0; i < runs.size(); ++i) {
        out_link& link = links_[runs[i].link];
        if (last == nullptr || !join(link.open, last, runs[i].head)) {
            std::size_t const bytes = run_bytes(runs[i].head);
            if (link.open.base != nullptr && bytes > left_in(link.open)) end_message(link);
            if (link.open.base == nullptr) open_message(link);
            last = link.open.used;
            std::memcpy(last, runs[i].head, bytes);
            link.open.used += bytes;
        }
        link.to_write -= run_bytes(runs[i].head);
        link.open.channels = std::max(link.open.channels, std::uint32_t{read_head(runs[i].head).channel} + 1);
        if (i + 1 == runs.size() || runs[i + 1].link != runs[i].link) end_message(link);
    }
}

} // namespace weft
