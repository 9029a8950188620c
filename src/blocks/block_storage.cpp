#include <weft/blocks/block_storage.hpp>

#include "file_extents.hpp"

#include <core/thread_count.hpp>
#include <files/file_handle.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace weft {

namespace {

void check_storage(block_options const& options, block_images const& images) {
    check_threads("blocks", options.threads);
    if (options.blocks_in_memory == 0) return;
    if (options.blocks_in_memory < options.threads)
        throw usage_error("blocks: blocks_in_memory is " + std::to_string(options.blocks_in_memory) +
                          "; it is 0, for all, or at least the number of threads, " +
                          std::to_string(options.threads));
    if (!images.travel())
        throw usage_error("blocks: blocks_in_memory is " + std::to_string(options.blocks_in_memory) +
                          ", but the type of the blocks has no wire format: give it a hook, see "
                          "weft/wire/wire.hpp");
}

} // namespace

struct block_storage::state {
    using clock = std::chrono::steady_clock;
    using places_by_turn = std::map<std::uint64_t, std::size_t>;
    struct entry {
        bool in_memory = false;
        bool changed = false; // since it was last written
        int uses = 0;
        std::uint64_t turn = 0; // time of its last use
        file_extent extent = {};
        std::uint64_t bytes = 0; // size of its image in the file
        double seconds = 0;
        clock::time_point since = {};
        places_by_turn::node_type idles_in = {}; // of a block that is in use: no use may fail as it ends
    };

    explicit state(block_images& of) : images(of) {}

    void make_room();
    void write_image(entry& of, std::span<std::byte const> bytes);
    void evict(std::size_t place);
    [[nodiscard]] static places_by_turn::node_type made_for(std::size_t place);
    void enter_memory(std::size_t place, places_by_turn::node_type idles_in);
    void forget(entry& of);
    void end_use(std::size_t place);
    [[nodiscard]] bool is_full() const noexcept { return limit != 0 && in_memory >= limit; }

    block_images& images;
    std::size_t limit = 0; // most blocks in memory; 0: no limit
    bool measures = false;
    std::optional<file_handle> file; // if not all blocks are in memory
    file_extents extents;
    mutable std::mutex mutex;
    std::vector<entry> entries;
    std::size_t in_memory = 0;
    places_by_turn idle; // blocks in memory that are not in use
    std::uint64_t next_turn = 0;
    buffer image; // for reading or writing; reused, since blocks often have similar sizes
    storage_counters counters;
};

block_storage::block_storage(
    communicator const& comm, block_images& images, block_options const& options) try {
    detail::owned made(new state(images));
    agreed(comm, [&] {
        check_storage(options, images);
        if (options.blocks_in_memory != 0) made->file.emplace(file_handle::scratch(options.directory));
    });
    made->limit = static_cast<std::size_t>(options.blocks_in_memory);
    made->measures = options.measure_costs;
    brackets_ = made->limit != 0 || made->measures;
    state_ = std::move(made);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("block_set");
    throw;
}

void block_storage::state::write_image(entry& of, std::span<std::byte const> bytes) {
    file_extent const old = of.extent;
    bool const fits = bytes.size() <= old.bytes;
    file_extent const wanted = fits ? old : extents.take(bytes.size());
    try {
        file->write(bytes, static_cast<std::int64_t>(wanted.at));
    } catch (...) {
        // The old image is gone or incomplete, but the block is still in memory.
        if (!fits) extents.give_back(wanted);
        throw;
    }
    if (!fits) extents.give_back(old);
    of.extent = wanted;
    of.bytes = bytes.size();
    of.changed = false;
    ++counters.stored;
}

void block_storage::state::evict(std::size_t place) {
    entry& leaving = entries[place];
    if (leaving.changed) {
        image.clear();
        images.append(place, image);
        write_image(leaving, std::as_const(image).bytes());
    }
    images.drop(place);
    leaving.in_memory = false;
    idle.erase(leaving.turn);
    --in_memory;
}

void block_storage::state::make_room() {
    while (is_full()) {
        if (idle.empty()) throw usage_error("blocks: all blocks that may be in memory are in use");
        evict(idle.begin()->second);
    }
}

block_storage::state::places_by_turn::node_type block_storage::state::made_for(std::size_t place) {
    places_by_turn one{{0, place}};
    return one.extract(one.begin());
}

void block_storage::state::enter_memory(std::size_t place, places_by_turn::node_type idles_in) {
    entries[place].in_memory = true;
    entries[place].idles_in = std::move(idles_in);
    ++in_memory;
    counters.most_in_memory = std::max(counters.most_in_memory, static_cast<std::int64_t>(in_memory));
}

