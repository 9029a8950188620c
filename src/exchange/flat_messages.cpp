#include <weft/extend/exchange/flat_messages.hpp>

#include <cstring>
#include <vector>

namespace weft {

namespace {

/// Appends items at the cursor of their place; a size that the compiler knows makes copies single
/// instructions.
template <std::size_t Bytes, class PlaceOf>
void scatter_sized(std::byte const* from, std::size_t items, std::size_t item_bytes,
    std::vector<std::byte*>& cursors, PlaceOf const& place_of) {
    std::size_t const bytes = Bytes != 0 ? Bytes : item_bytes;
    for (std::size_t i = 0; i < items; ++i, from += bytes) {
        std::byte*& to = cursors[place_of(i)];
        std::memcpy(to, from, bytes);
        to += bytes;
    }
}

template <class PlaceOf>
void scatter_to_cursors(std::byte const* from, std::size_t items, std::size_t item_bytes,
    std::vector<std::byte*>& cursors, PlaceOf const& place_of) {
    switch (item_bytes) {
    case 4:
        return scatter_sized<4>(from, items, 4, cursors, place_of);
    case 8:
        return scatter_sized<8>(from, items, 8, cursors, place_of);
    case 16:
        return scatter_sized<16>(from, items, 16, cursors, place_of);
    default:
        return scatter_sized<0>(from, items, item_bytes, cursors, place_of);
    }
}

/// For few ranks: the counts by rank, no look-up an item.
void append_by_rank(
    message_store& store, std::span<int const> destinations, std::byte const* items, std::size_t item_bytes) {
    auto const ranks = static_cast<std::size_t>(store.comm().size());
    std::vector<std::size_t> counts(ranks);
    for (int const each : destinations) ++counts[static_cast<std::size_t>(each)];
    std::vector<std::byte*> cursors(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
        if (counts[rank] != 0)
            cursors[rank] =
                store.at(store.place_of(static_cast<int>(rank))).extend(counts[rank] * item_bytes);
    scatter_to_cursors(items, destinations.size(), item_bytes, cursors,
        [&](std::size_t i) { return static_cast<std::size_t>(destinations[i]); });
}

void append_by_place(
    message_store& store, std::span<int const> destinations, std::byte const* items, std::size_t item_bytes) {
    std::vector<std::size_t> places(destinations.size());
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = store.place_of(destinations[i]);
        if (places[i] >= counts.size()) counts.resize(places[i] + 1);
        ++counts[places[i]];
    }
    std::vector<std::byte*> cursors(counts.size());
    for (std::size_t place = 0; place < counts.size(); ++place)
        if (counts[place] != 0) cursors[place] = store.at(place).extend(counts[place] * item_bytes);
    scatter_to_cursors(items, places.size(), item_bytes, cursors, [&](std::size_t i) { return places[i]; });
}

} // namespace

void append_flat(
    message_store& store, std::span<int const> destinations, std::byte const* items, std::size_t item_bytes) {
    auto const ranks = static_cast<unsigned>(store.comm().size());
    bool all_are_ranks = true;
    for (int const each : destinations) all_are_ranks &= static_cast<unsigned>(each) < ranks;
    if (all_are_ranks && ranks <= destinations.size() + 1024)
        append_by_rank(store, destinations, items, item_bytes);
    else
        append_by_place(store, destinations, items, item_bytes);
}

} // namespace weft
