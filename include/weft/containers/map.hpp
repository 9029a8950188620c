/// A map whose entries are distributed over all ranks by the hashes of their keys.
#pragma once

#include <weft/containers/asker.hpp>
#include <weft/containers/visitor.hpp>
#include <weft/detail/containers/hashed_container.hpp>
#include <weft/detail/containers/local_entries.hpp>
#include <weft/mailbox/mailbox.hpp>

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
struct plus_values { // std::plus costs a header all of <functional>
    template <class V>
    [[nodiscard]] V operator()(V a, V b) const noexcept {
        return static_cast<V>(a + b);
    }
};
struct no_adder {};
} // namespace detail

template <key_type T>
class counting_set;
template <wire_type T>
requires std::default_initializable<T> && std::move_constructible<T>
class tagged_bag;

/// Distinct keys of all ranks, each with a value. Any rank may insert, erase and visit entries at any time,
/// also in handlers. Inserting, erasing and visiting are not collective: the call sends a message to the rank
/// that owns the key, and is complete when the mailbox has been drained. Collective members first drain the
/// mailbox of the map.
///
/// An entry stays in its place while a handler uses it, even if other handlers insert and erase entries. If a
/// handler throws, the next `drain`, or collective member, throws on all ranks. A map must not outlive its
/// mailbox; several containers may share a mailbox. All ranks make their containers, visitors and reducers in
/// the same order. A map that was moved from may be destroyed or assigned to.
///
/// Cost: on each rank the memory of its entries, and for each entry some 12 bytes of a hash table, and 8
/// bytes for the hash if the type of its key is not a bare type, which is sent as its bytes in memory; while
/// the map grows, at most twice this memory; 6 channels of the mailbox. A key that is not of a bare type is
/// encoded to find the rank that owns it. Source: the containers of YGM, see Steil and others, TriPoll, SC
/// 2021.
template <key_type K, wire_type V>
requires std::default_initializable<V> && std::move_constructible<V>
class map {
public:
    using key_type = K;                        ///< The type of a key.
    using mapped_type = V;                     ///< The type of a value.
    using elements = std::tuple<K const&, V&>; ///< The arguments of the body of `for_all`.

    /// Makes an empty map. Collective: no, but all ranks make channels and containers in the same order.
    explicit map(mailbox& mail) : all_(mail), add_(made_adder()) { make_assign(); }
    /// Copies a map, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost: a
    /// drain, and a copy of all entries of this rank. Throws: all that `mailbox::drain` throws;
    /// `std::bad_alloc` and errors of copying, on all ranks.
    map(map const& other) : all_(other.all_.mail().mail()), add_(made_adder()) {
        make_assign();
        all_.copy_from(other.all_, "map: a copy");
    }
    map& operator=(map const& other) {
        *this = map(other);
        return *this;
    }
    map(map&&) noexcept = default;
    map& operator=(map&&) noexcept = default;
    ~map() = default; // local

    /// Returns the mailbox of the map. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return all_.mail().mail(); }

    /// Inserts an entry unless the key has an entry. If several ranks insert the key, the first value that
    /// arrives is kept.
    void insert(detail::argument_of<K> key, detail::argument_of<V> value) const { all_.insert(key, value); }
    /// Inserts `values[i]` at `keys[i]`, for all i. Throws: `usage_error` if the lists have different
    /// lengths; then nothing is sent.
    void insert(std::span<K const> keys, std::span<V const> values) const {
        expect_equal("map::insert", keys.size(), values.size());
        for (std::size_t i = 0; i < keys.size(); ++i) insert(keys[i], values[i]);
    }
    /// Inserts an entry, or assigns the value if the key has an entry.
    void insert_or_assign(detail::argument_of<K> key, detail::argument_of<V> value) const {
        all_.expect_not_walked("insert_or_assign");
        all_.template send<V>(assign_, key, value);
    }
    /// Inserts or assigns `values[i]` at `keys[i]`, for all i. Throws: `usage_error` if the lists have
    /// different lengths.
    void insert_or_assign(std::span<K const> keys, std::span<V const> values) const {
        expect_equal("map::insert_or_assign", keys.size(), values.size());
        for (std::size_t i = 0; i < keys.size(); ++i) insert_or_assign(keys[i], values[i]);
    }
    /// Adds a number to the value of a key, or inserts the number if the key has no entry.
    void increment(detail::argument_of<K> key, V by = V{1}) const requires detail::counts_up<V> {
        add_(key, by);
    }
    /// Adds 1 to the values of several keys.
    void increment(std::span<K const> keys) const requires detail::counts_up<V> { add_(keys, V{1}); }
    /// Adds `by[i]` to the value of `keys[i]`, for all i. Throws: `usage_error` if the lists have different
    /// lengths; then nothing is sent.
    void increment(std::span<K const> keys, std::span<V const> by) const requires detail::counts_up<V> {
        add_(keys, by);
    }
    /// Erases the entry of a key if the key has an entry.
    void erase(detail::argument_of<K> key) const { all_.erase(key); }
    /// Erases the entries of several keys.
    void erase(std::span<K const> keys) const {
        for (K const& each : keys) erase(each);
    }