void block_storage::begin_use(std::size_t place, bool changes) {
    state& all = *state_;
    std::lock_guard const lock(all.mutex);
    state::entry& wanted = all.entries[place];
    if (!wanted.in_memory) {
        all.make_room();
        auto idles_in = state::made_for(place);
        all.image.resize(static_cast<std::size_t>(wanted.bytes));
        all.file->read_all(all.image.bytes(), static_cast<std::int64_t>(wanted.extent.at));
        all.images.make(place, std::as_const(all.image).bytes());
        ++all.counters.loaded;
        all.enter_memory(place, std::move(idles_in));
    } else if (wanted.uses == 0) {
        wanted.idles_in = all.idle.extract(wanted.turn);
    }
    ++wanted.uses;
    wanted.changed = wanted.changed || changes;
    if (all.measures) wanted.since = state::clock::now();
}

void block_storage::state::end_use(std::size_t place) {
    entry& used = entries[place];
    if (--used.uses > 0) return;
    used.turn = next_turn++;
    used.idles_in.key() = used.turn;
    used.idles_in.mapped() = place;
    idle.insert(std::move(used.idles_in));
}

void block_storage::end_use(std::size_t place) noexcept {
    state& all = *state_;
    std::lock_guard const lock(all.mutex);
    state::entry& used = all.entries[place];
    if (all.measures) used.seconds += std::chrono::duration<double>(state::clock::now() - used.since).count();
    all.end_use(place);
}

void block_storage::use_to_make(std::size_t place) {
    state& all = *state_;
    std::lock_guard const lock(all.mutex);
    all.make_room();
    all.enter_memory(place, state::made_for(place));
    all.entries[place].uses = 1;
}

void block_storage::done_making(std::size_t place, bool made) noexcept {
    state& all = *state_;
    std::lock_guard const lock(all.mutex);
    state::entry& used = all.entries[place];
    if (made) {
        used.changed = true;
        all.end_use(place);
        return;
    }
    used = {};
    --all.in_memory;
}

void block_storage::append_image(std::size_t place, buffer& to) {
    state& all = *state_;
    std::lock_guard const lock(all.mutex);
    state::entry const& wanted = all.entries[place];
    if (wanted.in_memory) {
        all.images.append(place, to);
        return;
    }
    std::size_t const before = to.size();
    to.extend(static_cast<std::size_t>(wanted.bytes));
    all.file->read_all(to.bytes().subspan(before), static_cast<std::int64_t>(wanted.extent.at));
}

void block_storage::put_image(std::size_t place, std::span<std::byte const> image) {
    state& all = *state_;
    std::lock_guard const lock(all.mutex);
    state::entry& made = all.entries[place];
    if (all.is_full()) {
        all.write_image(made, image);
    } else {
        auto idles_in = state::made_for(place);
        all.images.make(place, image);
        all.enter_memory(place, std::move(idles_in));
        made.changed = true;
        made.uses = 1;
        all.end_use(place);
    }
}

void block_storage::state::forget(entry& of) {
    extents.give_back(of.extent);
    if (of.in_memory) {
        idle.erase(of.turn);
        --in_memory;
    }
    of = {};
}

void block_storage::resize(std::size_t places) {
    state& all = *state_;
    for (std::size_t place = places; place < all.entries.size(); ++place) all.forget(all.entries[place]);
    all.images.resize(places);
    all.entries.resize(places);
}

void block_storage::rearrange(std::span<std::size_t const> old_places) {
    state& all = *state_;
    std::vector<state::entry> now(old_places.size());
    for (std::size_t place = 0; place < now.size(); ++place)
        now[place] = std::exchange(all.entries[old_places[place]], {});
    for (std::size_t place = 0; place < all.entries.size(); ++place) {
        if (all.entries[place].in_memory) all.images.drop(place);
        all.forget(all.entries[place]);
    }
    all.images.rearrange(old_places);
    all.entries = std::move(now);
    for (std::size_t place = 0; place < all.entries.size(); ++place)
        if (all.entries[place].in_memory) all.idle[all.entries[place].turn] = place;
    if (all.file) all.file->shorten(static_cast<std::int64_t>(all.extents.end()));
}

std::size_t block_storage::size() const noexcept {
    return state_->entries.size();
}

bool block_storage::keeps_all() const noexcept {
    return state_->limit == 0;
}

bool block_storage::measures() const noexcept {
    return state_->measures;
}

double block_storage::seconds(std::size_t place) const noexcept {
    return state_->entries[place].seconds;
}

void block_storage::set_seconds(std::size_t place, double seconds) noexcept {
    state_->entries[place].seconds = seconds;
}

storage_counters block_storage::counters() const noexcept {
    std::lock_guard const lock(state_->mutex);
    storage_counters result = state_->counters;
    result.file_bytes = static_cast<std::int64_t>(state_->extents.end());
    return result;
}

} // namespace weft
