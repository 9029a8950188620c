#include "frames_of_c.hpp"

#include <weft/detail/core/hash.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace weft::c {

namespace {

/// The lists that have come, one for each place: those of a place joined, in the order in which they stand,
/// or the first of them.
weft_lists by_place(
    item_plan const& plan, item_plan::ragged_bytes const& moved, std::size_t item_bytes, bool only_first) {
    std::vector<std::int64_t> lengths(plan.place_count(), 0);
    std::vector<bool> seen(plan.place_count());
    std::vector<std::size_t> taken;
    for (std::size_t link = 0; link < plan.links_of_places(); ++link) {
        std::uint64_t const place = plan.place(link);
        if (place == item_plan::nowhere || (only_first && seen[place])) continue;
        seen[place] = true;
        taken.push_back(link);
        lengths[place] += moved.offsets[link + 1] - moved.offsets[link];
    }
    weft_lists made{offsets_of(lengths), {}};
    made.items.resize(static_cast<std::size_t>(made.offsets.back()) * item_bytes);
    std::vector<std::int64_t> next(made.offsets);
    for (std::size_t const link : taken) {
        std::int64_t& at = next[plan.place(link)];
        std::int64_t const length = moved.offsets[link + 1] - moved.offsets[link];
        if (length != 0)
            std::memcpy(made.items.data() + static_cast<std::size_t>(at) * item_bytes,
                moved.values.data() + static_cast<std::size_t>(moved.offsets[link]) * item_bytes,
                static_cast<std::size_t>(length) * item_bytes);
        at += length;
    }
    return made;
}

} // namespace

frame_arguments::frame_arguments(char const* name, weft_comm const* given_comm, weft_parts const* given_parts,
    weft_blocks const* given_blocks)
    : comm(given(given_comm, "comm").of) {
    gate open(comm, name);
    agreed(open, [&] {
        parts = parts_of(given_parts);
        blocks = &given(given_blocks, "blocks").of;
    });
}

parts_view<global_id> parts_of(weft_parts const* given_parts) {
    weft_parts const& from = given(given_parts, "parts");
    parts_view<global_id> parts;
    std::int64_t at = 0;
    if (from.parts != 0) expect_given(from.sizes, "sizes of parts");
    for (std::size_t part = 0; part < from.parts; ++part) {
        std::int64_t const size = from.sizes[part];
        if (size < 0)
            throw usage_error("part " + std::to_string(part) + " has a size of " + std::to_string(size));
        if (size > 0) expect_given(from.ids, "ids of parts");
        parts.add({size == 0 ? nullptr : from.ids + at, static_cast<std::size_t>(size)});
        at += size;
    }
    return parts;
}

item_type type_of_values(std::size_t item_bytes, int kind) {
    return {
        detail::fnv_hash().add("items of C").add(item_bytes).add(static_cast<std::uint64_t>(kind)).folded(),
        static_cast<std::int64_t>(item_bytes), "items of C"};
}

item_plan::move value_move(item_plan const& plan, char const* name, std::size_t item_bytes) {
    item_plan::move what;
    what.name = name;
    std::size_t const most = std::max({plan.items(), plan.place_count(), plan.links_of_places()});
    what.failure = detail::failure_in(
        [&] { detail::check_stride(plan.comm(), name, most, item_bytes, 1); }); // a stride of bytes
    if (what.failure) return what;
    what.value_bytes = item_bytes;
    what.type = type_of_values(item_bytes);
    return what;
}

item_plan::ragged_move list_move(char const* name, weft_lists_of const* given_lists, std::size_t count) {
    item_plan::ragged_move what;
    what.name = name;
    what.failure = detail::failure_in([&] {
        weft_lists_of const& lists = given(given_lists, "lists");
        if (lists.item_bytes == 0) throw usage_error(std::string(name) + ": items of 0 bytes");
        what.value_bytes = lists.item_bytes;
        what.type = type_of_values(lists.item_bytes);
        if (count == 0) return;
        expect_given(lists.offsets, "offsets of lists");
        what.offsets = {lists.offsets, count + 1};
        if (lists.offsets[count] <= 0) return;
        expect_given(lists.items, "items of lists");
        what.values = {static_cast<std::byte const*>(lists.items),
            static_cast<std::size_t>(lists.offsets[count]) * lists.item_bytes};
    });
    return what;
}

void move_lists(
    item_plan const& plan, item_plan::ragged_move const& what, taken_lists taken, weft_lists** made) {
    weft_lists lists;
    detail::take_lists(plan, what, [&](item_plan::ragged_bytes&& moved) {
        if (taken == taken_lists::each)
            lists = {std::move(moved.offsets), std::move(moved.values)};
        else
            lists = by_place(plan, moved, what.value_bytes, taken == taken_lists::first);
    });
    hand_over(new weft_lists(std::move(lists)), made);
}

} // namespace weft::c

size_t weft_lists_count(weft_lists const* lists) {
    return lists == nullptr ? 0 : lists->offsets.size() - 1;
}

int64_t const* weft_lists_offsets(weft_lists const* lists) {
    return lists == nullptr ? nullptr : lists->offsets.data();
}

void const* weft_lists_items(weft_lists const* lists) {
    return lists == nullptr ? nullptr : lists->items.data();
}

void weft_lists_free(weft_lists* lists) {
    delete lists;
}
