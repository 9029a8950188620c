#include "frames_of_c.hpp"
#include "operators.hpp"

#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/agreement.hpp>

#include <cstring>
#include <utility>

struct weft_block_to_part {
    weft::block_to_part of;
};

struct weft_part_to_block {
    weft::part_to_block of;
    std::vector<std::int64_t> offsets; // of the values of each id
};

namespace weft::c {

namespace {

/// The operator of a reduction of values, or why this rank has none.
struct combined_items {
    chosen_operator chosen;
    std::size_t item_bytes = 0;
    std::exception_ptr failure;

    template <class Choose>
    combined_items(char const* name, std::size_t elements, Choose&& choose_how) {
        failure = detail::failure_in([&] {
            chosen = choose_how();
            if (elements == 0 || chosen.element_bytes == 0)
                throw usage_error(std::string(name) + ": items of 0 bytes");
            item_bytes = elements * chosen.element_bytes;
        });
    }
};

/// Values on their way to the places of a plan, where each link has room of its own.
class arrivals {
public:
    arrivals(item_plan const& plan, char const* name, std::size_t item_bytes) noexcept
        : plan_(plan), what_(value_move(plan, name, item_bytes)) {
        what_.to_places = true;
    }
    void fail(std::exception_ptr failure) {
        if (failure) what_.failure = std::move(failure);
    }
    void type(item_type const& type) noexcept { what_.type = type; }

    /// Moves values into room of the program, or into that of this object.
    std::byte const* move(void const* parts, void* into) {
        what_.from = values_at<std::byte const>(parts, plan_.items(), what_.value_bytes);
        what_.to = values_at<std::byte>(into, plan_.links_of_places(), what_.value_bytes);
        plan_.run(what_);
        return what_.to.data();
    }
    std::byte const* move(void const* parts) {
        fail(detail::failure_in([&] { room_.resize(plan_.links_of_places() * what_.value_bytes + 1); }));
        return move(parts, room_.data());
    }

private:
    item_plan const& plan_;
    item_plan::move what_;
    buffer room_;
};

/// The error where an array of the program is missing, which is agreed with the move; else null.
std::exception_ptr missing(char const* name, void const* array, std::size_t items) {
    return detail::failure_in([&] {
        if (items != 0) expect_given(array, name);
    });
}

/// Combines values that come to places with those that are there, which the first of a place becomes where
/// `begins`. An operator of the program may fail, which takes an agreement.
void combine_at_places(item_plan const& plan, char const* name, void const* parts, void* places,
    std::size_t elements, combined_items const& how, item_type const& type, bool begins, bool may_throw) {
    arrivals come(plan, name, how.failure ? 1 : how.item_bytes);
    come.type(type);
    come.fail(missing("the room for values", places, plan.place_count()));
    come.fail(how.failure);
    std::byte const* const arrived = come.move(parts);
    auto const combine_all = [&] {
        std::vector<bool> seen(begins ? plan.place_count() : 0);
        for (std::size_t link = 0; link < plan.links_of_places(); ++link) {
            std::uint64_t const place = plan.place(link);
            if (place == item_plan::nowhere) continue;
            std::byte* const into = static_cast<std::byte*>(places) + place * how.item_bytes;
            std::byte const* const value = arrived + link * how.item_bytes;
            if (begins && !seen[place]) {
                seen[place] = true;
                std::memcpy(into, value, how.item_bytes);
            } else {
                how.chosen.how->combine(into, value, elements, false);
            }
        }
    };
    if (may_throw)
        agree(plan.comm(), detail::failure_in(combine_all));
    else
        combine_all();
}

void combine_named(item_plan const& plan, char const* name, void const* parts, void* places,
    std::size_t elements, weft_type type, weft_operator by, bool begins) {
    combined_items const how(name, elements, [&] { return choose_by(type, by); });
    int const kind = 1 + 16 * static_cast<int>(type) + static_cast<int>(by);
    combine_at_places(
        plan, name, parts, places, elements, how, type_of_values(how.item_bytes, kind), begins, false);
}

void combine_called(item_plan const& plan, char const* name, void const* parts, void* places,
    std::size_t elements, std::size_t element_bytes, weft_combine combine, void* state, bool begins) {
    called_operator called(combine, state);
    combined_items const how(name, elements, [&] {
        expect_given(reinterpret_cast<void const*>(combine), "combine");
        return chosen_operator{&called, element_bytes};
    });
    combine_at_places(plan, name, parts, places, elements, how, type_of_values(how.item_bytes), begins, true);
}

/// Moves values to the items of parts.
void move_to_parts(
    item_plan const& plan, item_plan::move& what, void const* from, std::size_t count, void* parts) {
    what.from = values_at<std::byte const>(from, count, what.value_bytes);
    what.to = values_at<std::byte>(parts, plan.items(), what.value_bytes);
    plan.run(what);
}

} // namespace

} // namespace weft::c

