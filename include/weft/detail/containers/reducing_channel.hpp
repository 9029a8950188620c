/// A channel of a container that combines values of one key before they travel.
#pragma once

#include <weft/detail/containers/hashed_part.hpp>
#include <weft/detail/containers/keyed_channel.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/detail/core/shared.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weft::detail {

/// Adds a value to that of its key.
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

/// Values wait in a cache, where one key displaces another; those of one key become one there. A rank votes
/// for the end of a phase only when its cache is empty. Where few of its keys meet, the cache is passed by
/// for a while: then it costs a message nothing.
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
        if (!this->is_open()) [[unlikely]]
            container_was_closed();
        std::uint64_t const hash = hash_of_key<K>(key);
        if (passes_by_ > 0 || is_long(key)) {
            if (passes_by_ > 0) --passes_by_;
            put(owner_of_hash(hash, mail_->size()), key, value);
            return;
        }
        if (cache_.empty()) cache_.resize(slots);
        slot& here = cache_[fibonacci_place(hash, shift)];
        judge();
        if (merges(here, hash, key, value)) {
            ++merged_;
            return;
        }
        // The displaced one leaves last: while it waits for room, handlers may send and use this slot.
        std::optional<slot> const old = replace(here, hash, owner_of_hash(hash, mail_->size()), key, value);
        if (old) put(old->destination, old->what->key, old->what->value);
    }

    std::size_t pass_on(int destination, std::span<std::byte const> run) override {
        std::byte const* at = run.data();
        std::byte const* const end = at + run.size();
        while (at != end) {
            std::byte const* const from = at;
            skip_part<K>(at);
            skip_part<V>(at);
            std::span<std::byte const> const record(from, static_cast<std::size_t>(at - from));
            // Only for want of room at its own next hop may it stop here.
            if (!meets(destination, record) && !forward(destination, record))
                return static_cast<std::size_t>(from - run.data());
        }
        return run.size();
    }

    bool release_held() override {
        if (held_ == 0) return false;
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
        return true;
    }
    [[nodiscard]] bool holds_any() const noexcept override { return held_ > 0; }

    void close() noexcept override {
        keyed_receiver<container_call::reduce, hashed_part<K, V>, reduce_apply<K, V, Op>, K, V>::close();
        cache_ = {};
        held_ = 0;
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
    static constexpr std::size_t slots = 8192;
    static constexpr int shift = 64 - 13;
    static constexpr std::size_t longest_text = 64;   // bytes of a key that may wait
    static constexpr std::int32_t window = 4096;      // sends after which the cache is judged
    static constexpr std::int32_t least_merged = 512; // of these, or it is passed by
    static constexpr std::int32_t pass_by = 16 * window;

    [[nodiscard]] static bool is_long(argument_of<K> key) noexcept {
        if constexpr (std::is_same_v<K, std::string>)
            return key.size() > longest_text;
        else
            return false;
    }
    void judge() noexcept {
        if (++sent_ < window) return;
        if (merged_ < least_merged) passes_by_ = pass_by;
        sent_ = merged_ = 0;
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

    /// Takes a record that passes through if its key is here, or nothing is in its place. An error of the
    /// operator is that of the phase; the record counts as handled.
    bool meets(int destination, std::span<std::byte const> record) {
        try {
            if (!this->is_open()) container_was_closed();
            std::byte const* at = record.data();
            view_of<K> const key = take_part<K>(at);
            view_of<V> const value = take_part<V>(at);
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
    std::int64_t held_ = 0;
    std::int32_t sent_ = 0;
    std::int32_t merged_ = 0;
    std::int32_t passes_by_ = 0;
};

} // namespace weft::detail
