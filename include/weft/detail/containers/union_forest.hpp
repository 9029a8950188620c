/// The trees of a disjoint set: the parents of its items.
#pragma once

#include <weft/containers/visitor.hpp>
#include <weft/core/buffer.hpp>
#include <weft/detail/containers/hashed_part.hpp>
#include <weft/detail/containers/keyed_channel.hpp>
#include <weft/detail/core/shared.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft::detail {

// Each item has a parent, which is greater in an order that all ranks share, or is its own parent: then it is
// the root of its set, and the greatest item there. A union of a and b climbs from the lesser of the two,
// while the greater stays, until the lesser is a root. That root is put below the other item, which need not
// be a root. A root has nothing greater in its set, so the other item is in another set, and only the owner
// of the root must be asked. So each such link joins two sets, exactly once. The order is that of hashes,
// that is, random, so trees are as low as with union by rank (Goel, Khanna, Raghvendra, Tarjan, Disjoint set
// union with randomized linking, SODA 2014).

/// Compares two items by their hashes, and items with equal hashes by their values.
template <class T>
[[nodiscard]] bool is_lower(std::uint64_t hash_a, argument_of<T> a, std::uint64_t hash_b, argument_of<T> b) {
    if (hash_a != hash_b) [[likely]]
        return hash_a < hash_b;
    if constexpr (std::is_same_v<T, std::string>) {
        return a < b;
    } else if constexpr (bare_type<T>) {
        return std::memcmp(&a, &b, sizeof(T)) < 0;
    } else {
        buffer of_a;
        buffer of_b;
        encode(of_a, a);
        encode(of_b, b);
        if (of_a.size() != of_b.size()) return of_a.size() < of_b.size();
        return std::memcmp(of_a.data(), of_b.data(), of_a.size()) < 0;
    }
}

/// The parent of an item: an entry, which never moves, if this rank owns the parent; otherwise a copy.
template <class T>
struct item_above {
    using entry = typename local_table<T, item_above>::entry;

    entry* local = nullptr; // null for a root, and if the parent is on another rank
    bool is_remote = false;
    T remote = {};

    [[nodiscard]] bool is_root() const noexcept { return local == nullptr && !is_remote; }
    void set_local(entry& above) noexcept {
        local = &above;
        is_remote = false;
    }
    void set_remote(T above) {
        remote = std::move(above);
        is_remote = true;
        local = nullptr;
    }
    /// Takes over the parent of another item.
    void set_as(item_above const& other) {
        if (other.is_remote)
            set_remote(other.remote);
        else
            local = other.local;
    }
};

/// The items of this rank with their parents.
template <class T>
struct forest_part : hashed_part<T, item_above<T>> {
    using entry = typename local_table<T, item_above<T>>::entry;

    forest_part(int own, int of) noexcept : rank(own), ranks(of) {}

    [[nodiscard]] bool is_here(std::uint64_t hash) const noexcept {
        return owner_of_hash(hash, ranks) == rank;
    }
    [[nodiscard]] entry& made(std::uint64_t hash, argument_of<T> item) {
        return *this->table.find_or_make(hash, item, [] { return item_above<T>(); }).first;
    }
    /// Puts an item below another one of any rank.
    void put_below(entry& here, std::uint64_t hash, argument_of<T> above) {
        if (is_here(hash))
            here.value.set_local(made(hash, above));
        else
            here.value.set_remote(T(above));
    }
    /// Returns the last item of this rank on the path to the root: a root, or an item whose parent is on
    /// another rank. Applies path splitting on the way.
    [[nodiscard]] static entry& top_of(entry& from) {
        entry* here = &from;
        while (entry* const above = here->value.local) {
            if (above->value.is_root()) return *above;
            here->value.set_as(above->value);
            if (here->value.is_remote) return *above;
            here = here->value.local;
        }
        return *here;
    }
    /// Returns the root of an item, or the first item of another rank on the path to it.
    [[nodiscard]] static T const& end_of(entry const& top) noexcept {
        return top.value.is_root() ? top.key : top.value.remote;
    }

    int rank;
    int ranks;
    std::int64_t links = 0; // items that are not roots
    int ask_channel = 0;
};