    /// Makes a visitor: `visit(key, arguments...)` calls `handler(K const&, V&, A const&...)`, or a handler
    /// without the first argument, on the rank of the entry. A key without an entry first gets an entry with
    /// the value V{}. The handler may send messages, and insert and erase entries. For keys and arguments
    /// that are strings, the handler may take a `std::string_view`. Collective: no, but all ranks make the
    /// same visitors in the same order.
    template <wire_type... A, class H>
    requires detail::visits<H, V, A...> || detail::visits_with_key<H, K, V, A...>
    [[nodiscard]] weft::visitor<K, V, A...> visitor(H handler) {
        return made_visitor<true, H, A...>(std::move(handler));
    }
    /// Makes a visitor that skips keys without an entry. All else is the same as for `visitor`.
    template <wire_type... A, class H>
    requires detail::visits<H, V, A...> || detail::visits_with_key<H, K, V, A...>
    [[nodiscard]] weft::visitor<K, V, A...> visitor_if_contains(H handler) {
        return made_visitor<false, H, A...>(std::move(handler));
    }

    /// Makes an asker: `ask(key, arguments...)` calls the handler as a visitor does and returns a
    /// `pending_answer<R>`, whose `get` waits for the value that the handler returned. A key without an entry
    /// first gets an entry with the value V{}. Collective: no, but all ranks make the same askers in the same
    /// order.
    template <wire_type R, wire_type... A, class H>
    requires std::default_initializable<R> &&
        (detail::visits<H, V, A...> || detail::visits_with_key<H, K, V, A...>)
            [[nodiscard]] weft::asker<K, R, A...> asker(H handler) {
        return made_asker<true, R, A...>(
            [handler = std::move(handler)](part_type& part, detail::view_of<K> const& key,
                detail::view_of<A>&... arguments) mutable -> R {
                auto* const found =
                    part.table.find_or_make(detail::hash_of_key<K>(key), key, [] { return V{}; }).first;
                typename detail::local_table<K, V>::hold const stays(part.table);
                return detail::call_visitor<A...>(handler, found->key, found->value, arguments...);
            });
    }
    /// Makes an asker whose answers are `std::optional<R>`, nullopt for a key without an entry. All else is
    /// the same as for `asker`.
    template <wire_type R, wire_type... A, class H>
    requires detail::visits<H, V, A...> || detail::visits_with_key<H, K, V, A...>
    [[nodiscard]] weft::asker<K, std::optional<R>, A...> asker_if_contains(H handler) {
        return made_asker<false, std::optional<R>, A...>(
            [handler = std::move(handler)](part_type& part, detail::view_of<K> const& key,
                detail::view_of<A>&... arguments) mutable -> std::optional<R> {
                auto* const found = part.table.find(detail::hash_of_key<K>(key), key);
                if (found == nullptr) return std::nullopt;
                typename detail::local_table<K, V>::hold const stays(part.table);
                return R(detail::call_visitor<A...>(handler, found->key, found->value, arguments...));
            });
    }

    /// Makes a reducer: `add(key, value)` combines the value with the stored value of the key by `op(V, V)`,
    /// or inserts the value if the key has no entry. Collective: no, but all ranks make the same reducers in
    /// the same order. Cost: if keys are numbers or short texts, and values have at most 32 bytes, a table of
    /// up to 32 MiB for the values that wait to be combined, which each `drain` frees. For keys and values of
    /// other types, a cache of 8,192 entries.
    template <class Op>
    requires std::is_invocable_r_v<V, Op&, V, V>
    [[nodiscard]] weft::reducer<K, V, Op> reducer(Op op) {
        auto* const made =
            new detail::reducing_channel<K, V, Op>(all_.mail().engine(), all_.part(), std::move(op));
        made->set_number(all_.mail().keep(made));
        return weft::reducer<K, V, Op>(*made, *all_.part());
    }

