#include "matrix_rows.hpp"

#include "graph/bring_to_owners.hpp"

#include <frames/owner_cursor.hpp>
#include <frames/radix_sort.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace weft {

namespace {

struct place {
    std::int64_t row; // from the first row of its rank
    global_id column;

    friend auto operator<=>(place const&, place const&) = default;
};

template <class Key>
struct sent_entry {
    Key key;
    double value;
};

/// Places in one word, which saves a third of the traffic and sorts fast.
struct packed_places {
    using key = std::uint64_t;

    int row_bits;
    int column_bits;

    packed_places(uniform_distribution const& rows, uniform_distribution const& columns)
        : row_bits(std::bit_width(static_cast<std::uint64_t>(rows.total() / rows.parts() + 1))),
          column_bits(std::bit_width(static_cast<std::uint64_t>(columns.total()))) {}

    [[nodiscard]] bool fit() const noexcept { return row_bits + column_bits <= 64; }
    [[nodiscard]] key pack(place const& at) const noexcept {
        return static_cast<key>(at.row) << column_bits | static_cast<key>(at.column);
    }
    [[nodiscard]] place unpack(key word) const noexcept {
        return {static_cast<std::int64_t>(word >> column_bits),
            static_cast<global_id>(word & ((key{1} << column_bits) - 1))};
    }
    void sort(std::vector<sent_entry<key>>& entries) const {
        radix_sort(entries, row_bits + column_bits, [](sent_entry<key> const& each) { return each.key; });
    }
};

/// Places of matrices that are too large for one word.
struct wide_places {
    using key = place;

    [[nodiscard]] key pack(place const& at) const noexcept { return at; }
    [[nodiscard]] place unpack(key const& at) const noexcept { return at; }
    void sort(std::vector<sent_entry<key>>& entries) const {
        std::ranges::sort(entries, {}, &sent_entry<key>::key);
    }
};

/// Returns the entries that this rank stores.
template <class Places, class Entry = sent_entry<typename Places::key>>
std::vector<Entry> distribute(
    gate& call, edge_list list, uniform_distribution const& rows, Places const& places) {
    bool const listed_once = !list.directed && !list.both_directions && !list.bipartite;
    bool const mirrored = list.symmetry != matrix_symmetry::general || listed_once;
    double const mirror_sign = list.symmetry == matrix_symmetry::skew ? -1 : 1;
    auto const for_each = [&](auto&& store) {
        owner_cursor owner_of_row(rows), owner_of_column(rows);
        auto const send = [&](owner_cursor& owner_of, std::int64_t row, std::int64_t column, double value) {
            int const owner = owner_of(row);
            store(owner, Entry{places.pack({row - owner_of.begin(), column}), value});
        };
        for (std::size_t i = 0; i < list.edges.size(); ++i) {
            std::int64_t const row = list.edges[i].source;
            std::int64_t const column = list.edges[i].target - (list.bipartite ? list.rows : 0);
            double const value = list.weights.empty() ? 1 : list.weights[i];
            send(owner_of_row, row, column, value);
            if (mirrored && row != column) send(owner_of_column, column, row, mirror_sign * value);
        }
    };
    return bring_to_owners<Entry>(call, for_each, [&] { list = {}; });
}

template <class Places>
matrix_rows collect(gate& call, edge_list list, uniform_distribution const& rows, Places const& places) {
    auto entries = distribute(call, std::move(list), rows, places);
    matrix_rows collected;
    call.guard([&] {
        places.sort(entries);
        collected.first.assign(static_cast<std::size_t>(rows.size(call.comm().rank())) + 1, 0);
        collected.column.reserve(entries.size());
        collected.value.reserve(entries.size());
        for (auto begin = entries.begin(); begin != entries.end();) {
            auto end = begin + 1;
            while (end != entries.end() && end->key == begin->key) ++end;
            if (end - begin > 1) // entries of the same place
                std::sort(begin, end, [](auto const& a, auto const& b) {
                    return std::bit_cast<std::int64_t>(a.value) < std::bit_cast<std::int64_t>(b.value);
                });
            place const at = places.unpack(begin->key);
            collected.first[static_cast<std::size_t>(at.row) + 1] += static_cast<std::size_t>(end - begin);
            for (; begin != end; ++begin) {
                collected.column.push_back(at.column);
                collected.value.push_back(begin->value);
            }
        }
        for (std::size_t row = 1; row < collected.first.size(); ++row)
            collected.first[row] += collected.first[row - 1];
    });
    return collected;
}

} // namespace

matrix_rows collect_rows(
    gate& call, edge_list entries, uniform_distribution const& rows, uniform_distribution const& columns) {
    packed_places const packed(rows, columns);
    return packed.fit() ? collect(call, std::move(entries), rows, packed)
                        : collect(call, std::move(entries), rows, wide_places());
}

} // namespace weft
