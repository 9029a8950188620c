/// The objects of the frames that C has pointers to, and how its parts and lists become those of C++.
/// Private.
#pragma once

#include "handles.hpp"

#include <weft/core/buffer.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/frames/item_plan.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/parts_view.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

struct weft_blocks {
    weft::block_distribution of;
};

struct weft_lists {
    std::vector<std::int64_t> offsets;
    weft::buffer items;
};

namespace weft::c {

/// The arguments of a call that makes a frame, once the ranks have agreed that each has its own. Collective.
struct frame_arguments {
    frame_arguments(char const* name, weft_comm const* comm, weft_parts const* given_parts,
        weft_blocks const* given_blocks);

    communicator const& comm;
    parts_view<global_id> parts;
    block_distribution const* blocks = nullptr;
};

/// The ids of parts. Throws: `usage_error` for a null pointer or a negative size. Local.
[[nodiscard]] parts_view<global_id> parts_of(weft_parts const* parts);

/// The type of values of C: the same on all ranks where they have as many bytes and `kind` is the same.
[[nodiscard]] item_type type_of_values(std::size_t item_bytes, int kind = 0);

/// Values of an array of C, or none where it is a null pointer, which moves refuse on all ranks.
template <class Byte, class Void>
[[nodiscard]] std::span<Byte> values_at(Void* array, std::size_t items, std::size_t item_bytes) noexcept {
    return {static_cast<Byte*>(array), array == nullptr ? 0 : items * item_bytes};
}

/// A move of values of one size, without its arrays; its failure says why this rank cannot take part.
[[nodiscard]] item_plan::move value_move(item_plan const& plan, char const* name, std::size_t item_bytes);

/// A move of `count` lists; an error in them on this rank is its failure.
[[nodiscard]] item_plan::ragged_move list_move(
    char const* name, weft_lists_of const* lists, std::size_t count);

/// The lists that the program gets: each that comes, those of a place joined, or the first of a place.
enum class taken_lists { each, joined, first };

/// Moves lists and gives them to the program. Collective.
void move_lists(
    item_plan const& plan, item_plan::ragged_move const& what, taken_lists taken, weft_lists** made);

} // namespace weft::c
