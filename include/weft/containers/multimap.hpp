/// A map with any number of values for each key.
#pragma once

#include <weft/containers/visitor.hpp>
#include <weft/detail/containers/hashed_container.hpp>
#include <weft/detail/containers/local_entries.hpp>
#include <weft/detail/containers/value_group.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

namespace detail {

template <class K, class V, class H, class... A>
struct visit_each_apply {
    H handler;

    void operator()(hashed_part<K, value_group<V>>& part, int, std::uint64_t hash, view_of<K> const& key,
        view_of<A>&... arguments) {
        auto* const found = part.table.find(hash, key);
        if (found == nullptr) return;
        typename local_table<K, value_group<V>>::hold const stays(part.table);
        found->value.for_each(
            [&](V& value) { call_visitor<A...>(handler, std::as_const(found->key), value, arguments...); });
    }
};

} // namespace detail

/// Keys of all ranks, each with all values that were inserted for it, including equal values. As for `map`,
/// inserting, erasing and visiting are not collective, and are complete when the mailbox has been drained;
/// collective members drain the mailbox first. Values that one rank inserts for one key keep their order, and
/// stay in their places in memory while other values are inserted. V may not be `bool`: members return
/// vectors of V, and a `std::vector<bool>` has no references to its values.
///
/// Cost: on each rank the memory of its keys and values, and for each key 8 bytes, some 12 bytes of a hash
/// table, and 8 bytes for the hash if the type of the key is not a bare type, which is sent as its bytes in
/// memory; keys with two or more values take at most twice this memory; 4 channels of the mailbox.
template <key_type K, wire_type V>
requires std::move_constructible<V> &&(!std::same_as<V, bool>)class multimap {
public:
    using key_type = K;                        ///< The type of a key.
    using mapped_type = V;                     ///< The type of a value.
    using elements = std::tuple<K const&, V&>; ///< The arguments of the body of `for_all`.

    /// Makes an empty map. Collective: no, but all ranks make channels and containers in the same order.
    explicit multimap(mailbox& mail) : all_(mail) {}
    /// Copies a map, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost: a
    /// drain, and a copy of all values of this rank. Throws: all that `mailbox::drain` throws;
    /// `std::bad_alloc` and errors of copying, on all ranks.
    multimap(multimap const& other) : all_(other.all_.mail().mail()) {
        all_.copy_from(other.all_, "multimap: a copy");
    }
    multimap& operator=(multimap const& other) {
        *this = multimap(other);
        return *this;
    }
    multimap(multimap&&) noexcept = default;
    multimap& operator=(multimap&&) noexcept = default;
    ~multimap() = default; // local

    /// Returns the mailbox of the map. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return all_.mail().mail(); }

    /// Adds a value to the values of a key.
    void insert(detail::argument_of<K> key, detail::argument_of<V> value) const { all_.insert(key, value); }
    /// Inserts `values[i]` at `keys[i]`, for all i. Throws: `usage_error` if the lists have different
    /// lengths.
    void insert(std::span<K const> keys, std::span<V const> values) const {
        if (keys.size() != values.size())
            detail::unequal_spans("multimap::insert", keys.size(), values.size());
        for (std::size_t i = 0; i < keys.size(); ++i) insert(keys[i], values[i]);
    }
    /// Erases a key with all its values.
    void erase(detail::argument_of<K> key) const { all_.erase(key); }
    /// Erases several keys with all their values.
    void erase(std::span<K const> keys) const {
        for (K const& each : keys) erase(each);
    }

    /// Makes a visitor: `visit(key, arguments...)` calls the handler once for each value of the key, on the
    /// rank of the key, with the same arguments as a visitor of `map`. A key without values is skipped. The
    /// handler may insert values for the same key; the visit that runs skips these new values. Collective:
    /// no, but all ranks make the same visitors in the same order.
    template <wire_type... A, class H>
    requires detail::visits<H, V, A...> || detail::visits_with_key<H, K, V, A...>
    [[nodiscard]] weft::visitor<K, V, A...> visitor(H handler) {
        int const channel = all_.mail().template make<detail::container_call::visit, K, A...>(
            all_.part(), detail::visit_each_apply<K, V, H, A...>{std::move(handler)});
        return {all_.mail().engine(), *all_.part(), channel, false};
    }

    /// Returns the number of values of all ranks. Collective: yes. Blocks: until the mailbox is drained.
    /// Cost: a drain, a pass over this rank's keys and a small all-reduce. Throws: all that `mailbox::drain`
    /// throws.
    [[nodiscard]] std::int64_t size() const {
        all_.mail().mail().drain();
        return sum(all_.comm(), local_size());
    }
    /// Returns the number of keys of all ranks. Collective, Blocks, Throws: as `size`. Cost: a drain and a
    /// small all-reduce.
    [[nodiscard]] std::int64_t num_keys() const { return all_.size(); }
    /// Returns true if the key has a value; all ranks pass the same key. Collective, Blocks, Throws: as
    /// `size`; `usage_error` if keys differ between ranks. Cost: a drain and a small all-reduce.
    [[nodiscard]] bool contains(detail::argument_of<K> key) const {
        return all_.contains(key, "multimap::contains");
    }
    /// Returns the values of a key; all ranks pass the same key. Collective, Blocks, Throws: as `contains`.
    /// Cost: a drain and a broadcast of the values.
    [[nodiscard]] std::vector<V> find(detail::argument_of<K> key) const {
        return all_.find(key, "multimap::find").value_or(std::vector<V>());
    }
    /// Returns the number of values of a key; all ranks pass the same key. Collective, Blocks, Cost, Throws:
    /// as `find`.
    [[nodiscard]] std::int64_t count(detail::argument_of<K> key) const { return std::ssize(find(key)); }
    /// Returns the values of the given keys, in the order of the keys. Ranks may pass different keys.
    /// Collective: yes. Blocks: until all ranks have their answers. Cost: two messages per key, collected in
    /// buffers. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::vector<std::vector<V>> collect(std::span<K const> keys) const {
        auto answers = all_.collect("multimap::collect", keys);
        std::vector<std::vector<V>> values;
        values.reserve(answers.size());
        for (auto& each : answers) values.push_back(std::move(each).value_or(std::vector<V>()));
        return values;
    }

    /// Returns all values of the given keys, as pairs of key and value; a key that is given twice is looked
    /// up once. Ranks may pass different keys. Collective, Blocks, Cost, Throws: as `collect`. Order: pairs
    /// are sorted by key if the type of keys has `<`; the values of a key are in the order of insertion.
    [[nodiscard]] std::vector<std::pair<K, V>> gather_keys(std::span<K const> keys) const {
        std::vector<std::pair<K, V>> found;
        for (auto& [key, values] : all_.gather_keys("multimap::gather_keys", keys))
            for (V& each : values) found.emplace_back(key, std::move(each));
        return found;
    }

    /// Calls `body(K const&, V&)` for all values, each on its rank. Collective, Blocks, Cost, Order, Throws:
    /// as `map::for_all`.
    template <class Body>
    requires std::invocable<Body&, K const&, V&>
    void for_all(Body&& body) const { all_.for_all("multimap::for_all", body); }
    /// Calls `body(K const&, V&)` for the values of this rank. Local.
    template <class Body>
    requires std::invocable<Body&, K const&, V&>
    void for_each_local(Body&& body) const { all_.for_each(body); }
    /// Returns the keys of this rank with their values for a loop, `for (auto [key, values] : m.local())`, as
    /// `map::local`. `values` is a random-access range of the values of the key, which may be changed and
    /// sorted. Local.
    [[nodiscard]] auto local() const noexcept {
        return detail::local_entries<K, detail::value_group<V>, detail::entry_as_group<K, V>>(all_.table());
    }
    /// Returns the number of values of this rank. Local.
    [[nodiscard]] std::int64_t local_size() const {
        std::int64_t values = 0;
        all_.table().for_each(
            [&](auto const& each) { values += static_cast<std::int64_t>(each.value.size()); });
        return values;
    }
    /// Returns the rank that owns a key. Local.
    [[nodiscard]] int owner(detail::argument_of<K> key) const { return all_.owner(key); }

    /// Returns on all ranks all pairs of a key and one of its values, in the order of the keys if their type
    /// has `<`; the values of a key are in the order of insertion. Collective, Blocks, Throws: as `for_all`.
    /// Cost: as `all_gatherv`.
    [[nodiscard]] std::vector<std::pair<K, V>> gather() const {
        auto entries = all_.gather(
            "multimap::gather", [](K const& key, V const& value) { return std::pair<K, V>(key, value); });
        if constexpr (std::totally_ordered<K>)
            detail::sort_gathered_by(entries, [](auto const& a, auto const& b) { return a.first < b.first; });
        return entries;
    }
    /// Returns on all ranks the first `k` pairs of a key and a value, in the order of `before(pair, pair)`.
    /// Collective, Blocks, Cost, Throws: as `map::gather_top_k`.
    template <class Before>
    requires(std::predicate<Before&, std::pair<K, V> const&, std::pair<K, V> const&>)
        [[nodiscard]] std::vector<std::pair<K, V>> gather_top_k(std::int64_t k, Before before) const {
        return all_.gather_top_k("multimap::gather_top_k", k, before);
    }
    /// Returns, on all ranks, the combination of the values of all entries: `of(K const&, V const&)` returns
    /// the value of an entry, and `op(R, R)` combines two values. The result is nullopt if the map is empty.
    /// Collective, Blocks, Cost, Order, Throws: as `map::all_reduce`.
    template <class Of, class Op>
    [[nodiscard]] auto all_reduce(Of of, Op op) const {
        return all_.all_reduce("multimap::all_reduce", of, op);
    }

    /// Writes all keys with their values to a file. Collective, Blocks, Cost, Throws: as `map::save`.
    void save(std::string const& file) const {
        all_.template save<K, detail::value_group<V>>("multimap::save", "multimap", file,
            [](auto&& put, auto const& each) { put(each.key, each.value); });
    }
    /// Replaces all keys and values by those of a file that `save` has written. Collective, Blocks, Cost,
    /// Throws: as `map::load`.
    void load(std::string const& file) const {
        all_.template load<K, std::vector<V>>(
            "multimap::load", "multimap", file, [&](auto const& key, std::vector<V> const& values) {
                for (V const& each : values) insert(key, each);
            });
    }
    /// Removes all values. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: as
    /// `size`; `usage_error` in a `for_all` of this map.
    void clear() const { all_.clear(); }
    /// Swaps two maps, together with all messages on their way to either of the two. Local; all ranks make
    /// the call.
    friend void swap(multimap& a, multimap& b) noexcept { std::swap(a.all_, b.all_); }

private:
    detail::hashed_container<K, V, detail::many_values<V>> all_;
};

} // namespace weft
