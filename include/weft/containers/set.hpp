/// A set whose items are distributed over all ranks by their hashes.
#pragma once

#include <weft/detail/containers/hashed_container.hpp>
#include <weft/detail/containers/local_entries.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft {

/// Distinct items of all ranks. As for `map`, calls are local and are complete on all ranks when the mailbox
/// has been drained; collective members drain the mailbox first. Cost: as a `map` without values; 4 channels
/// of the mailbox.
template <key_type T>
class set {
    struct nothing {};

public:
    using key_type = T;                    ///< The type of an item.
    using elements = std::tuple<T const&>; ///< The arguments of the body of `for_all`.

    /// Makes an empty set. Collective: no, but all ranks make channels and containers in the same order.
    explicit set(mailbox& mail) : all_(mail) {}
    /// Copies a set, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost: a
    /// drain, and a copy of all items of this rank. Throws: all that `mailbox::drain` throws;
    /// `std::bad_alloc` and errors of copying, on all ranks.
    set(set const& other) : all_(other.all_.mail().mail()) { all_.copy_from(other.all_, "set: a copy"); }
    set& operator=(set const& other) {
        *this = set(other);
        return *this;
    }
    set(set&&) noexcept = default;
    set& operator=(set&&) noexcept = default;
    ~set() = default; // local

    /// Returns the mailbox of the set. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return all_.mail().mail(); }

    /// Inserts an item unless the item is present.
    void insert(detail::argument_of<T> item) const { all_.insert(item, nothing{}); }
    /// Inserts several items.
    void insert(std::span<T const> items) const {
        for (T const& each : items) insert(each);
    }
    /// Erases an item if the item is present.
    void erase(detail::argument_of<T> item) const { all_.erase(item); }
    /// Erases several items.
    void erase(std::span<T const> items) const {
        for (T const& each : items) erase(each);
    }

    /// Returns the number of items of all ranks. Collective: yes. Blocks: until the mailbox is drained. Cost:
    /// a drain and a small all-reduce. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::int64_t size() const { return all_.size(); }
    /// Returns true if the set has an item; all ranks pass the same item. Collective, Blocks, Cost, Throws:
    /// as `size`; `usage_error` if items differ between ranks.
    [[nodiscard]] bool contains(detail::argument_of<T> item) const {
        return all_.contains(item, "set::contains");
    }
    /// Returns, for each of the given items, true if the set has the item. Ranks may pass different items.
    /// Collective: yes. Blocks: until all ranks have their answers. Cost: two messages per item, collected in
    /// buffers. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::vector<bool> collect(std::span<T const> items) const {
        auto const answers = all_.collect("set::collect", items);
        std::vector<bool> found(answers.size());
        for (std::size_t i = 0; i < answers.size(); ++i) found[i] = answers[i].has_value();
        return found;
    }

    /// Calls `body(T const&)` for all items, each on its rank. Collective, Blocks, Cost, Order, Throws: as
    /// `map::for_all`.
    template <class Body>
    requires std::invocable<Body&, T const&>
    void for_all(Body&& body) const {
        all_.for_all("set::for_all", [&](T const& item, nothing) { body(item); });
    }
    /// Calls `body(T const&)` for the items of this rank. Local.
    template <class Body>
    requires std::invocable<Body&, T const&>
    void for_each_local(Body&& body) const {
        all_.for_each([&](T const& item, nothing) { body(item); });
    }
    /// Returns the items of this rank for a loop. Local. The result is valid until an item is inserted or
    /// erased, which may happen in any call of the mailbox.
    [[nodiscard]] auto local() const noexcept {
        return detail::local_entries<T, nothing, detail::entry_as_key<T, nothing>>(all_.table());
    }
    /// Returns the number of items that this rank owns. Local.
    [[nodiscard]] std::int64_t local_size() const noexcept {
        return static_cast<std::int64_t>(all_.table().size());
    }
    /// Returns the rank that owns an item. Local.
    [[nodiscard]] int owner(detail::argument_of<T> item) const { return all_.owner(item); }

    /// Returns all items on all ranks, sorted if their type has `<`. Collective, Blocks, Throws: as
    /// `for_all`. Cost: as `all_gatherv`.
    [[nodiscard]] std::vector<T> gather() const {
        auto items = all_.gather("set::gather", [](T const& item, nothing) { return item; });
        if constexpr (std::totally_ordered<T>)
            detail::sort_gathered_by(items, [](T const& a, T const& b) { return a < b; });
        return items;
    }
    /// Returns on all ranks the first `k` items in the order `before(T const&, T const&)`. `before` must be
    /// the same on all ranks; by default the greatest item comes first. Collective, Blocks, Cost, Throws: as
    /// `map::gather_top_k`.
    template <class Before = detail::greater_first>
    requires std::predicate<Before&, T const&, T const&>
    [[nodiscard]] std::vector<T> gather_top_k(std::int64_t k, Before before = {}) const {
        return all_.template gather_first_of<T>(
            "set::gather_top_k", k, before, [](T const& item, nothing) -> T const& { return item; });
    }
    /// Returns, on all ranks, the combination of the values of all items: `of(T const&)` returns the value of
    /// an item, and `op(R, R)` combines two values. The result is nullopt if the set is empty. Collective,
    /// Blocks, Cost, Order, Throws: as `map::all_reduce`.
    template <class Of, class Op>
    [[nodiscard]] auto all_reduce(Of of, Op op) const {
        return all_.all_reduce(
            "set::all_reduce", [&](T const& item, nothing) { return of(item); }, op);
    }

    /// Writes all items to a file. Collective, Blocks, Cost, Throws: as `map::save`.
    void save(std::string const& file) const {
        all_.template save<T>("set::save", "set", file, [](auto&& put, auto const& each) { put(each.key); });
    }
    /// Replaces all items by those of a file that `save` has written. Collective, Blocks, Cost, Throws: as
    /// `map::load`.
    void load(std::string const& file) const {
        all_.template load<T>("set::load", "set", file, [&](auto const& item) { insert(item); });
    }
    /// Removes all items. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: as
    /// `size`; `usage_error` in a `for_all` of this container.
    void clear() const { all_.clear(); }
    /// Swaps two sets, together with all messages on their way to either of the two. Local; all ranks make
    /// the call.
    friend void swap(set& a, set& b) noexcept { std::swap(a.all_, b.all_); }

private:
    detail::hashed_container<T, nothing> all_;
};

} // namespace weft
