/// A rank's part of a container: a hash table of keys and values.
#pragma once

#include <weft/detail/containers/keys.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/detail/core/huge_pages.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::detail {

/// Stores the hash of a key beside it if computing it again is expensive or may throw.
template <class K>
struct kept_hash {
    std::uint64_t value;
    [[nodiscard]] std::uint64_t of(K const&) const noexcept { return value; }
};
template <bare_type K>
struct kept_hash<K> {
    constexpr explicit kept_hash(std::uint64_t) noexcept {}
    [[nodiscard]] std::uint64_t of(K const& key) const noexcept { return hash_of_key<K>(key); }
};

/// Entries in a sequence of segments, each as large as all before it, so that entries do not move while one
/// is in use; and an index of their places with linear probing. A word of the index has the place and 24 bits
/// of the hash, so that few other keys are compared. Each hash is that of the key, by `hash_of_key`.
template <class K, class V>
class local_table {
public:
    struct entry {
        K key;
        [[no_unique_address]] V value;
        [[no_unique_address]] kept_hash<K> hash;
    };

    local_table() = default;
    local_table(local_table const&) = delete;
    local_table& operator=(local_table const&) = delete;
    ~local_table() { clear(); }

    [[nodiscard]] std::size_t size() const noexcept { return places_ - dead_; }

    /// Prefetches the memory that `find` reads first, or next.
    void prefetch(std::uint64_t hash) const noexcept {
        if (!index_.empty()) __builtin_prefetch(&index_[place_of(hash)]);
    }
    void prefetch_entry(std::uint64_t hash) const noexcept {
        if (index_.empty()) return;
        std::uint64_t const word = index_[place_of(hash)];
        if (word != 0 && word >> place_bits == tag_of(hash)) __builtin_prefetch(&at((word & place_mask) - 1));
    }

    /// Returns the entry of a key, or null.
    [[nodiscard]] entry* find(std::uint64_t hash, argument_of<K> key) const {
        if (index_.empty()) return nullptr;
        std::uint64_t const word = index_[slot_of(hash, key)];
        return word == 0 ? nullptr : &at((word & place_mask) - 1);
    }

    /// Finds an entry, or inserts one with the value `make()`. The flag is true if it was inserted.
    template <class Make>
    std::pair<entry*, bool> find_or_make(std::uint64_t hash, argument_of<K> key, Make&& make) {
        if (places_ - dead_ >= most_) grow();
        std::size_t const slot = slot_of(hash, key);
        if (index_[slot] != 0) return {&at((index_[slot] & place_mask) - 1), false};
        entry* const made = new (room_for_one()) entry{K(key), make(), kept_hash<K>{hash}};
        index_[slot] = tag_of(hash) << place_bits | ++places_;
        return {made, true};
    }

    bool erase(std::uint64_t hash, argument_of<K> key) {
        if (index_.empty()) return false;
        std::size_t const slot = slot_of(hash, key);
        if (index_[slot] == 0) return false;
        std::size_t const place = (index_[slot] & place_mask) - 1;
        if (holds_ > 0) {
            if (is_dead_.size() < places_) is_dead_.resize(places_);
            is_dead_[place] = true;
            ++dead_;
        }
        // mutant: table_leaves_a_gap_of_an_erased_key
        close_gap(slot);
        if (holds_ == 0) remove(place);
        return true;
    }

    /// Calls `body(entry)` for all present entries; it may insert and erase.
    template <class Body>
    void for_each(Body&& body) {
        hold const here(*this);
        std::size_t const end = places_;
        for (std::size_t place = 0; place < end; ++place)
            if (place >= is_dead_.size() || !is_dead_[place]) body(at(place));
    }

    /// For loops of a caller: return the first place from `place` on that has an entry, and the end.
    [[nodiscard]] std::size_t living_from(std::size_t place) const noexcept {
        while (place < is_dead_.size() && is_dead_[place]) ++place;
        return place;
    }
    [[nodiscard]] std::size_t end_place() const noexcept { return places_; }
    [[nodiscard]] entry& entry_at(std::size_t place) const noexcept { return at(place); }

    /// Removes all entries; none may be in use.
    void clear() noexcept {
        for (std::size_t place = 0; place < places_; ++place) at(place).~entry();
        for (entry*& each : segments_) std::free(std::exchange(each, nullptr));
        index_ = {};
        is_dead_ = {};
        places_ = dead_ = most_ = 0;
    }

    /// Keeps the addresses of entries during its lifetime: erased entries are freed when the last such object
    /// ends.
    class hold {
    public:
        explicit hold(local_table& table) noexcept : table_(table) { ++table_.holds_; }
        ~hold() {
            if (--table_.holds_ == 0 && table_.dead_ > 0) table_.bury();
        }
        hold(hold const&) = delete;
        hold& operator=(hold const&) = delete;

    private:
        local_table& table_;
    };

    [[nodiscard]] static constexpr std::size_t bytes_of_entry() noexcept { return sizeof(entry); }

private:
    static constexpr int place_bits = 40;
    static constexpr std::uint64_t place_mask = (std::uint64_t{1} << place_bits) - 1;
    static constexpr std::size_t first_segment = 16; // entries
    static constexpr std::size_t least_index = 32;

