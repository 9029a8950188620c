/// Connected components of vertices in blocks; the label of a component is the smallest id of its vertices.
#pragma once

#include <weft/blocks/block_set.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/core/id_table.hpp>
#include <weft/detail/core/union_find.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace weft {

/// A word of the messages that blocks exchange in `find_components`.
struct component_word {
    std::int64_t value; ///< An id, or the head of a list of ids.
};

/// The components as one block knows them: the vertices of the block, whose global ids no other block has,
/// and the vertices of other blocks that `unite` or a message has named. Functions name a vertex of the block
/// by its place, 0..size()-1, in ascending order of ids.
///
/// If both vertices are in this block, `unite` joins their components immediately; otherwise the next
/// `find_components` joins them. After `find_components`, a program may unite further vertices and call
/// `find_components` again.
///
/// All calls are local. Memory: 4 bytes per vertex, 12 where edges lead to or from other blocks; 8 more per
/// vertex if the constructor gets a list of ids; about 30 for each distinct vertex of other blocks that edges
/// lead to.
class block_components {
public:
    /// Makes the components of a block without vertices.
    block_components() : block_components(0, 0) {}
    /// Makes the components of a block with the vertices first .. first + count - 1. Throws: `usage_error`
    /// for a count below 0, or of 2^32 - 1 or more.
    block_components(global_id first, std::int64_t count);
    /// Makes the components of a block with the vertices `ids`. Throws: `usage_error` unless the ids ascend
    /// strictly, or for 2^32 - 1 ids or more.
    explicit block_components(std::vector<global_id> ids);

    /// Returns the number of vertices of the block.
    [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(count_); }
    /// Returns the id of the vertex at a place in [0, size()).
    [[nodiscard]] global_id id_of(std::int64_t place) const noexcept {
        return ids_.empty() ? first_ + place : ids_[static_cast<std::size_t>(place)];
    }
    /// Returns the place of a vertex, -1 if this block does not have the vertex. O(1), or O(log n) if the
    /// constructor got a list of ids.
    [[nodiscard]] std::int64_t place_of(global_id vertex) const noexcept;

    /// Unites the components of two vertices of this block, whose places are in [0, size()). Cost: nearly
    /// O(1), amortised.
    void unite(std::int64_t place, std::int64_t other) { join(index_at(place), index_at(other)); }
    /// Unites the components of a vertex of this block and of vertex `other`, which block `owner` has. A call
    /// in one of the two blocks is enough; calls in both give the same result. The fewest messages are sent
    /// if `unite` is called in the block of the vertex with the larger id. Cost: nearly O(1), amortised.
    /// Throws: `usage_error` if the block would then know 2^32 - 1 vertices or more.
    void unite(std::int64_t place, global_id other, block_id owner) {
        unite(place, other, [owner](global_id) { return owner; });
    }
    /// Unites the components of a vertex of this block and of vertex `other`, which block `owner_of(other)`
    /// has. `owner_of` is called once for each vertex `other`. All else is the same as for `unite` with an
    /// owner.
    template <class Owner>
    requires std::is_invocable_r_v<block_id, Owner&, global_id>
    void unite(std::int64_t place, global_id other, Owner&& owner_of) {
        index const ghost = ghosts_.number_of(other);
        if (ghost == slot_of_ghost_.size()) add_ghost(owner_of(other));
        join(index_at(place), count_ + ghost);
    }

    /// Returns the smallest id in the component of the vertex at a place. Before `find_components`, the
    /// result is the smallest of the ids that this block has united with this vertex.
    [[nodiscard]] global_id label(std::int64_t place) { return least(sets_.find(index_at(place))); }

    /// Runs one callback of `find_components`: reads messages of other blocks, and answers them. Throws: as
    /// `block_port::send`, and `usage_error` if another block names a vertex that this block does not have.
    void step(block_port<component_word>& port);

private:
    // Indices: the places, then what is known of other blocks, its ghosts. Every ghost is in a set with a
    // place, so the root of a set is a place, and its smallest one.
    using index = std::uint32_t;

    enum class frame_kind : std::uint8_t { tell, ask, fact };
    struct frame;
    struct letter {
        std::vector<component_word> words;
        std::size_t open_at = 0; // the last frame
        frame_kind kind = frame_kind::tell;
        global_id least = 0;
    };
    struct subscriber {
        index slot;
        index next; // in the list, one more than its number
    };