namespace c = weft::c;

weft_status weft_block_to_part_make(
    weft_comm const* comm, weft_blocks const* blocks, weft_parts const* parts, weft_block_to_part** made) {
    return c::call([&] {
        c::frame_arguments const with("weft_block_to_part_make", comm, parts, blocks);
        c::hand_over(new weft_block_to_part{weft::block_to_part(with.comm, *with.blocks, with.parts)}, made);
    });
}

weft_status weft_block_to_part_make_of(weft_comm const* comm, weft_blocks const* blocks,
    weft_parts const* parts, size_t count, int64_t const* block_ids, int missing_allowed,
    weft_block_to_part** made) {
    return c::call([&] {
        c::frame_arguments const with("weft_block_to_part_make_of", comm, parts, blocks);
        weft::agreed(with.comm, [&] {
            if (count != 0) c::expect_given(block_ids, "block_ids");
        });
        c::hand_over(new weft_block_to_part{weft::block_to_part(with.comm, *with.blocks, with.parts,
                         {block_ids, count}, {.missing_allowed = missing_allowed != 0})},
            made);
    });
}

int64_t weft_block_to_part_block_items(weft_block_to_part const* frame) {
    return frame == nullptr ? 0 : static_cast<int64_t>(frame->of.block_items());
}

int64_t weft_block_to_part_part_items(weft_block_to_part const* frame) {
    return frame == nullptr ? 0 : static_cast<int64_t>(frame->of.part_items());
}

weft_status weft_block_to_part_move(
    weft_block_to_part const* frame, void const* block, void* parts, size_t item_bytes, void const* missing) {
    return c::call([&] {
        weft::block_to_part const& of = c::given(frame, "frame").of;
        weft::item_plan::move what = c::value_move(of.plan(), "weft_block_to_part_move", item_bytes);
        weft::buffer zeros;
        if (missing == nullptr && of.plan().has_nowhere()) {
            std::exception_ptr failure = weft::detail::failure_in([&] { zeros.resize(what.value_bytes); });
            if (failure)
                what.failure = std::move(failure);
            else
                std::memset(zeros.data(), 0, zeros.size());
            missing = zeros.data();
        }
        what.fill = static_cast<std::byte const*>(missing);
        c::move_to_parts(of.plan(), what, block, of.block_items(), parts);
    });
}

weft_status weft_block_to_part_move_lists(
    weft_block_to_part const* frame, weft_lists_of const* block, weft_lists** made) {
    return c::call([&] {
        weft::block_to_part const& of = c::given(frame, "frame").of;
        c::move_lists(of.plan(), c::list_move("weft_block_to_part_move_lists", block, of.block_items()),
            c::taken_lists::each, made);
    });
}

weft_status weft_block_to_part_reverse(weft_block_to_part const* frame, void const* parts, void* block,
    size_t elements, weft_type type, weft_operator by) {
    return c::call([&] {
        c::combine_named(c::given(frame, "frame").of.plan(), "weft_block_to_part_reverse", parts, block,
            elements, type, by, false);
    });
}

weft_status weft_block_to_part_reverse_by(weft_block_to_part const* frame, void const* parts, void* block,
    size_t elements, size_t element_bytes, weft_combine combine, void* state) {
    return c::call([&] {
        c::combine_called(c::given(frame, "frame").of.plan(), "weft_block_to_part_reverse_by", parts, block,
            elements, element_bytes, combine, state, false);
    });
}

