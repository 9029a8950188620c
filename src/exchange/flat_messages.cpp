#include <weft/extend/exchange/flat_messages.hpp>

#include <cstring>
#include <vector>

namespace weft {

namespace {

/// Items in some streams of equal length, the last one with the rest. Where two items that follow each other
/// go to the same rank, the second waits for the place of the first; items of two streams never do.
template <std::size_t Streams>
struct item_streams {
    std::size_t items;
    std::size_t length = items / Streams;

    /// Calls `use(stream, item)` for all items, one of each stream in turn.
    template <class Use>
    void for_each(Use&& use) const {
        for (std::size_t i = 0; i < length; ++i)
            for (std::size_t stream = 0; stream < Streams; ++stream) use(stream, stream * length + i);
        for (std::size_t i = Streams * length; i < items; ++i) use(Streams - 1, i);
    }
};

template <std::size_t Streams, std::size_t Bytes>
void scatter_streams(item_streams<Streams> all, std::span<int const> destinations, std::byte const* from,
    std::size_t item_bytes, std::vector<std::byte*>& cursors) {
    std::size_t const bytes = Bytes != 0 ? Bytes : item_bytes;
    std::size_t const ranks = cursors.size() / Streams;
    all.for_each([&](std::size_t stream, std::size_t item) {
        std::byte*& to = cursors[stream * ranks + static_cast<std::size_t>(destinations[item])];
        std::memcpy(to, from + item * bytes, bytes);
        to += bytes;
    });
}

/// For few ranks: the counts by rank, no look-up an item.
template <std::size_t Streams>
void append_by_rank(
    message_store& store, std::span<int const> destinations, std::byte const* items, std::size_t item_bytes) {
    auto const ranks = static_cast<std::size_t>(store.comm().size());
    item_streams<Streams> const all{destinations.size()};
    std::vector<std::size_t> counts(Streams * ranks);
    all.for_each([&](std::size_t stream, std::size_t item) {
        ++counts[stream * ranks + static_cast<std::size_t>(destinations[item])];
    });
    std::vector<std::byte*> cursors(Streams * ranks);
    // Messages leave in this order: it begins behind this rank, so that not all ranks send to rank 0 first.
    auto const here = static_cast<std::size_t>(store.comm().rank());
    for (std::size_t i = 1; i <= ranks; ++i) {
        std::size_t const rank = (here + i) % ranks;
        std::size_t sum = 0;
        for (std::size_t stream = 0; stream < Streams; ++stream) sum += counts[stream * ranks + rank];
        if (sum == 0) continue;
        std::byte* at = store.at(store.place_of(static_cast<int>(rank))).extend(sum * item_bytes);
        for (std::size_t stream = 0; stream < Streams; ++stream) {
            cursors[stream * ranks + rank] = at;
            at += counts[stream * ranks + rank] * item_bytes;
        }
    }
    switch (item_bytes) {
    case 4:
        return scatter_streams<Streams, 4>(all, destinations, items, 4, cursors);
    case 8:
        return scatter_streams<Streams, 8>(all, destinations, items, 8, cursors);
    case 16:
        return scatter_streams<Streams, 16>(all, destinations, items, 16, cursors);
    default:
        return scatter_streams<Streams, 0>(all, destinations, items, item_bytes, cursors);
    }
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
    for (std::size_t i = 0; i < places.size(); ++i, items += item_bytes) {
        std::byte*& to = cursors[places[i]];
        std::memcpy(to, items, item_bytes);
        to += item_bytes;
    }
}

} // namespace

void append_flat(
    message_store& store, std::span<int const> destinations, std::byte const* items, std::size_t item_bytes) {
    auto const ranks = static_cast<unsigned>(store.comm().size());
    bool all_are_ranks = true;
    for (int const each : destinations) all_are_ranks &= static_cast<unsigned>(each) < ranks;
    constexpr std::size_t streams = 4;
    if (all_are_ranks && ranks * 4 * streams <= destinations.size())
        append_by_rank<streams>(store, destinations, items, item_bytes);
    else if (all_are_ranks && ranks <= destinations.size() + 1024)
        append_by_rank<1>(store, destinations, items, item_bytes);
    else
        append_by_place(store, destinations, items, item_bytes);
}

} // namespace weft