    [[nodiscard]] static index index_at(std::int64_t place) noexcept { return static_cast<index>(place); }
    [[nodiscard]] index ghost_at(index known) const noexcept { return known - count_; }
    [[nodiscard]] global_id ghost_id(index ghost) const noexcept { return ghosts_[ghost]; }
    [[nodiscard]] global_id least(index root) const noexcept {
        index const above = above_.empty() ? 0 : above_[root];
        return above == 0 ? id_of(root) : ghost_id(above - 1);
    }
    void join(index a, index b) {
        if (above_.empty())
            sets_.unite(a, b);
        else
            join_settled(a, b);
    }

    void add_ghost(block_id owner);
    [[nodiscard]] index known_index(global_id vertex, block_id owner);
    [[nodiscard]] index slot_of(block_id block);
    void join_settled(index a, index b);
    [[nodiscard]] index own_index(global_id vertex, block_id self, block_id source) const;
    void take(frame const& one, block_id self, block_id source);
    void settle_ghosts(block_id self);
    void tell_all(block_id self);
    void answer_all(block_id self);
    void write(index slot, frame_kind kind, index root, block_id self, global_id vertex);

    global_id first_ = 0;
    index count_ = 0;
    std::vector<global_id> ids_; // empty: they are consecutive
    detail::union_find<index> sets_;

    detail::id_table<> ghosts_;
    std::vector<index> slot_of_ghost_; // of the block that has it
    std::size_t settled_ = 0;          // ghosts that are accounted for; those after are new
    detail::id_table<> blocks_;        // by slot
    std::vector<letter> letters_;      // by slot
    std::vector<index> begun_letters_;

    // Of roots, made when there is something of other blocks: the ghost that is the smallest of the set, one
    // more than its number, 0 if there is none or the root is smaller; and the blocks to be told of
    // a smaller one.
    std::vector<index> above_;
    std::vector<index> first_subscriber_; // one more than its number; 0: nobody
    std::vector<subscriber> subscribers_;

    std::vector<index> to_tell_;   // ghosts whose block has to hear of something smaller
    std::vector<index> to_ask_;    // ghosts that became the smallest of a set
    std::vector<index> to_answer_; // places that have, or had, subscribers, and may be the smallest no more
};

/// Options of `block_components`.
struct component_options {
    /// True to send messages by `block_set::iexchange`, false to send them in rounds of
    /// `block_set::exchange`; equal on all ranks.
    bool asynchronous = true;
};

/// Finds the connected components of the vertices of all blocks; `part_of(B&)` returns the `block_components`
/// of a block. Afterwards `block_components::label` of a vertex is the smallest id in its component.
///
/// At the start each block joins the two ends of each of its own edges, including ends in other blocks. Each
/// set of vertices that are joined in a block has a label there: of the ids in the set, the smallest that the
/// block knows. The block sends the label once to the blocks that have the other vertices of the set. The
/// block that has the vertex whose id is the label is asked once for a smaller id, and answers when it knows
/// a smaller id. In this way trees of vertices are joined to trees with smaller ids and flattened at the same
/// time, without phases. When no message is left, every set knows the smallest vertex of its component.
///
/// Collective: yes. Blocks: until all ranks have called and no message is left. Cost: at first at most one
/// word for each distinct vertex of another block. In addition, each set of vertices that are joined in a
/// block takes O(1) messages for each doubling of the set's distance to the root of its tree. A component
/// that is a chain of n blocks takes O(log n) rounds. Order: the labels do not depend on the numbers of
/// blocks, ranks and threads, nor on the options. Throws: as `block_set::iexchange`, and `usage_error` if
/// options differ between ranks, for a vertex that its block does not have, and for blocks that do not exist.
/// After an error the labels are invalid. Source: Morozov and others, LDAV 2021, section 4.2, for the
/// problem; the method is hooking and pointer jumping, Shiloach, Vishkin 1982, without rounds.
template <class B, class Part>
requires std::is_invocable_r_v<block_components&, Part&, B&>
void find_components(block_set<B>& blocks, Part&& part_of, component_options const& options = {}) {
    gate call(blocks.comm(), "find_components");
    call.same("asynchronous", options.asynchronous).agree();
    auto const step = [&](B& block, block_port<component_word>& port) { part_of(block).step(port); };
    if (options.asynchronous) {
        blocks.template iexchange<component_word>(step);
    } else {
        while (blocks.template exchange<component_word>(step) > 0) {}
    }
}

} // namespace weft