weft_status weft_block_to_part_reverse_lists(
    weft_block_to_part const* frame, weft_lists_of const* parts, weft_lists** made) {
    return c::call([&] {
        weft::block_to_part const& of = c::given(frame, "frame").of;
        weft::item_plan::ragged_move what =
            c::list_move("weft_block_to_part_reverse_lists", parts, of.part_items());
        what.to_places = true;
        c::move_lists(of.plan(), what, c::taken_lists::joined, made);
    });
}

void weft_block_to_part_free(weft_block_to_part* frame) {
    delete frame;
}

weft_status weft_part_to_block_make(
    weft_comm const* comm, weft_blocks const* blocks, weft_parts const* parts, weft_part_to_block** made) {
    return c::call([&] {
        c::frame_arguments const with("weft_part_to_block_make", comm, parts, blocks);
        weft::part_to_block frame(with.comm, *with.blocks, with.parts);
        std::vector<std::int64_t> offsets;
        weft::agreed(with.comm,
            [&] { offsets.assign(frame.arrival_offsets().begin(), frame.arrival_offsets().end()); });
        c::hand_over(new weft_part_to_block{std::move(frame), std::move(offsets)}, made);
    });
}

int64_t weft_part_to_block_count(weft_part_to_block const* frame) {
    return frame == nullptr ? 0 : static_cast<int64_t>(frame->of.ids().size());
}

int64_t const* weft_part_to_block_ids(weft_part_to_block const* frame) {
    return frame == nullptr ? nullptr : frame->of.ids().data();
}

int64_t weft_part_to_block_arrivals(weft_part_to_block const* frame) {
    return frame == nullptr ? 0 : static_cast<int64_t>(frame->of.arrivals());
}

int64_t const* weft_part_to_block_offsets(weft_part_to_block const* frame) {
    return frame == nullptr ? nullptr : frame->offsets.data();
}

int64_t weft_part_to_block_part_items(weft_part_to_block const* frame) {
    return frame == nullptr ? 0 : static_cast<int64_t>(frame->of.part_items());
}

weft_status weft_part_to_block_arrival_ids(weft_part_to_block const* frame, int64_t* ids) {
    return c::call([&] {
        weft::part_to_block const& of = c::given(frame, "frame").of;
        if (of.arrivals() == 0) return;
        c::expect_given(ids, "ids");
        std::vector<weft::global_id> const all = of.arrival_ids();
        std::copy(all.begin(), all.end(), ids);
    });
}

weft_status weft_part_to_block_keep(
    weft_part_to_block const* frame, void const* parts, void* arrived, size_t item_bytes) {
    return c::call([&] {
        c::arrivals(c::given(frame, "frame").of.plan(), "weft_part_to_block_keep", item_bytes)
            .move(parts, arrived);
    });
}

weft_status weft_part_to_block_merge(
    weft_part_to_block const* frame, void const* parts, void* merged, size_t item_bytes) {
    return c::call([&] {
        weft_part_to_block const& with = c::given(frame, "frame");
        weft::item_plan const& plan = with.of.plan();
        c::arrivals come(plan, "weft_part_to_block_merge", item_bytes);
        std::vector<std::int64_t> next;
        come.fail(c::missing("merged", merged, plan.links_of_places()));
        come.fail(weft::detail::failure_in([&] { next.assign(with.offsets.begin(), with.offsets.end()); }));
        std::byte const* const arrived = come.move(parts);
        for (std::size_t link = 0; link < plan.links_of_places(); ++link)
            std::memcpy(static_cast<std::byte*>(merged) +
                            static_cast<std::size_t>(next[plan.place(link)]++) * item_bytes,
                arrived + link * item_bytes, item_bytes);
    });
}