    [[nodiscard]] static constexpr std::uint64_t tag_of(std::uint64_t hash) noexcept {
        return hash & 0xFFFFFF;
    }
    [[nodiscard]] std::size_t place_of(std::uint64_t hash) const noexcept {
        return fibonacci_place(hash, shift_);
    }
    [[nodiscard]] static constexpr std::size_t segment_of(std::size_t place) noexcept {
        return static_cast<std::size_t>(std::bit_width(place / first_segment));
    }
    [[nodiscard]] static constexpr std::size_t begin_of(std::size_t segment) noexcept {
        return segment == 0 ? 0 : first_segment << (segment - 1);
    }
    [[nodiscard]] entry& at(std::size_t place) const noexcept {
        std::size_t const segment = segment_of(place);
        return segments_[segment][place - begin_of(segment)];
    }

    [[nodiscard]] std::uint64_t hash_at(std::size_t place) const noexcept {
        entry const& here = at(place);
        return here.hash.of(here.key);
    }

    /// Returns the slot of the key's word, or the free slot for it.
    [[nodiscard]] std::size_t slot_of(std::uint64_t hash, argument_of<K> key) const {
        std::uint64_t const tag = tag_of(hash);
        for (std::size_t slot = place_of(hash);; slot = (slot + 1) & (index_.size() - 1)) {
            std::uint64_t const word = index_[slot];
            if (word == 0) return slot;
            if (word >> place_bits == tag && are_equal_keys<K>(at((word & place_mask) - 1).key, key))
                return slot;
        }
    }
    [[nodiscard]] entry* room_for_one() {
        std::size_t const segment = segment_of(places_);
        if (segments_[segment] == nullptr) {
            std::size_t const entries = segment == 0 ? first_segment : begin_of(segment);
            segments_[segment] = static_cast<entry*>(allocate(entries * sizeof(entry)));
        }
        return &at(places_);
    }
    [[nodiscard]] static void* allocate(std::size_t bytes) {
        static_assert(alignof(entry) <= alignof(std::max_align_t));
        void* const room = bytes < least_in_huge_pages ? std::malloc(bytes) : allocate_in_huge_pages(bytes);
        if (room == nullptr) throw std::bad_alloc();
        return room;
    }

    void grow() {
        std::size_t const wanted = index_.empty() ? least_index : 2 * index_.size();
        std::vector<std::uint64_t> larger;
        resize_in_huge_pages(larger, wanted);
        int const shift = 64 - std::countr_zero(wanted);
        constexpr std::size_t ahead = 16; // words that are prefetched
        for (std::size_t place = 0; place < places_; ++place) {
            if (place + ahead < places_)
                __builtin_prefetch(&larger[fibonacci_place(hash_at(place + ahead), shift)], 1);
            if (place < is_dead_.size() && is_dead_[place]) continue;
            std::uint64_t const hash = hash_at(place);
            std::size_t slot = fibonacci_place(hash, shift);
            while (larger[slot] != 0) slot = (slot + 1) & (wanted - 1);
            larger[slot] = tag_of(hash) << place_bits | (place + 1);
        }
        index_ = std::move(larger);
        shift_ = shift;
        most_ = wanted / 4 * 3;
    }

    /// Deletes by moving back the words that linear probing had displaced over this slot. The index has no
    /// tombstones, so it never fills up with them.
    void close_gap(std::size_t gap) noexcept {
        std::size_t const mask = index_.size() - 1;
        for (std::size_t next = (gap + 1) & mask; index_[next] != 0; next = (next + 1) & mask) {
            std::size_t const home = place_of(hash_at((index_[next] & place_mask) - 1));
            if (((next - home) & mask) < ((next - gap) & mask)) continue;
            index_[gap] = index_[next];
            gap = next;
        }
        index_[gap] = 0;
    }

    /// Removes the erased entries, from the last one on.
    void bury() noexcept {
        for (std::size_t place = is_dead_.size(); place-- > 0;)
            if (is_dead_[place]) remove(place);
        is_dead_.clear();
        dead_ = 0;
    }
    /// Removes an entry that is not in the index: the last one takes its place.
    void remove(std::size_t place) noexcept {
        std::size_t const last = places_ - 1;
        if (place != last) {
            std::swap(at(place), at(last));
            std::size_t slot = place_of(hash_at(place));
            while ((index_[slot] & place_mask) != last + 1) slot = (slot + 1) & (index_.size() - 1);
            index_[slot] = (index_[slot] & ~place_mask) | (place + 1);
        }
        at(last).~entry();
        --places_;
    }

    std::array<entry*, place_bits> segments_ = {};
    std::vector<std::uint64_t> index_; // 0: the slot is free
    int shift_ = 64;
    std::size_t most_ = 0; // number of entries before the index grows
    std::size_t places_ = 0;
    std::size_t dead_ = 0;
    int holds_ = 0;
    std::vector<bool> is_dead_;
};

} // namespace weft::detail
