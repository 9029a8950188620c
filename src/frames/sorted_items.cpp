#include <weft/frames/sort_by_key.hpp>

#include "copy_values.hpp"
#include "find_blocks.hpp"
#include "id_weights.hpp"
#include "item_place.hpp"
#include "radix_sort.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace weft::detail {

namespace {

struct keyed {
    global_id key;
    std::uint32_t item;
};

bool before(keyed const& a, keyed const& b) noexcept {
    return a.key < b.key;
}

void check(communicator const& comm, parts_view<global_id> const& keys, unsorted_items const& what) {
    if (what.failure) std::rethrow_exception(what.failure);
    if (keys.items() >= UINT32_MAX)
        throw usage_error("sort_by_key: " + std::to_string(keys.items()) + " keys on rank " +
                          std::to_string(comm.rank()) + "; at most 4294967294 are possible");
    for (std::size_t part = 0; part < keys.parts(); ++part)
        for (std::size_t i = 0; i < keys[part].size(); ++i)
            if (keys[part][i] < 0)
                throw usage_error("sort_by_key: the key " + std::to_string(keys[part][i]) +
                                  where(comm, part, i) + " is negative");
    if (!(what.tolerance >= 0))
        throw usage_error("sort_by_key: the tolerance must be a number that is not negative");
}

std::vector<keyed> sorted_here(parts_view<global_id> const& keys) {
    std::vector<keyed> items;
    items.reserve(keys.items());
    std::uint64_t all_bits = 0;
    for (std::size_t part = 0; part < keys.parts(); ++part)
        for (global_id const key : keys[part]) {
            all_bits |= static_cast<std::uint64_t>(key);
            items.push_back({key, static_cast<std::uint32_t>(items.size())});
        }
    radix_sort(items, static_cast<int>(std::bit_width(all_bits)),
        [](keyed const& item) { return static_cast<std::uint64_t>(item.key); });
    return items;
}

std::vector<global_id> keys_of(std::span<keyed const> items) {
    std::vector<global_id> keys;
    keys.reserve(items.size());
    for (keyed const& item : items) keys.push_back(item.key);
    return keys;
}

/// The bytes of values in another order.
void append_values(
    buffer& to, std::span<keyed const> order, std::span<std::byte const> values, std::size_t bytes) {
    if (bytes == 0) return;
    std::vector<std::uint32_t> index;
    index.reserve(order.size());
    for (keyed const& item : order) index.push_back(item.item);
    std::size_t const begin = to.size();
    to.resize(begin + order.size() * bytes);
    copy_values({to.data() + begin, nullptr, values.data(), index.data(), order.size(), bytes});
}

/// Sorted runs that lie one after the other become one. Of equal items those of the first run stay first.
void merge_runs(std::vector<keyed>& items, std::vector<std::size_t> ends) {
    std::vector<keyed> scratch(ends.size() > 2 ? items.size() : 0);
    while (ends.size() > 2) { // the first is 0
        std::vector<std::size_t> joined{0};
        for (std::size_t run = 0; run + 1 < ends.size(); run += 2) {
            std::size_t const last = std::min(run + 2, ends.size() - 1);
            auto const at = [&](std::size_t end) {
                return items.begin() + static_cast<std::ptrdiff_t>(ends[end]);
            };
            std::merge(at(run), at(run + 1), at(run + 1), at(last),
                scratch.begin() + static_cast<std::ptrdiff_t>(ends[run]), before);
            joined.push_back(ends[last]);
        }
        items.swap(scratch);
        ends = std::move(joined);
    }
}

} // namespace

sorted_bytes sort_items(
    communicator const& comm, parts_view<global_id> const& keys, unsorted_items const& what) {
    agreed(comm, [&] { check(comm, keys, what); });
    std::vector<keyed> mine = sorted_here(keys);
    global_id const end = max(comm, mine.empty() ? -1 : mine.back().key) + 1;
    balanced_blocks const cut = find_blocks(comm, id_weights(keys_of(mine)), end,
        std::vector<double>(static_cast<std::size_t>(comm.size()), 1.0), {.tolerance = what.tolerance});

    // To each rank its run: the keys, then the values. Items that stay here stay where they are.
    std::size_t const item_bytes = sizeof(global_id) + what.value_bytes;
    byte_exchange moved;
    moved.items = {what.type.number, static_cast<std::int64_t>(item_bytes), what.type.name};
    moved.blocks = true;
    std::span<keyed const> own;
    std::span<keyed const> rest(mine);
    for (int rank = 0; rank < comm.size(); ++rank) {
        auto const behind = std::ranges::lower_bound(rest, cut.blocks.end(rank), {}, &keyed::key);
        std::span<keyed const> const run = rest.first(static_cast<std::size_t>(behind - rest.begin()));
        rest = rest.subspan(run.size());
        if (rank == comm.rank())
            own = run;
        else if (!run.empty()) {
            buffer packed;
            packed.reserve(run.size() * item_bytes);
            std::vector<global_id> const run_keys = keys_of(run);
            packed.append(run_keys.data(), run_keys.size() * sizeof(global_id));
            append_values(packed, run, what.values, what.value_bytes);
            moved.outgoing.push_back({rank, std::move(packed)});
        }
    }
    pending_bytes exchange(comm, std::move(moved), {});
    exchange.finish();
    message_list const received = exchange.take();

    // Runs by their ranks, this one's in its place; values lie in the same order.
    std::vector<keyed> items;
    std::vector<std::size_t> ends{0};
    buffer values;
    auto const take_own = [&] {
        for (keyed const& item : own) items.push_back({item.key, static_cast<std::uint32_t>(items.size())});
        append_values(values, own, what.values, what.value_bytes);
        ends.push_back(items.size());
    };
    bool own_is_taken = false;
    for (message const& from : received) {
        if (!own_is_taken && from.peer > comm.rank()) {
            take_own();
            own_is_taken = true;
        }
        std::size_t const count = from.data.size() / item_bytes;
        for (std::size_t i = 0; i < count; ++i) {
            global_id key = 0;
            std::memcpy(&key, from.data.data() + i * sizeof key, sizeof key);
            items.push_back({key, static_cast<std::uint32_t>(items.size())});
        }
        values.append(from.data.data() + count * sizeof(global_id), count * what.value_bytes);
        ends.push_back(items.size());
    }
    if (!own_is_taken) take_own();
    merge_runs(items, ends);
    sorted_bytes sorted{keys_of(items), {}, cut.imbalance};
    append_values(sorted.values, items, values.bytes(), what.value_bytes);
    return sorted;
}

} // namespace weft::detail