    /// Returns the number of entries of all ranks. Collective: yes. Blocks: until the mailbox is drained.
    /// Cost: a drain and a small all-reduce. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::int64_t size() const { return all_.size(); }
    /// Returns true if a key has an entry; all ranks pass the same key. Collective, Blocks, Cost, Throws: as
    /// `size`; `usage_error` if keys differ between ranks.
    [[nodiscard]] bool contains(detail::argument_of<K> key) const {
        return all_.contains(key, "map::contains");
    }
    /// Returns the value of a key, nullopt if the key has no entry; all ranks pass the same key. Collective,
    /// Blocks, Cost, Throws: as `contains`.
    [[nodiscard]] std::optional<V> find(detail::argument_of<K> key) const {
        return all_.find(key, "map::find");
    }
    /// Returns the values of the given keys, in the order of the keys; nullopt for a key without an entry.
    /// Ranks may pass different keys. Collective: yes. Blocks: until all ranks have their answers. Cost: two
    /// messages per key, collected in buffers. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::vector<std::optional<V>> collect(std::span<K const> keys) const {
        return all_.collect("map::collect", keys);
    }

    /// Returns the entries of the given keys, each entry once, in the order of keys if their type has `<`.
    /// Ranks may pass different keys. Collective, Blocks, Cost, Throws: as `collect`.
    [[nodiscard]] std::vector<std::pair<K, V>> gather_keys(std::span<K const> keys) const {
        return all_.gather_keys("map::gather_keys", keys);
    }

    /// Calls `body(K const&, V&)` for all entries, each on its rank. `body` may send messages and use
    /// containers, but must not insert into or erase from this map. Collective: yes. Blocks: until all ranks
    /// have called `body` for their entries and the mailbox is drained. Cost: two drains. Entries have no
    /// order. Throws: errors of `body`, on all ranks; `usage_error` if `body` changes this map; also all that
    /// `mailbox::drain` throws.
    template <class Body>
    requires std::invocable<Body&, K const&, V&>
    void for_all(Body&& body) const { all_.for_all("map::for_all", body); }
    /// Calls `body(K const&, V&)` for the entries of this rank. Local.
    template <class Body>
    requires std::invocable<Body&, K const&, V&>
    void for_each_local(Body&& body) const { all_.for_each(body); }
    /// Returns the entries of this rank for a loop, `for (auto [key, value] : m.local())`; values may be
    /// changed. Local. The result is valid until an entry is inserted or erased, which may happen in any call
    /// of the mailbox.
    [[nodiscard]] detail::local_entries<K, V> local() const noexcept {
        return detail::local_entries<K, V>(all_.table());
    }
    /// Returns the number of entries that this rank owns. Local.
    [[nodiscard]] std::int64_t local_size() const noexcept {
        return static_cast<std::int64_t>(all_.table().size());
    }
    /// Returns the rank that owns a key. Local.
    [[nodiscard]] int owner(detail::argument_of<K> key) const { return all_.owner(key); }

    /// Returns all entries on all ranks, in the order of the keys if their type has `<`. Collective, Blocks,
    /// Throws: as `for_all`. Cost: as `all_gatherv`.
    [[nodiscard]] std::vector<std::pair<K, V>> gather() const {
        auto entries = all_.gather(
            "map::gather", [](K const& key, V const& value) { return std::pair<K, V>(key, value); });
        if constexpr (std::totally_ordered<K>)
            detail::sort_gathered_by(entries, [](auto const& a, auto const& b) { return a.first < b.first; });
        return entries;
    }
    /// Returns on all ranks the first `k` entries, pairs of key and value, in the order of `before(entry,
    /// entry)`, which must order any two entries. Collective, Blocks: as `for_all`. Cost: a heap of k
    /// entries on each rank, and a reduction of these heaps. Throws: as `for_all`; `usage_error` if k is
    /// negative or differs between ranks.
    template <class Before>
    requires(std::predicate<Before&, std::pair<K, V> const&, std::pair<K, V> const&>)
        [[nodiscard]] std::vector<std::pair<K, V>> gather_top_k(std::int64_t k, Before before) const {
        return all_.gather_top_k("map::gather_top_k", k, before);
    }
    /// Returns, on all ranks, the combination of the values of all entries: `of(K const&, V const&)` returns
    /// the value of an entry, and `op(R, R)` combines two values. The result is nullopt if the map is empty.
    /// Order: values are combined by rank; the entries of a rank have no order, so the operator must be
    /// associative and commutative. Collective, Blocks, Cost, Throws: as `for_all`.
    template <class Of, class Op>
    [[nodiscard]] auto all_reduce(Of of, Op op) const {
        return all_.all_reduce("map::all_reduce", of, op);
    }

    /// Writes all entries to a file, which appears when it is complete. Any number of ranks can load the
    /// file. Collective: yes. Blocks: until all ranks have written. Cost: a drain, two passes over this
    /// rank's entries, and 256 KiB of memory. Throws: `io_error` on all ranks if the file cannot be written;
    /// errors of the hooks of K and V, on all ranks; also all that `mailbox::drain` throws.
    void save(std::string const& file) const { save_as("map::save", "map", file); }
    /// Replaces all entries by those of a file that `save` has written; the number of ranks may be different
    /// from that at `save`. Collective: yes. Blocks: until the mailbox is drained. Cost: the file is read
    /// twice, once to check it; a message per entry, collected in buffers. Throws: `io_error` on all ranks
    /// for a damaged file, and for a file that was not saved from a map with keys and values of the same
    /// types. After an `io_error` the map is unchanged. Also throws all that `mailbox::drain` throws.
    void load(std::string const& file) const { load_as("map::load", "map", file); }
    /// Removes all entries. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: as
    /// `size`; `usage_error` in a `for_all` of this map.
    void clear() const { all_.clear(); }
    /// Swaps two maps, together with all messages on their way to either of the two. Local; all ranks make
    /// the call.
    friend void swap(map& a, map& b) noexcept {
        std::swap(a.all_, b.all_);
        std::swap(a.assign_, b.assign_);
        std::swap(a.add_, b.add_);
    }

