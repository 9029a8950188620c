#include <weft/frames/sort_by_key.hpp>

#include "copy_values.hpp"
#include "equal_values.hpp"
#include "find_blocks.hpp"
#include "id_weights.hpp"
#include "item_place.hpp"
#include "radix_sort.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
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

/// Appends the bytes of values in another order.
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

/// Merges adjoining sorted runs into one. Equal items keep the order of their runs.
void merge_runs(std::vector<keyed>& items, std::vector<std::size_t> ends) {
    std::vector<keyed> scratch(ends.size() > 2 ? items.size() : 0);
    while (ends.size() > 2) { // the first element is 0
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

/// The sorted items of a rank, as a run for each rank.
struct sorted_runs {
    byte_exchange moved;
    std::span<keyed const> own; // the run that stays on this rank
};

/// Packs the run of each rank: the keys, then the values.
sorted_runs pack_runs(communicator const& comm, std::span<keyed const> rest, block_distribution const& blocks,
    unsorted_items const& what) {
    sorted_runs runs;
    std::size_t const item_bytes = sizeof(global_id) + what.value_bytes;
    for (int rank = 0; rank < comm.size(); ++rank) {
        // The first rank whose block ends at the end of all blocks also gets larger keys.
        auto const behind = blocks.end(rank) == blocks.end()
                                ? rest.end()
                                : std::ranges::lower_bound(rest, blocks.end(rank), {}, &keyed::key);
        std::span<keyed const> const run = rest.first(static_cast<std::size_t>(behind - rest.begin()));
        rest = rest.subspan(run.size());
        if (rank == comm.rank())
            runs.own = run;
        else if (!run.empty()) {
            buffer packed;
            packed.reserve(run.size() * item_bytes);
            std::vector<global_id> const run_keys = keys_of(run);
            packed.append(run_keys.data(), run_keys.size() * sizeof(global_id));
            append_values(packed, run, what.values, what.value_bytes);
            runs.moved.outgoing.push_back({rank, std::move(packed)});
        }
    }
    return runs;
}

/// Merges the received runs with the own one.
class run_merger final : public message_sink {
public:
    run_merger(communicator const& comm, unsorted_items const& what, std::span<keyed const> own,
        double imbalance, sorted_taker& taker)
        : comm_(comm), what_(what), own_(own), imbalance_(imbalance), taker_(taker) {}

    /// Runs are in the order of ranks, with the own one in its place; values have the same order.
    void take(message_list received) override {
        bool own_is_taken = false;
        for (message const& from : received) {
            if (!own_is_taken && from.peer > comm_.rank()) {
                take_own();
                own_is_taken = true;
            }
            std::size_t const count = from.data.size() / (sizeof(global_id) + what_.value_bytes);
            for (std::size_t i = 0; i < count; ++i) {
                global_id key = 0;
                std::memcpy(&key, from.data.data() + i * sizeof key, sizeof key);
                add(key);
            }
            values_.append(from.data.data() + count * sizeof(global_id), count * what_.value_bytes);
            ends_.push_back(items_.size());
        }
        if (!own_is_taken) take_own();
        merge_runs(items_, ends_);
        sorted_bytes sorted{keys_of(items_), {}, imbalance_};
        append_values(sorted.values, items_, values_.bytes(), what_.value_bytes);
        taker_.take(std::move(sorted));
    }

private:
    void add(global_id key) { items_.push_back({key, static_cast<std::uint32_t>(items_.size())}); }
    void take_own() {
        for (keyed const& item : own_) add(item.key);
        append_values(values_, own_, what_.values, what_.value_bytes);
        ends_.push_back(items_.size());
    }

    communicator const& comm_;
    unsorted_items const& what_;
    std::span<keyed const> own_;
    double imbalance_;
    sorted_taker& taker_;
    std::vector<keyed> items_;
    std::vector<std::size_t> ends_{0};
    buffer values_;
};

} // namespace

void sort_items(communicator const& comm, parts_view<global_id> const& keys, unsorted_items const& what,
    sorted_taker& taker) try {
    std::vector<keyed> mine;
    id_weights weights;
    std::exception_ptr failure = failure_in([&] {
        check(comm, keys, what);
        mine = sorted_here(keys);
        weights = id_weights(keys_of(mine));
    });
    census_value largest = census_value::identity();
    largest.max[first_free_maximum] = failure || mine.empty() ? -1 : mine.back().key;
    largest = agree_on("sort_by_key", comm, failure, value_print().add(what.tolerance),
        "have different tolerances", largest);
    balanced_blocks const cut = find_blocks(comm, weights, {}, end_behind(largest.max[first_free_maximum]),
        std::vector<double>(static_cast<std::size_t>(comm.size()), 1.0), {.tolerance = what.tolerance});

    sorted_runs runs;
    failure = failure_in([&] { runs = pack_runs(comm, mine, cut.blocks, what); });
    runs.moved.failure = failure;
    std::size_t const item_bytes = sizeof(global_id) + what.value_bytes;
    runs.moved.items = {what.type.number, static_cast<std::int64_t>(item_bytes), what.type.name};
    runs.moved.blocks = true;
    runs.moved.sink = owned<message_sink>(new run_merger(comm, what, runs.own, cut.imbalance, taker));
    pending_bytes(comm, std::move(runs.moved), {}).finish();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("sort_by_key");
    throw;
}

std::vector<global_id> sort_keys_alone(
    communicator const& comm, parts_view<global_id> const& keys, double tolerance) try {
    struct key_taker final : sorted_taker {
        void take(sorted_bytes&& run) override { found = std::move(run.keys); }
        std::vector<global_id> found;
    };
    key_taker taker;
    sort_items(comm, keys, {.tolerance = tolerance}, taker);
    return std::move(taker.found);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("sort_keys");
    throw;
}

} // namespace weft::detail
