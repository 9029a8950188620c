/// Counts of items over all ranks.
#pragma once

#include <weft/containers/map.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft {

template <key_type U>
class multiset;

/// Items of all ranks, each with the number of its insertions. A rank adds up its insertions of an item and
/// sends the sum, so an item that all ranks insert costs little. The rules of `map` hold: calls are local and
/// are complete on all ranks when the mailbox has been drained; collective members drain the mailbox first.
template <key_type T>
class counting_set {
public:
    using key_type = T;                                  ///< The type of an item.
    using mapped_type = std::int64_t;                    ///< The type of a count.
    using elements = std::tuple<T const&, std::int64_t>; ///< The arguments of the body of `for_all`.

    /// Makes an empty set. Collective: no, but all ranks make channels and containers in the same order.
    explicit counting_set(mailbox& mail) : counts_(mail) {}
    /// Copies a set, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost: a
    /// drain, and a copy of all entries of this rank. Throws: all that `mailbox::drain` throws;
    /// `std::bad_alloc` and errors of copying, on all ranks.
    counting_set(counting_set const& other) = default;
    counting_set& operator=(counting_set const& other) = default;
    counting_set(counting_set&&) noexcept = default;
    counting_set& operator=(counting_set&&) noexcept = default;
    ~counting_set() = default; // local

    /// Returns the mailbox of the set. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return counts_.mail(); }

    /// Adds `times` to the count of an item. A count may become negative, and an item whose count becomes 0
    /// stays in the set.
    void insert(detail::argument_of<T> item, std::int64_t times = 1) const { counts_.increment(item, times); }
    /// Adds 1 to the count of each of several items.
    void insert(std::span<T const> items) const { counts_.increment(items); }
    /// Erases an item with its count.
    void erase(detail::argument_of<T> item) const { counts_.erase(item); }
    /// Erases several items.
    void erase(std::span<T const> items) const { counts_.erase(items); }

    /// Returns the number of different items of all ranks. Collective: yes. Blocks: until the mailbox is
    /// drained. Cost: a drain and a small all-reduce. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::int64_t size() const { return counts_.size(); }
    /// Returns the sum of all counts. Collective, Blocks, Cost, Throws: as `size`.
    [[nodiscard]] std::int64_t total() const {
        return counts_.all_reduce([](T const&, std::int64_t count) { return count; }, detail::plus_values())
            .value_or(0);
    }
    /// Returns true if the set has the item; all ranks pass the same item. Collective, Blocks, Cost, Throws:
    /// as `size`; `usage_error` if items differ between ranks.
    [[nodiscard]] bool contains(detail::argument_of<T> item) const { return counts_.contains(item); }
    /// Returns the count of an item, 0 if the set does not have the item; all ranks pass the same item.
    /// Collective, Blocks, Cost, Throws: as `contains`.
    [[nodiscard]] std::int64_t count(detail::argument_of<T> item) const {
        return counts_.find(item).value_or(0);
    }
    /// Returns the counts of the given items; 0 for an item that the set does not have. Ranks may pass
    /// different items. Collective, Blocks, Cost, Throws: as `map::collect`.
    [[nodiscard]] std::vector<std::int64_t> collect(std::span<T const> items) const {
        auto const answers = counts_.collect(items);
        std::vector<std::int64_t> found(answers.size());
        for (std::size_t i = 0; i < answers.size(); ++i) found[i] = answers[i].value_or(0);
        return found;
    }
    /// Returns each of the given items that the set has, once, with its count. Collective, Blocks,
    /// Cost, Throws: as `map::gather_keys`.
    [[nodiscard]] std::vector<std::pair<T, std::int64_t>> gather_keys(std::span<T const> items) const {
        return counts_.gather_keys(items);
    }
    /// Returns on all ranks the `k` items that occur most often, with their counts. The most frequent item
    /// comes first; of items with equal counts, the smaller item comes first. Collective, Blocks, Cost,
    /// Throws: as `map::gather_top_k`.
    [[nodiscard]] std::vector<std::pair<T, std::int64_t>> gather_top_k(
        std::int64_t k) const requires std::totally_ordered<T> {
        return counts_.gather_top_k(k, [](auto const& a, auto const& b) {
            return a.second != b.second ? a.second > b.second : a.first < b.first;
        });
    }

    /// Calls `body(T const&, std::int64_t)` for all items with their counts, each on its rank. Collective,
    /// Blocks, Cost, Order, Throws: as `map::for_all`.
    template <class Body>
    requires std::invocable<Body&, T const&, std::int64_t>
    void for_all(Body&& body) const {
        counts_.for_all([&](T const& item, std::int64_t count) { body(item, count); });
    }
    /// Calls `body(T const&, std::int64_t)` for the items of this rank. Local.
    template <class Body>
    requires std::invocable<Body&, T const&, std::int64_t>
    void for_each_local(Body&& body) const {
        counts_.for_each_local([&](T const& item, std::int64_t count) { body(item, count); });
    }
    /// Returns the items of this rank with their counts, as `map::local`.
    [[nodiscard]] detail::local_entries<T, std::int64_t> local() const noexcept { return counts_.local(); }
    /// Returns the number of different items that this rank owns. Local.
    [[nodiscard]] std::int64_t local_size() const noexcept { return counts_.local_size(); }
    /// Returns the rank that owns an item. Local.
    [[nodiscard]] int owner(detail::argument_of<T> item) const { return counts_.owner(item); }

    /// Returns all items with their counts on all ranks, in the order of items if their type has `<`.
    /// Collective, Blocks, Throws: as `for_all`. Cost: as `all_gatherv`.
    [[nodiscard]] std::vector<std::pair<T, std::int64_t>> gather() const { return counts_.gather(); }
    /// Returns, on all ranks, the combination of the values of all items: `of(T const&, std::int64_t)`
    /// returns the value of an item with its count, and `op(R, R)` combines two values. The result is nullopt
    /// if the set is empty. Collective, Blocks, Cost, Order, Throws: as `map::all_reduce`.
    template <class Of, class Op>
    [[nodiscard]] auto all_reduce(Of of, Op op) const {
        return counts_.all_reduce(std::move(of), std::move(op));
    }

    /// Writes all items to a file. Collective, Blocks, Cost, Throws: as `map::save`.
    void save(std::string const& file) const { save_as("counting_set::save", "counting_set", file); }
    /// Replaces all items and counts by those of a file that `save` has written. Collective, Blocks, Cost,
    /// Throws: as `map::load`.
    void load(std::string const& file) const { load_as("counting_set::load", "counting_set", file); }
    /// Removes all items. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: as
    /// `size`; `usage_error` in a `for_all` of this container.
    void clear() const { counts_.clear(); }
    /// Swaps two sets, together with all messages on their way to either of the two. Local; all ranks make
    /// the call.
    friend void swap(counting_set& a, counting_set& b) noexcept { swap(a.counts_, b.counts_); }

private:
    template <weft::key_type U>
    friend class multiset; // its files are of its name

    void save_as(char const* call, char const* kind, std::string const& file) const {
        counts_.save_as(call, kind, file);
    }
    void load_as(char const* call, char const* kind, std::string const& file) const {
        counts_.load_as(call, kind, file);
    }

    map<T, std::int64_t> counts_;
};

} // namespace weft
