#include <weft/blocks/block_components.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace weft {

// The labels are correct for the following reason. For every ghost x in a set, one of two cases holds. Either
// x is the smallest vertex of the set, and its block was asked. Or some y < x is in the set, and is also in
// the set that the block of x has for x, or will be when a message arrives, since that block was told of y or
// told of y itself. When all is quiet, a smallest x is also the root of its set in its own block, or an
// answer would have arrived. So, by induction on x, the set of a ghost x has the same smallest vertex as the
// set of x in its own block; sets that share an edge share a vertex.

namespace {

constexpr std::uint32_t most_indices = std::numeric_limits<std::uint32_t>::max();

std::uint32_t checked_count(std::int64_t count) {
    if (count < 0 || count >= most_indices)
        throw usage_error("block_components: a block cannot have " + std::to_string(count) + " vertices");
    return static_cast<std::uint32_t>(count);
}

} // namespace

/// The format of messages: a head of three words, and vertices.
struct block_components::frame {
    frame_kind kind;
    global_id least;
    block_id owner; ///< of `least`
    std::span<component_word const> vertices;

    static constexpr std::size_t head = 3;

    /// Takes the first frame of a message.
    static frame from(std::span<component_word const>& rest) {
        std::int64_t const count = rest[0].value >> 2;
        frame const one{static_cast<frame_kind>(rest[0].value & 3), rest[1].value, block_id{rest[2].value},
            rest.subspan(head, static_cast<std::size_t>(count))};
        rest = rest.subspan(head + one.vertices.size());
        return one;
    }
};

block_components::block_components(global_id first, std::int64_t count)
    : first_(first), count_(checked_count(count)), sets_(count_) {
}

block_components::block_components(std::vector<global_id> ids)
    : count_(checked_count(static_cast<std::int64_t>(ids.size()))), ids_(std::move(ids)), sets_(count_) {
    if (std::ranges::adjacent_find(ids_, std::ranges::greater_equal()) != ids_.end())
        throw usage_error("block_components: the ids are not strictly ascending");
}

std::int64_t block_components::place_of(global_id vertex) const noexcept {
    if (ids_.empty()) return vertex >= first_ && vertex - first_ < size() ? vertex - first_ : -1;
    auto const at = std::ranges::lower_bound(ids_, vertex);
    return at != ids_.end() && *at == vertex ? at - ids_.begin() : -1;
}

void block_components::add_ghost(block_id owner) {
    if (sets_.size() == most_indices)
        throw usage_error("block_components: a block knows too many vertices; use more blocks");
    slot_of_ghost_.push_back(slot_of(owner));
    (void)sets_.add();
}

block_components::index block_components::known_index(global_id vertex, block_id owner) {
    index const ghost = ghosts_.number_of(vertex);
    if (ghost == slot_of_ghost_.size()) add_ghost(owner);
    return count_ + ghost;
}

block_components::index block_components::slot_of(block_id block) {
    auto const slot = blocks_.number_of(index_of(block));
    if (slot == letters_.size()) letters_.emplace_back();
    return slot;
}

void block_components::join_settled(index a, index b) {
    a = sets_.find(a);
    b = sets_.find(b);
    if (a == b) return;
    sets_.unite(a, b);
    if (a >= count_ || b >= count_) return; // one of them is a new ghost
    index const root = std::min(a, b);
    index const joined = std::max(a, b);
    index smaller = above_[root];
    index larger = std::exchange(above_[joined], 0);
    if (smaller == 0 || (larger != 0 && ghost_id(larger - 1) < ghost_id(smaller - 1)))
        std::swap(smaller, larger);
    if (larger != 0) to_tell_.push_back(larger - 1);
    if (smaller != 0 && ghost_id(smaller - 1) > id_of(root))
        to_tell_.push_back(std::exchange(smaller, 0) - 1);
    above_[root] = smaller;
    to_answer_.push_back(root);
    to_answer_.push_back(joined);
}

block_components::index block_components::own_index(global_id vertex, block_id self, block_id source) const {
    std::int64_t const place = place_of(vertex);
    if (place < 0)
        throw usage_error("find_components: block " + std::to_string(index_of(source)) + " takes vertex " +
                          std::to_string(vertex) + " for one of block " + std::to_string(index_of(self)));
    return index_at(place);
}

