/// The values of one key of a multimap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace weft::detail {

/// Keeps the addresses of values while one is in use: values that arrive meanwhile wait in `late`.
template <class V>
struct value_group {
    std::vector<V> values = {};
    std::vector<V> late = {};
    int walks = 0;

    /// To be called between phases only, when no value is in use.
    static void wire(auto& archive, auto& self) { archive(self.values, self.late); }

    [[nodiscard]] std::size_t size() const noexcept { return values.size() + late.size(); }
    void add(V value) {
        settle();
        (walks > 0 ? late : values).push_back(std::move(value));
    }

    /// Calls `body(V&)` for all present values; it may add values.
    template <class Body>
    void for_each(Body&& body) {
        struct walk {
            explicit walk(value_group& of) noexcept : group(of) { ++group.walks; }
            ~walk() { --group.walks; }
            value_group& group;
        };
        settle();
        walk const now(*this);
        for (std::size_t i = 0; i < values.size(); ++i) body(values[i]);
    }
    /// Appends the late values once no value is in use.
    void settle() {
        if (walks > 0 || late.empty()) return;
        values.insert(
            values.end(), std::make_move_iterator(late.begin()), std::make_move_iterator(late.end()));
        late = {};
    }
};

/// Several values per key, in order of arrival.
template <class V>
struct many_values {
    using stored = value_group<V>;
    template <class Entry, class Body>
    static void for_each(Entry& of, Body&& body) {
        of.value.for_each(body);
    }
    template <class Table, class K, class View>
    static void insert(Table& table, std::uint64_t hash, K const& key, View& value) {
        table.find_or_make(hash, key, [] { return stored(); }).first->value.add(V(std::move(value)));
    }
};

} // namespace weft::detail