weft_status weft_part_to_block_lowest(
    weft_part_to_block const* frame, void const* parts, void* first, size_t item_bytes) {
    return c::call([&] {
        weft::item_plan const& plan = c::given(frame, "frame").of.plan();
        c::arrivals come(plan, "weft_part_to_block_lowest", item_bytes);
        std::vector<bool> seen;
        come.fail(c::missing("first", first, plan.place_count()));
        come.fail(weft::detail::failure_in([&] { seen.resize(plan.place_count()); }));
        std::byte const* const arrived = come.move(parts);
        for (std::size_t link = 0; link < plan.links_of_places(); ++link) {
            std::uint64_t const place = plan.place(link);
            if (seen[place]) continue;
            seen[place] = true;
            std::memcpy(
                static_cast<std::byte*>(first) + place * item_bytes, arrived + link * item_bytes, item_bytes);
        }
    });
}

weft_status weft_part_to_block_reduce(weft_part_to_block const* frame, void const* parts, void* reduced,
    size_t elements, weft_type type, weft_operator by) {
    return c::call([&] {
        c::combine_named(c::given(frame, "frame").of.plan(), "weft_part_to_block_reduce", parts, reduced,
            elements, type, by, true);
    });
}

weft_status weft_part_to_block_reduce_by(weft_part_to_block const* frame, void const* parts, void* reduced,
    size_t elements, size_t element_bytes, weft_combine combine, void* state) {
    return c::call([&] {
        c::combine_called(c::given(frame, "frame").of.plan(), "weft_part_to_block_reduce_by", parts, reduced,
            elements, element_bytes, combine, state, true);
    });
}

weft_status weft_part_to_block_reverse(
    weft_part_to_block const* frame, void const* of_ids, void* parts, size_t item_bytes) {
    return c::call([&] {
        weft::part_to_block const& of = c::given(frame, "frame").of;
        weft::item_plan::move what = c::value_move(of.plan(), "weft_part_to_block_reverse", item_bytes);
        c::move_to_parts(of.plan(), what, of_ids, of.ids().size(), parts);
    });
}

weft_status weft_part_to_block_reverse_kept(
    weft_part_to_block const* frame, void const* of_arrivals, void* parts, size_t item_bytes) {
    return c::call([&] {
        weft::part_to_block const& of = c::given(frame, "frame").of;
        weft::item_plan::move what = c::value_move(of.plan(), "weft_part_to_block_reverse_kept", item_bytes);
        what.from_links = true;
        c::move_to_parts(of.plan(), what, of_arrivals, of.arrivals(), parts);
    });
}

namespace weft::c {

namespace {

weft_status move_lists_to_block(char const* name, weft_part_to_block const* frame, weft_lists_of const* parts,
    taken_lists taken, weft_lists** made) {
    return call([&] {
        part_to_block const& of = given(frame, "frame").of;
        item_plan::ragged_move what = list_move(name, parts, of.part_items());
        what.to_places = true;
        move_lists(of.plan(), what, taken, made);
    });
}

} // namespace

} // namespace weft::c

weft_status weft_part_to_block_keep_lists(
    weft_part_to_block const* frame, weft_lists_of const* parts, weft_lists** made) {
    return c::move_lists_to_block("weft_part_to_block_keep_lists", frame, parts, c::taken_lists::each, made);
}

weft_status weft_part_to_block_merge_lists(
    weft_part_to_block const* frame, weft_lists_of const* parts, weft_lists** made) {
    return c::move_lists_to_block(
        "weft_part_to_block_merge_lists", frame, parts, c::taken_lists::joined, made);
}

weft_status weft_part_to_block_lowest_lists(
    weft_part_to_block const* frame, weft_lists_of const* parts, weft_lists** made) {
    return c::move_lists_to_block(
        "weft_part_to_block_lowest_lists", frame, parts, c::taken_lists::first, made);
}

weft_status weft_part_to_block_reverse_lists(
    weft_part_to_block const* frame, weft_lists_of const* of_ids, weft_lists** made) {
    return c::call([&] {
        weft::part_to_block const& of = c::given(frame, "frame").of;
        c::move_lists(of.plan(), c::list_move("weft_part_to_block_reverse_lists", of_ids, of.ids().size()),
            c::taken_lists::each, made);
    });
}

void weft_part_to_block_free(weft_part_to_block* frame) {
    delete frame;
}
