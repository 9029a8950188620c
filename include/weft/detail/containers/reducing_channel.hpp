/// A channel of a container that combines values of one key before they are sent.
#pragma once

#include <weft/detail/containers/hashed_part.hpp>
#include <weft/detail/containers/keyed_channel.hpp>
#include <weft/detail/containers/short_keys.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/detail/core/shared.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::detail {

/// Combines a value with the stored value of its key.
template <class K, class V, class Op>
struct reduce_apply {
    Op op;

    [[nodiscard]] V combined(V&& a, V&& b) { return op(std::move(a), std::move(b)); }

    void operator()(hashed_part<K, V>& part, int /*source*/, std::uint64_t hash, view_of<K> const& key,
        view_of<V>& value) {
        auto const [found, made] = part.table.find_or_make(hash, key, [&] { return V(std::move(value)); });
        if (made) return;
        typename local_table<K, V>::hold const stays(part.table);
        found->value = combined(std::move(found->value), V(std::move(value)));
    }
};

/// Values wait, and those of one key are combined. With short keys they wait in a table that grows up to 32
/// MiB, and are inserted in batches whose slots are prefetched together; with other keys, in a cache in which
/// one key displaces another. A rank votes for the end of a phase only when no value waits. If few values
/// share a key, the table and the cache are bypassed for a while, and then cost nothing.
template <class K, class V, class Op>
class reducing_channel final
    : public keyed_receiver<container_call::reduce, hashed_part<K, V>, reduce_apply<K, V, Op>, K, V> {
public:
    reducing_channel(mail_engine& mail, shared<hashed_part<K, V>> part, Op op)
        : keyed_receiver<container_call::reduce, hashed_part<K, V>, reduce_apply<K, V, Op>, K, V>(
              std::move(part), {std::move(op)}),
          mail_(&mail) {
        this->combines = true;
    }
    void set_number(int number) noexcept { number_ = number; }

    void send(argument_of<K> key, argument_of<V> value) {
        if constexpr (waits_shortly)
            if (may_stage() && is_short<K>(key)) [[likely]] {
                stage(staged_++, key, value);
                if (staged_ == batch_.size()) settle();
                return;
            }
        send_unstaged(key, value);
    }
    /// Sends the value `of(i)` for `keys[i]`, for all i.
    template <class Of>
    void send_all(std::span<K const> keys, Of of) {
        for (std::size_t next = 0; next < keys.size();) {
            if constexpr (waits_shortly)
                if (may_stage() && is_short<K>(keys[next])) [[likely]] {
                    std::size_t place = staged_; // until the batch is full, only lengths can differ
                    do stage(place++, keys[next], of(next));
                    while (++next < keys.size() && place < batch_.size() && is_short<K>(keys[next]));
                    staged_ = place;
                    if (place == batch_.size()) settle();
                    continue;
                }
            send_unstaged(keys[next], of(next));
            ++next;
        }
    }

    std::size_t pass_on(int destination, std::span<std::byte const> run) override {
        std::byte const* at = run.data();
        std::byte const* const end = at + run.size();
        while (at != end) {
            std::byte const* const from = at;
            skip_part<K>(at);
            skip_part<V>(at);
            std::span<std::byte const> const record(from, static_cast<std::size_t>(at - from));
            // Forwarding stops only for lack of room at the next hop.
            if (!meets(destination, record) && !forward(destination, record))
                return static_cast<std::size_t>(from - run.data());
        }
        return run.size();
    }

    /// Sends some values at a time: the engine stops before it would store too many of them.
    bool release_held() override {
        bool const any = holds_any() && !is_merging_;
        if constexpr (waits_shortly)
            if (any) {
                settle_rest();
                if (leaving_.is_empty()) swap(leaving_, waiting_);
                for (std::int32_t left = window; left > 0 && !leaving_.is_empty(); left -= most_together)
                    some_leave();
                if (kept_ > 0) leave_own();
            }
        if (held_ > 0) release_cache();
        return any;
    }
    [[nodiscard]] bool holds_any() const noexcept override {
        return held_ > 0 || staged_ > 0 || kept_ > 0 || !waiting_.is_empty() || !leaving_.is_empty();
    }

    void close() noexcept override {
        keyed_receiver<container_call::reduce, hashed_part<K, V>, reduce_apply<K, V, Op>, K, V>::close();
        cache_ = {};
        waiting_ = {};
        leaving_ = {};
        held_ = 0;
        staged_ = kept_ = 0;
    }
    [[nodiscard]] mail_engine& mail() const noexcept { return *mail_; }

private:
    struct pair {
        K key;
        V value;
    };
    struct slot {
        std::uint64_t hash = 0;
        int destination = 0;
        std::optional<pair> what = {};
    };
    static constexpr bool waits_shortly = has_short_keys<K> && bare_type<V> && sizeof(V) <= 32;
    using short_table = std::conditional_t<waits_shortly, short_key_table<V>, no_table>;
    struct staged {
        short_key key;
        std::uint64_t mixed;
        std::conditional_t<waits_shortly, V, char> value;
    };
    struct leaving {
        short_key key;
        std::uint64_t hash;
        std::conditional_t<waits_shortly, V, char> value;
    };
    static constexpr int most_together = 16;
    static constexpr std::size_t slots = 8192;
    static constexpr int shift = 64 - 13;
    static constexpr std::size_t longest_text = 64;   // bytes of a key that may wait
    static constexpr std::int32_t window = 4096;      // sends between two decisions about the cache
    static constexpr std::int32_t least_merged = 512; // fewer combinations of these disable the cache
    static constexpr std::int32_t pass_by = 16 * window;

    [[nodiscard]] static bool is_long(argument_of<K> key) noexcept {
        if constexpr (std::is_same_v<K, std::string>)
            return key.size() > longest_text;
        else
            return false;
    }
    void judge(std::int32_t sent) noexcept {
        if ((sent_ += sent) < window) return;
        if (merged_ < least_merged) passes_by_ = pass_by;
        sent_ = merged_ = 0;
    }

    [[gnu::noinline]] void send_unstaged(argument_of<K> key, argument_of<V> value) {
        if (!this->is_open()) [[unlikely]]
            container_was_closed();
        std::uint64_t const hash = hash_of_key<K>(key);
        if (passes_by_ > 0 || is_long(key)) {
            if (passes_by_ > 0) --passes_by_;
            int const owner = owner_of_hash(hash, mail_->size());
            if constexpr (waits_shortly)
                if (owner == mail_->rank() && is_short<K>(key) && !mail_->in_handler()) {
                    keep(hash, short_key_of<K>(key), value);
                    return;
                }
            put(owner, key, value);
            return;
        }
        if (cache_.empty()) cache_.resize(slots);
        slot& here = cache_[fibonacci_place(hash, shift)];
        judge(1);
        if (merges(here, hash, key, value)) {
            ++merged_;
            return;
        }
        // The displaced value is sent last: while it waits for room, handlers may send and use this slot.
        std::optional<slot> const old = replace(here, hash, owner_of_hash(hash, mail_->size()), key, value);
        if (old) put(old->destination, old->what->key, old->what->value);
    }

    [[nodiscard]] bool may_stage() const noexcept {
        return this->is_open() && passes_by_ == 0 && staged_ < batch_.size() && !is_merging_;
    }
    /// Writes a value to a place of the batch, counted from its first one.
    void stage(std::size_t place, argument_of<K> key, V const& value) noexcept {
        short_key const words = short_key_of<K>(key);
        std::uint64_t const mixed = words.mixed_words();
        waiting_.prefetch(mixed);
        staged& each = in_batch(place);
        each.key = words;
        each.mixed = mixed;
        each.value = value;
    }
    [[nodiscard]] staged& in_batch(std::size_t place) noexcept {
        return batch_[(first_ + place) % batch_.size()];
    }
    /// Moves the earlier half of the batch into the table of waiting values. Values that handlers send
    /// meanwhile bypass it.
    [[gnu::noinline]] void settle() {
        judge(most_together);
        bool const is_full = !waiting_.makes_room(batch_.size());
        if (is_full) {
            while (!leaving_.is_empty()) some_leave();
            swap(leaving_, waiting_);
            (void)waiting_.makes_room(batch_.size());
        }
        merge_batch(most_together);
        while (is_full && !leaving_.is_empty()) some_leave();
        look_around();
    }
    /// Empties the batch when values may not wait any longer. Errors are those of the phase.
    void settle_rest() {
        while (staged_ > 0) {
            try {
                if (has_room_for_batch()) {
                    merge_batch(staged_);
                } else {
                    staged const one = in_batch(--staged_);
                    auto const key = key_of_words<K>(one.key);
                    put(owner_of_hash(hash_of_key<K>(key), mail_->size()), key, one.value);
                }
            } catch (...) { mail_->fail(std::current_exception(), "in a reducer of a container: "); }
        }
    }
    [[nodiscard]] bool has_room_for_batch() noexcept {
        try {
            return waiting_.makes_room(batch_.size());
        } catch (std::bad_alloc const&) { return false; }
    }
    /// Merges the first values of the batch, for which there must be room. If the operator throws, later
    /// values stay in the batch.
    void merge_batch(std::size_t end) {
        struct merging {
            ~merging() {
                of.is_merging_ = false;
                of.first_ = (of.first_ + done) % of.batch_.size();
                of.staged_ -= done;
            }
            reducing_channel& of;
            std::size_t done = 0;
        } now{*this};
        is_merging_ = true;
        std::size_t const before = waiting_.size();
        while (now.done < end) {
            staged const& each = in_batch(now.done++);
            auto& here = waiting_.slot_of(each.key, each.mixed);
            if (here.key.second == 0) {
                waiting_.fill(here, each.key, each.value);
            } else {
                // mutant: reducer_displaces_what_waits
                here.value = this->apply().combined(V(here.value), V(each.value));
            }
        }
        merged_ += static_cast<std::int32_t>(end - (waiting_.size() - before));
    }
    /// Receives from time to time: other ranks may wait for it while all values that this rank sends are
    /// combined here.
    void look_around() {
        if ((until_look_ -= most_together) > 0) return;
        until_look_ = window;
        if (!mail_->in_handler()) (void)mail_->receive();
    }
    /// Sends some of the waiting values; those of this rank go directly to its table, if no entry can be in
    /// use. While they wait for room, handlers may send, and other values may leave.
    void some_leave() {
        for (int left = most_together; left > 0 && !leaving_.is_empty(); --left) try {
                auto const taken = leaving_.take_one();
                auto const key = key_of_words<K>(taken.key);
                std::uint64_t const hash = hash_of_key<K>(key);
                int const owner = owner_of_hash(hash, mail_->size());
                if (owner == mail_->rank())
                    keep(hash, taken.key, taken.value);
                else
                    put(owner, key, taken.value);
            } catch (...) { // the others wait for this phase to end
                mail_->fail(std::current_exception(), "in a reducer of a container: ");
            }
    }
    /// Inserts values of this rank that wait no longer, in groups and without a message.
    void keep(std::uint64_t hash, short_key const& key, argument_of<V> value) {
        own_[kept_] = {key, hash, value};
        this->part().prefetch(hash);
        if (++kept_ == own_.size()) leave_own();
    }
    void leave_own() {
        std::array<leaving, most_together> group = own_; // operators may send
        std::span const found = std::span(group).first(std::exchange(kept_, 0));
        hashed_part<K, V>& part = this->part();
        for (leaving const& each : found) part.prefetch_entry(each.hash);
        bool const is_entry_in_use = mail_->in_handler();
        for (leaving& each : found) try {
                auto const key = key_of_words<K>(each.key);
                if (is_entry_in_use)
                    put(mail_->rank(), key, each.value);
                else
                    this->apply()(part, mail_->rank(), each.hash, key, each.value);
            } catch (...) { // the others wait for this phase to end
                mail_->fail(std::current_exception(), "in a reducer of a container: ");
            }
    }
    void release_cache() {
        for (slot& each : cache_) {
            if (!each.what) continue;
            slot const old = std::exchange(each, slot{});
            --held_;
            try {
                put(old.destination, old.what->key, old.what->value);
            } catch (...) { // of an encoding: the others wait for this phase to end
                mail_->fail(std::current_exception(), "in a reducer of a container: ");
            }
        }
    }

    bool merges(slot& here, std::uint64_t hash, argument_of<K> key, argument_of<V> value) {
        if (!here.what || here.hash != hash || !are_equal_keys<K>(here.what->key, key)) return false;
        here.what->value = this->apply().combined(std::move(here.what->value), V(value));
        return true;
    }
    std::optional<slot> replace(
        slot& here, std::uint64_t hash, int destination, argument_of<K> key, argument_of<V> value) {
        slot made{hash, destination, pair{K(key), V(value)}};
        std::swap(here, made);
        if (made.what) return made;
        ++held_;
        return std::nullopt;
    }
    void put(int destination, argument_of<K> key, argument_of<V> value) {
        send_record<K, V>(*mail_, destination, number_, key, value);
    }

    /// Combines a forwarded record with a waiting value if its key waits here or its slot is free. An error
    /// of the operator becomes that of the phase; the record counts as handled.
    bool meets(int destination, std::span<std::byte const> record) {
        try {
            if (!this->is_open()) container_was_closed();
            std::byte const* at = record.data();
            view_of<K> const key = take_part<K>(at);
            view_of<V> const value = take_part<V>(at);
            if constexpr (waits_shortly)
                if (is_short<K>(key)) return meets_short(short_key_of<K>(key), value);
            std::uint64_t const hash = hash_of_key<K>(key);
            if (cache_.empty()) cache_.resize(slots);
            slot& here = cache_[fibonacci_place(hash, shift)];
            if (!here.what) {
                if (is_long(key)) return false;
                (void)replace(here, hash, destination, key, value);
                return true;
            }
            return merges(here, hash, key, value);
        } catch (...) { mail_->fail(std::current_exception(), "in a reducer of a container: "); }
        return true;
    }
    bool meets_short(short_key const& key, V const& value) {
        if (is_merging_ || !waiting_.makes_room(1)) return false;
        auto& here = waiting_.slot_of(key, key.mixed_words());
        if (here.key.second == 0) {
            waiting_.fill(here, key, value);
        } else {
            here.value = this->apply().combined(V(here.value), V(value));
        }
        return true;
    }
    bool forward(int destination, std::span<std::byte const> record) {
        auto const place = static_cast<std::size_t>(destination);
        std::byte* const room = mail_->try_room(place, mail_->key_of(number_), record.size());
        if (room == nullptr) return false;
        std::memcpy(room, record.data(), record.size());
        mail_->cursor_at(place).next += record.size();
        return true;
    }

    mail_engine* mail_;
    int number_ = 0;
    std::vector<slot> cache_;
    std::array<staged, 2 * most_together> batch_; // the later half only prefetches
    std::size_t first_ = 0;                       // the batch is a ring
    std::size_t staged_ = 0;
    std::array<leaving, most_together> own_;
    std::size_t kept_ = 0;    // number of values in `own_`
    bool is_merging_ = false; // the operator may send, and must not find the table changed
    short_table waiting_;
    short_table leaving_; // sent one after the other
    std::int32_t until_look_ = window;
    std::int64_t held_ = 0;
    std::int32_t sent_ = 0;
    std::int32_t merged_ = 0;
    std::int32_t passes_by_ = 0;
};

} // namespace weft::detail
