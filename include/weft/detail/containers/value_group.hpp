/// The values of one key of a multimap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace weft::detail {

/// Values stay where they are while one is being looked at: those that come meanwhile wait in `late`.
template <class V>
struct value_group {
    std::vector<V> values = {};
    std::vector<V> late = {};
    int walks = 0;

    /// Only between phases, when nobody looks at values.
    static void wire(auto& archive, auto& self) { archive(self.values, self.late); }

    [[nodiscard]] std::size_t size() const noexcept { return values.size() + late.size(); }
    void add(V value) {
        settle();
        (walks > 0 ? late : values).push_back(std::move(value));
    }

    /// Calls `body(V&)` for all that are there now; it may add.
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
    /// Moves what came late to the others, once nobody looks at these.
    void settle() {
        if (walks > 0 || late.empty()) return;
        values.insert(
            values.end(), std::make_move_iterator(late.begin()), std::make_move_iterator(late.end()));
        late = {};
    }
};

/// Many values per key, in the order in which they come.
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