void block_components::take(frame const& one, block_id self, block_id source) {
    if (one.kind == frame_kind::ask) {
        for (component_word const each : one.vertices) {
            index const place = own_index(each.value, self, source);
            subscribers_.push_back({slot_of(source), first_subscriber_[place]});
            first_subscriber_[place] = static_cast<index>(subscribers_.size());
            to_answer_.push_back(place);
        }
        return;
    }
    auto const index_of_least = [&] {
        return one.owner == self ? own_index(one.least, self, source) : known_index(one.least, one.owner);
    };
    for (component_word const each : one.vertices) {
        if (one.kind == frame_kind::tell) {
            join(own_index(each.value, self, source), index_of_least());
            continue;
        }
        index const ghost = ghost_at(known_index(each.value, source));
        index const root = sets_.find(count_ + ghost);
        if (above_[root] != ghost + 1) continue; // the block of the ghost was told of a smaller vertex
        above_[root] = 0;
        join(root, index_of_least());
    }
}

void block_components::settle_ghosts(block_id self) {
    for (; settled_ < slot_of_ghost_.size(); ++settled_) {
        auto const ghost = static_cast<index>(settled_);
        if (blocks_[slot_of_ghost_[ghost]] == index_of(self)) {
            join(count_ + ghost, own_index(ghost_id(ghost), self, self));
            continue;
        }
        index const root = sets_.find(count_ + ghost);
        if (ghost_id(ghost) > least(root)) {
            to_tell_.push_back(ghost);
            continue;
        }
        if (index const before = std::exchange(above_[root], ghost + 1); before != 0)
            to_tell_.push_back(before - 1);
        to_ask_.push_back(ghost);
        to_answer_.push_back(root);
    }
}

void block_components::tell_all(block_id self) {
    for (index const ghost : to_tell_)
        write(slot_of_ghost_[ghost], frame_kind::tell, sets_.find(count_ + ghost), self, ghost_id(ghost));
    to_tell_.clear();
    for (index const ghost : to_ask_) {
        index const root = sets_.find(count_ + ghost);
        if (above_[root] == ghost + 1)
            write(slot_of_ghost_[ghost], frame_kind::ask, root, self, ghost_id(ghost));
    }
    to_ask_.clear();
}

void block_components::answer_all(block_id self) {
    for (index const place : to_answer_) {
        index const root = sets_.find(place);
        if (place == root && above_[root] == 0) continue;
        for (index each = std::exchange(first_subscriber_[place], 0); each != 0;) {
            subscriber const& who = subscribers_[each - 1];
            write(who.slot, frame_kind::fact, root, self, id_of(place));
            each = who.next;
        }
    }
    to_answer_.clear();
}

void block_components::write(index slot, frame_kind kind, index root, block_id self, global_id vertex) {
    letter& to = letters_[slot];
    global_id const smallest = least(root);
    if (to.words.empty()) begun_letters_.push_back(slot);
    if (to.words.empty() || to.kind != kind || to.least != smallest) {
        index const above = above_[root];
        to.kind = kind;
        to.least = smallest;
        to.open_at = to.words.size();
        to.words.push_back({static_cast<std::int64_t>(kind)});
        to.words.push_back({smallest});
        to.words.push_back({above == 0 ? index_of(self) : blocks_[slot_of_ghost_[above - 1]]});
    }
    to.words[to.open_at].value += 4;
    to.words.push_back({vertex});
}

void block_components::step(block_port<component_word>& port) {
    block_id const self = port.id();
    for (auto const& [source, words] : port.messages()) {
        if (above_.empty()) {
            above_.resize(count_);
            first_subscriber_.resize(count_);
        }
        for (std::span<component_word const> rest = words; !rest.empty();)
            take(frame::from(rest), self, source);
    }
    if (above_.empty() && !slot_of_ghost_.empty()) {
        above_.resize(count_);
        first_subscriber_.resize(count_);
    }
    settle_ghosts(self);
    tell_all(self);
    answer_all(self);
    for (index const slot : begun_letters_) {
        block_id const to{blocks_[slot]};
        std::vector<component_word>& words = letters_[slot].words;
        if (words.size() * sizeof(component_word) >= detail::run_list::blob_bytes)
            port.give(to, std::exchange(words, {}));
        else
            port.send(to, std::span<component_word const>(words));
        words.clear();
    }
    begun_letters_.clear();
}

} // namespace weft
