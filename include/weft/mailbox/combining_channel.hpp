/// A channel that merges items with the same key before they are sent.
#pragma once

#include <weft/detail/core/hash.hpp>
#include <weft/detail/core/id_table.hpp>
#include <weft/mailbox/channel.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// The way in which items of a channel are combined: `combine_by{.key = [](item const& i) { return i.vertex;
/// }, .merge = [](item& into, item const& from) { into.count += from.count; }}`. Keys are integers. Items
/// with the same key and destination are merged while they wait on a rank, which is the sender or a rank that
/// forwards them. The handler gets merged items. Combining is worthwhile if a message costs more than a
/// look-up in a cache: between nodes, and inside a node if the handler is expensive. If `key` or `merge`
/// throws while it is called by `send`, this call of `send` throws. If `key` or `merge` throws while a rank
/// forwards items or drains, the next `drain` throws on every rank.
template <class K, class M>
struct combine_by {
    K key;   ///< The function that gives the key of an item.
    M merge; ///< The function that merges one item into another.
    /// The size of the cache in which items wait, in items, rounded up to a power of two.
    std::size_t entries = 32768;
};
// Clang before 17 does not deduce them of an aggregate; with these it does where fields are not named.
/// Deduces the types of the key and of the merge.
template <class K, class M>
combine_by(K, M) -> combine_by<K, M>;
/// Deduces the types of the key and of the merge.
template <class K, class M>
combine_by(K, M, std::size_t) -> combine_by<K, M>;

namespace detail {

/// The cache of a combining channel, where one key displaces another: no `id_table`. Items are counted when
/// they leave it in a run; those that others sent count as handled when they come into it. A rank votes for
/// the end only when its cache is empty.
///
/// A new item first waits in a short queue while its entry comes from memory: a comparison with an entry
/// that is not there yet would stop all that follows.
template <class T, class K, class M>
class combining_cache : public mail_channel {
public:
    combining_cache(mail_engine& mail, combine_by<K, M> how)
        : mail_(&mail),
          how_(std::move(how)),
          table_(std::bit_ceil(how_->entries < 2 ? std::size_t{2} : how_->entries)),
          shift_(64 - std::countr_zero(table_.size())) {
        combines = true;
        set_type<channel_kind::combining, T>(*this);
    }

    void set_number(int number) noexcept { key_ = mail_->key_of(number); }
    [[nodiscard]] int number() const noexcept { return static_cast<int>(key_ & 0xFFFF) - 1; }
    [[nodiscard]] bool is_open() const noexcept { return how_.has_value(); }
    void close() noexcept override { how_.reset(); }
    [[nodiscard]] mail_engine& mail() const noexcept { return *mail_; }

    void send(int destination, T const& item) {
        queued& place = queue_[next_++ % queue_.size()];
        queued const first = std::exchange(place, {&entry_of(item), {item, destination}});
        __builtin_prefetch(place.at, 1);
        if (first.at == nullptr || merges(*first.at, first.what)) [[likely]]
            return;
        replace(*first.at, first.what);
    }

    std::size_t pass_on(int destination, std::span<std::byte const> run) override {
        for (std::size_t done = 0; done < run.size(); done += sizeof(T)) {
            T item;
            std::memcpy(&item, run.data() + done, sizeof(T));
            entry* const found = find_entry(item);
            if (found == nullptr || is_gone(*found, {item, destination})) continue;
            entry& at = *found;
            // Only for want of room at the item's own next hop may it stop here: what it would displace may
            // have an earlier one to make, and ranks that wait for those would wait for each other.
            if (at.destination < 0) {
                ++held_;
                at = {item, destination};
            } else if (has_room(at.destination)) {
                put(at.destination, at.item);
                at = {item, destination};
            } else if (has_room(destination)) {
                put(destination, item);
            } else {
                return done;
            }
        }
        return run.size();
    }

    bool release_held() override {
        for (queued& each : queue_) {
            queued const first = std::exchange(each, {});
            if (first.at != nullptr && !is_gone(*first.at, first.what)) replace(*first.at, first.what);
        }
        next_released_ = next_;
        if (held_ == 0) return false;
        for (entry& each : table_) {
            if (each.destination < 0) continue;
            entry const old = std::exchange(each, entry{});
            --held_;
            put(old.destination, old.item);
        }
        return true;
    }

    [[nodiscard]] bool holds_any() const noexcept override { return held_ > 0 || next_ != next_released_; }

