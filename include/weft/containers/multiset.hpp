/// A set that may contain an item several times.
#pragma once

#include <weft/containers/counting_set.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft {

/// Items of all ranks; an item may be in the set several times. Equal items are stored as one entry with the
/// number of copies. Equal items are counted before they are sent, so an item that all ranks insert costs
/// little. The rules of `map` hold: calls are local and are complete on all ranks when the mailbox has been
/// drained; collective members drain the mailbox first. To add any number to a count, also a negative number,
/// use `counting_set`.
template <key_type T>
class multiset {
public:
    using key_type = T;                                  ///< The type of an item.
    using elements = std::tuple<T const&, std::int64_t>; ///< The arguments of the body of `for_all`.

    /// Makes an empty set. Collective: no, but all ranks make channels and containers in the same order.
    explicit multiset(mailbox& mail) : counts_(mail) {}
    /// Copies a set, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost: a
    /// drain, and a copy of all entries of this rank. Throws: all that `mailbox::drain` throws;
    /// `std::bad_alloc` and errors of copying, on all ranks.
    multiset(multiset const& other) = default;
    multiset& operator=(multiset const& other) {
        *this = multiset(other);
        return *this;
    }
    multiset(multiset&&) noexcept = default;
    multiset& operator=(multiset&&) noexcept = default;
    ~multiset() = default; // local

    /// Returns the mailbox of the set. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return counts_.mail(); }

    /// Adds one copy of an item.
    void insert(detail::argument_of<T> item) const { counts_.insert(item); }
    /// Adds one copy of each of several items.
    void insert(std::span<T const> items) const { counts_.insert(items); }
    /// Erases all copies of an item.
    void erase(detail::argument_of<T> item) const { counts_.erase(item); }
    /// Erases all copies of several items.
    void erase(std::span<T const> items) const {
        for (T const& each : items) erase(each);
    }

    /// Returns the number of items of all ranks, where equal items count separately. Collective: yes. Blocks:
    /// until the mailbox is drained. Cost: a drain, a pass over this rank's items and a small all-reduce.
    /// Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::int64_t size() const { return counts_.total(); }
    /// Returns the number of different items of all ranks. Collective, Blocks, Throws: as `size`. Cost: a
    /// drain and a small all-reduce.
    [[nodiscard]] std::int64_t num_distinct() const { return counts_.size(); }
    /// Returns the number of copies of an item; all ranks pass the same item. Collective, Blocks, Throws: as
    /// `size`; `usage_error` if items differ between ranks. Cost: a drain, a small all-reduce and a
    /// broadcast.
    [[nodiscard]] std::int64_t count(detail::argument_of<T> item) const { return counts_.count(item); }
    /// Returns true if the set has an item; all ranks pass the same item. All else is the same as for
    /// `count`.
    [[nodiscard]] bool contains(detail::argument_of<T> item) const { return counts_.contains(item); }
    /// Returns the numbers of copies of the given items. Ranks may pass different items. Collective, Blocks,
    /// Cost, Throws: as `map::collect`.
    [[nodiscard]] std::vector<std::int64_t> collect(std::span<T const> items) const {
        return counts_.collect(items);
    }

    /// Calls `body(T const&, std::int64_t)` for each distinct item with the number of its copies, on its
    /// rank. Collective, Blocks, Cost, Order, Throws: as `map::for_all`.
    template <class Body>
    requires std::invocable<Body&, T const&, std::int64_t>
    void for_all(Body&& body) const { counts_.for_all(body); }
    /// Calls `body(T const&, std::int64_t)` for each distinct item of this rank. Local.
    template <class Body>
    requires std::invocable<Body&, T const&, std::int64_t>
    void for_each_local(Body&& body) const { counts_.for_each_local(body); }
    /// Returns the distinct items of this rank with the numbers of their copies, as `map::local`. A program
    /// must not change these numbers.
    [[nodiscard]] detail::local_entries<T, std::int64_t> local() const noexcept { return counts_.local(); }
    /// Returns the rank that owns an item. Local.
    [[nodiscard]] int owner(detail::argument_of<T> item) const { return counts_.owner(item); }

    /// Returns all items on all ranks, equal items side by side, sorted if their type has `<`. Collective,
    /// Blocks, Throws: as `for_all`. Cost: as `all_gatherv` of the distinct items.
    [[nodiscard]] std::vector<T> gather() const {
        std::vector<T> items;
        for (auto const& [item, times] : counts_.gather())
            items.insert(items.end(), static_cast<std::size_t>(times), item);
        return items;
    }
    /// Returns on all ranks the `k` items with the most copies, each with the number of its copies.
    /// Collective, Blocks, Cost, Order, Throws: as `counting_set::gather_top_k`.
    [[nodiscard]] std::vector<std::pair<T, std::int64_t>> gather_top_k(
        std::int64_t k) const requires std::totally_ordered<T> {
        return counts_.gather_top_k(k);
    }

    /// Returns, on all ranks, the combination of the values of all distinct items: `of(T const&,
    /// std::int64_t)` returns the value of an item with the number of its copies, and `op(R, R)` combines two
    /// values. The result is nullopt if the set is empty. Collective, Blocks, Cost, Order, Throws: as
    /// `map::all_reduce`.
    template <class Of, class Op>
    [[nodiscard]] auto all_reduce(Of of, Op op) const {
        return counts_.all_reduce(std::move(of), std::move(op));
    }

    /// Writes all items to a file. Collective, Blocks, Cost, Throws: as `map::save`.
    void save(std::string const& file) const { counts_.save_as("multiset::save", "multiset", file); }
    /// Replaces all items by those of a file that `save` has written. Collective, Blocks, Cost, Throws: as
    /// `map::load`.
    void load(std::string const& file) const { counts_.load_as("multiset::load", "multiset", file); }
    /// Removes all items. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: as
    /// `size`; `usage_error` in a `for_all` of this container.
    void clear() const { counts_.clear(); }
    /// Swaps two sets, together with all messages on their way to either of the two. Local; all ranks make
    /// the call.
    friend void swap(multiset& a, multiset& b) noexcept { swap(a.counts_, b.counts_); }

private:
    counting_set<T> counts_;
};

} // namespace weft
