/// The entries of a table as a range.
#pragma once

#include <weft/detail/containers/local_table.hpp>
#include <weft/detail/containers/value_group.hpp>

#include <cstddef>
#include <iterator>
#include <utility>

namespace weft::detail {

/// An entry of a map in a loop.
template <class K, class V>
struct entry_as_pair {
    using reference = std::pair<K const&, V&>;
    using value_type = std::pair<K, V>;
    [[nodiscard]] static reference of(typename local_table<K, V>::entry& each) noexcept {
        return {each.key, each.value};
    }
};
/// An entry of a set in a loop.
template <class K, class V>
struct entry_as_key {
    using reference = K const&;
    using value_type = K;
    [[nodiscard]] static reference of(typename local_table<K, V>::entry& each) noexcept { return each.key; }
};

/// An entry of a multimap in a loop: a key with its values.
template <class K, class V>
struct entry_as_group {
    using reference = std::pair<K const&, group_values<V>>;
    using value_type = reference; // a pair of another key would convert both ways: no common reference
    [[nodiscard]] static reference of(typename local_table<K, value_group<V>>::entry& each) noexcept {
        return {each.key, group_values<V>(each.value)};
    }
};

/// The entries of a table, for a loop. Valid until an entry is inserted or erased, which calls of the mailbox
/// and collective members do.
template <class K, class V, class As = entry_as_pair<K, V>>
class local_entries {
public:
    class iterator {
    public:
        using difference_type = std::ptrdiff_t;
        using value_type = typename As::value_type;
        using reference = typename As::reference;
        using iterator_category = std::input_iterator_tag;

        iterator() = default;
        iterator(local_table<K, V> const& table, std::size_t place) noexcept
            : table_(&table), place_(table.living_from(place)) {}

        [[nodiscard]] reference operator*() const noexcept { return As::of(table_->entry_at(place_)); }
        iterator& operator++() noexcept {
            place_ = table_->living_from(place_ + 1);
            return *this;
        }
        iterator operator++(int) noexcept {
            iterator const before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(iterator const&, iterator const&) = default;

    private:
        local_table<K, V> const* table_ = nullptr;
        std::size_t place_ = 0;
    };

    explicit local_entries(local_table<K, V> const& table) noexcept : table_(&table) {}
    [[nodiscard]] iterator begin() const noexcept { return {*table_, 0}; }
    [[nodiscard]] iterator end() const noexcept { return {*table_, table_->end_place()}; }
    [[nodiscard]] std::size_t size() const noexcept { return table_->size(); }

private:
    local_table<K, V> const* table_;
};

} // namespace weft::detail