    void handle_long(int, std::span<std::byte const>) override {} // no item is that long
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return static_cast<std::int64_t>(run.size() / sizeof(T));
    }

private:
    struct entry {
        T item = {};
        int destination = -1; // nothing
    };
    struct queued {
        entry* at = nullptr; // nothing
        entry what = {};
    };

    [[gnu::noinline]] void replace(entry& at, entry const& by) {
        entry const old = std::exchange(at, by);
        if (old.destination >= 0)
            put(old.destination, old.item);
        else
            ++held_;
    }

    [[nodiscard]] entry& entry_of(T const& item) {
        auto const key = static_cast<std::uint64_t>(how_->key(item));
        return table_[fibonacci_place(key, shift_)];
    }
    bool merges(entry& at, entry const& other) {
        if (at.destination != other.destination || how_->key(at.item) != how_->key(other.item)) return false;
        how_->merge(at.item, other.item);
        return true;
    }

    // Inside of the engine an error of the user's functions is that of the phase, and its item counts as
    // handled: no caller can catch it, and the other ranks wait for the counts.
    void fail() {
        mail_->fail(std::current_exception(), "in combine_by of channel " + std::to_string(number()) + ": ");
    }
    /// Null if `key` throws.
    [[nodiscard]] entry* find_entry(T const& item) {
        try {
            if (!is_open()) came_for_a_closed_channel();
            return &entry_of(item);
        } catch (...) { fail(); }
        return nullptr;
    }
    /// Merges an item into another. Returns true if it need not be kept: it was merged, or merging threw.
    [[nodiscard]] bool is_gone(entry& at, entry const& other) {
        try {
            return merges(at, other);
        } catch (...) { fail(); }
        return true;
    }
    [[nodiscard]] bool has_room(int destination) {
        return mail_->try_room(static_cast<std::size_t>(destination), key_, sizeof(T)) != nullptr;
    }
    void put(int destination, T const& item) {
        auto const place = static_cast<std::size_t>(destination);
        mail_engine::cursor& at = mail_->cursor_with_room(place, key_, sizeof(T));
        std::memcpy(at.next, &item, sizeof(T));
        at.next += sizeof(T);
    }

    mail_engine* mail_;
    std::optional<combine_by<K, M>> how_; // empty once it is closed
    std::uint64_t key_ = 0;
    std::vector<entry> table_;
    std::array<queued, 64> queue_ = {};
    unsigned next_ = 0;
    unsigned next_released_ = 0; // none is in the queue while both are equal
    int shift_;
    std::int64_t held_ = 0;
};

template <class T, class H, class K, class M>
class combining_receiver final : public combining_cache<T, K, M> {
public:
    combining_receiver(mail_engine& mail, H handler, combine_by<K, M> how)
        : combining_cache<T, K, M>(mail, std::move(how)), handler_(std::move(handler)) {
        static_assert(!wants_source<H, T>, "weft: a combined item has no single source");
    }
    std::int64_t handle(int source, std::span<std::byte const> run) override {
        std::span const items(reinterpret_cast<T const*>(run.data()), run.size() / sizeof(T));
        call<T>(open_handler(handler_), source, items);
        return static_cast<std::int64_t>(items.size());
    }

    void close() noexcept override {
        combining_cache<T, K, M>::close();
        handler_.reset();
    }

private:
    std::optional<H> handler_; // empty once it is closed
};

} // namespace detail

/// Sends items on a channel that merges items with the same key. Items have no order. All else is the same as
/// for `channel`.
template <class T, class K, class M>
class combining_channel {
public:
    /// Binds the channel to its cache. `mailbox::channel` calls this constructor.
    explicit combining_channel(detail::combining_cache<T, K, M>& cache) noexcept : cache_(&cache) {}

    /// Sends an item to a rank. The item may be merged with other items of the same key before it arrives.
    void send(int destination, T const& item) const {
        if (static_cast<unsigned>(destination) >= static_cast<unsigned>(cache_->mail().size())) [[unlikely]]
            detail::no_such_rank(destination, cache_->mail().size());
        if (!cache_->is_open()) [[unlikely]]
            detail::came_for_a_closed_channel();
        cache_->send(destination, item);
    }
    /// Closes the channel, as `channel::close`. A later `send` on this rank throws `usage_error`.
    void close() const { cache_->mail().close(cache_->number()); }

private:
    detail::combining_cache<T, K, M>* cache_;
};

} // namespace weft