private:
    template <weft::key_type T>
    friend class counting_set; // its files are of its name
    template <wire_type T>
    requires std::default_initializable<T> && std::move_constructible<T>
    friend class tagged_bag;

    using part_type = detail::hashed_part<K, V>;

    [[nodiscard]] communicator const& comm() const noexcept { return all_.comm(); }
    void save_as(char const* call, char const* kind, std::string const& file) const {
        all_.template save<K, V>(
            call, kind, file, [](auto&& put, auto const& each) { put(each.key, each.value); });
    }
    void load_as(char const* call, char const* kind, std::string const& file) const {
        all_.template load<K, V>(
            call, kind, file, [&](auto const& key, auto const& value) { insert(key, value); });
    }

    static void expect_equal(char const* call, std::size_t keys, std::size_t values) {
        if (keys != values) detail::unequal_spans(call, keys, values);
    }
    using adder =
        std::conditional_t<detail::counts_up<V>, weft::reducer<K, V, detail::plus_values>, detail::no_adder>;

    [[nodiscard]] adder made_adder() {
        if constexpr (detail::counts_up<V>)
            return reducer(detail::plus_values());
        else
            return {};
    }
    void make_assign() {
        assign_ = all_.mail().template make<detail::container_call::assign, K, V>(
            all_.part(), [](part_type& part, int, std::uint64_t hash, detail::view_of<K> const& key,
                             detail::view_of<V>& value) {
                auto const [found, made] =
                    part.table.find_or_make(hash, key, [&] { return V(std::move(value)); });
                if (!made) found->value = V(std::move(value));
            });
    }
    template <bool Makes, class H, class... A>
    weft::visitor<K, V, A...> made_visitor(H handler) {
        int const channel = all_.mail().template make<detail::container_call::visit, K, A...>(
            all_.part(), detail::visit_apply<K, V, Makes, H, A...>{std::move(handler)});
        return {all_.mail().engine(), *all_.part(), channel, Makes};
    }

    template <bool Makes, class R, class... A, class Apply>
    weft::asker<K, R, A...> made_asker(Apply apply) {
        using open_type = detail::open_answers<R>;
        detail::shared<open_type> const open(new open_type);
        int const answer = all_.mail().keep(new detail::answer_channel<R>(open));
        int const channel = all_.mail().keep(new detail::asking_channel<part_type, Apply, R, K, A...>(
            all_.mail().engine(), all_.part(), answer, std::move(apply)));
        return {all_.mail().mail(), *all_.part(), open, channel, Makes};
    }

    detail::hashed_container<K, V> all_;
    [[no_unique_address]] adder add_;
    int assign_ = 0;
};

} // namespace weft