/// The handler of unions without a user's handler.
struct no_handler {};

/// Calls a handler with the values of its message; texts are passed as views if it accepts them.
template <class... A, class H>
void call_with_views(H& handler, view_of<A>&... arguments) {
    if constexpr (std::is_invocable_v<H&, view_of<A> const&...>)
        handler(std::as_const(arguments)...);
    else
        handler(as_argument<A>(arguments)...);
}

/// The steps of unions on the rank that owns their lower item. `C`: arguments of the handler in the message.
template <class T, class H, class... C>
struct unite_apply {
    using part_type = forest_part<T>;
    using entry = typename part_type::entry;

    mail_engine* engine;
    H handler;
    int make;        // channel of items that must exist
    int raise;       // channel of items with lower items
    int channel = 0; // this channel

    /// `from`: the lower item that the message has passed, or `low` itself.
    void operator()(part_type& part, int, std::uint64_t hash, view_of<T> const& given, view_of<T>& other,
        view_of<T>& from, view_of<C>&... carried) {
        T low(given);
        T high(std::move(other));
        std::uint64_t high_hash = hash_of_key<T>(high);
        entry* here = &part.made(hash, low);
        if (!are_equal_keys<T>(here->key, from)) tell_how_high(part, *here, from);
        std::optional<T> below;
        for (;;) {
            entry& top = part.top_of(*here);
            T const& above = part.end_of(top);
            // mutant: union_within_a_set_runs_its_handler
            if (are_equal_keys<T>(above, high)) return; // they are in one set already
            std::uint64_t const above_hash = hash_of_key<T>(above);
            if (!is_lower<T>(above_hash, above, high_hash, high)) {
                low = std::exchange(high, T(above));
                hash = std::exchange(high_hash, above_hash);
                below.reset();
            } else if (top.value.is_root()) {
                part.put_below(top, high_hash, high);
                ++part.links;
                joined(part, high_hash, high, carried...);
                return;
            } else {
                below.emplace(here->key);
                low = T(above);
                hash = above_hash;
            }
            if (!part.is_here(hash)) break;
            here = &part.made(hash, low);
        }
        send_record<T, T, T, C...>(
            *engine, owner_of_hash(hash, part.ranks), channel, low, high, below ? *below : low, carried...);
    }

private:
    /// Shortens the path of `from`, whose parent is `here`: sends its owner the next item above `here`.
    void tell_how_high(part_type& part, entry& here, argument_of<T> from) {
        if (here.value.is_root()) return;
        T const above(part.end_of(part.top_of(here))); // a copy: it may change while this waits for room
        send_record<T, T>(*engine, owner_of_hash(hash_of_key<T>(from), part.ranks), raise, from, above);
    }
    void joined(part_type& part, std::uint64_t hash, argument_of<T> above, view_of<C>&... carried) {
        if (!part.is_here(hash)) send_record<T>(*engine, owner_of_hash(hash, part.ranks), make, above);
        if constexpr (!std::is_same_v<H, no_handler>) call_with_views<C...>(handler, carried...);
    }
};

/// A channel whose handler sends through the channel itself.
template <class T, class H, class... C>
class unite_channel final
    : public keyed_receiver<container_call::reduce, forest_part<T>, unite_apply<T, H, C...>, T, T, T, C...> {
public:
    using keyed_receiver<container_call::reduce, forest_part<T>, unite_apply<T, H, C...>, T, T, T,
        C...>::keyed_receiver;
    void set_number(int number) noexcept { this->apply().channel = number; }
};

/// Sends a union to the owner of its lower item.
template <class T, class... C>
void send_union(
    mail_engine& engine, int channel, argument_of<T> a, argument_of<T> b, argument_of<C>... carried) {
    std::uint64_t const hash_a = hash_of_key<T>(a);
    std::uint64_t const hash_b = hash_of_key<T>(b);
    if (is_lower<T>(hash_a, a, hash_b, b))
        send_record<T, T, T, C...>(
            engine, owner_of_hash(hash_a, engine.size()), channel, a, b, a, carried...);
    else
        send_record<T, T, T, C...>(
            engine, owner_of_hash(hash_b, engine.size()), channel, b, a, b, carried...);
}

} // namespace weft::detail
