/// Short keys as two words, and a flat hash table of waiting values for such keys.
#pragma once

#include <weft/detail/containers/keys.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/detail/core/huge_pages.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::detail {

/// A key of up to 15 bytes of text, or of 8 others. `second` is never 0; equal keys have equal words.
struct short_key {
    std::uint64_t first = 0;
    std::uint64_t second = 0;

    friend bool operator==(short_key const&, short_key const&) = default;
    /// A hash for tables of one rank: a product folded once (Wang Yi, wyhash), cheaper than the hash that
    /// determines the owner.
    [[nodiscard]] std::uint64_t mixed_words() const noexcept {
        __extension__ using wide = unsigned __int128;
        wide const product = static_cast<wide>(first ^ golden) * (second ^ xxh_primes[1]);
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
};

template <class K>
concept has_short_keys = std::is_same_v<K, std::string> ||(bare_type<K> && sizeof(K) <= 8);

inline constexpr std::size_t longest_short_text = 15;

template <class K>
[[nodiscard]] bool is_short(argument_of<K> key) noexcept {
    if constexpr (std::is_same_v<K, std::string>)
        return key.size() <= longest_short_text;
    else
        return true;
}

template <class Word>
[[nodiscard]] std::uint64_t word_at(char const* at) noexcept {
    Word word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}
/// Makes a key of a text. It reads no byte beyond the text: the first and the last word may overlap.
[[nodiscard, gnu::always_inline]] inline short_key short_key_of_text(std::string_view text) noexcept {
    std::size_t const size = text.size();
    char const* const at = text.data();
    short_key key;
    if (size >= 8) {
        key.first = word_at<std::uint64_t>(at);
        key.second = word_at<std::uint64_t>(at + size - 8) >> (15 - size) * 8 >> 8;
    } else if (size >= 4) {
        key.first = word_at<std::uint32_t>(at) | word_at<std::uint32_t>(at + size - 4) << (size - 4) * 8;
    } else if (size > 0) {
        key.first = word_at<std::uint8_t>(at) | word_at<std::uint8_t>(at + size / 2) << size / 2 * 8 |
                    word_at<std::uint8_t>(at + size - 1) << (size - 1) * 8;
    }
    key.second |= static_cast<std::uint64_t>(size + 1) << 56;
    return key;
}
template <has_short_keys K>
[[nodiscard]] short_key short_key_of(argument_of<K> key) noexcept {
    if constexpr (std::is_same_v<K, std::string>) {
        return short_key_of_text(key);
    } else {
        short_key made{0, 1};
        std::memcpy(&made.first, &key, sizeof(K));
        return made;
    }
}
/// Returns the key of the words; a text is a view of them.
template <has_short_keys K>
[[nodiscard]] view_of<K> key_of_words(short_key const& words) noexcept {
    if constexpr (std::is_same_v<K, std::string>) {
        static_assert(std::endian::native == std::endian::little);
        return {reinterpret_cast<char const*>(&words), static_cast<std::size_t>(words.second >> 56) - 1};
    } else {
        alignas(K) std::byte bytes[sizeof(K)];
        std::memcpy(bytes, &words.first, sizeof(K));
        return *reinterpret_cast<K const*>(bytes);
    }
}

/// Takes the place of the table if keys or values are not short.
struct no_table {
    [[nodiscard]] static bool is_empty() noexcept { return true; }
};

/// A hash table with linear probing and without erasure, which grows up to a bound in bytes.
template <class V>
class short_key_table {
public:
    struct slot {
        short_key key;
        V value;
    };

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool is_empty() const noexcept { return size_ == 0; }

    /// Makes room for this number of further keys. Returns false at the bound.
    [[nodiscard]] bool makes_room(std::size_t keys) {
        while (size_ + keys > slots_.size() / 4 * 3) {
            if (slots_.size() >= most_slots) return false;
            grow();
        }
        return true;
    }
    void prefetch(std::uint64_t mixed) const noexcept {
        if (!slots_.empty()) __builtin_prefetch(&slots_[place_of(mixed)], 1);
    }
    /// Returns the slot of a key, or the empty slot for it. There must be room.
    [[nodiscard]] slot& slot_of(short_key const& key, std::uint64_t mixed) noexcept {
        for (std::size_t place = place_of(mixed);; place = (place + 1) & (slots_.size() - 1)) {
            slot& here = slots_[place];
            if (here.key == key || here.key.second == 0) return here;
        }
    }
    void fill(slot& empty, short_key const& key, V const& value) noexcept {
        empty = {key, value};
        ++size_;
    }

    /// Removes one key with its value. No lookups are allowed after that until the table is empty.
    [[nodiscard]] slot take_one() noexcept {
        while (slots_[--end_].key.second == 0) {}
        slot const taken = slots_[end_];
        if (--size_ == 0) clear();
        return taken;
    }
    void clear() noexcept {
        slots_ = {};
        size_ = end_ = 0;
        shift_ = 64;
    }
    friend void swap(short_key_table& a, short_key_table& b) noexcept {
        a.slots_.swap(b.slots_);
        std::swap(a.size_, b.size_);
        std::swap(a.end_, b.end_);
        std::swap(a.shift_, b.shift_);
    }

private:
    static constexpr std::size_t least_slots = 1024;
    static constexpr std::size_t most_slots = std::bit_floor((std::size_t{32} << 20) / sizeof(slot));

    [[nodiscard]] std::size_t place_of(std::uint64_t mixed) const noexcept {
        return static_cast<std::size_t>(mixed >> shift_);
    }
    void grow() {
        short_key_table larger;
        larger.end_ = slots_.empty() ? least_slots : 2 * slots_.size();
        if (larger.end_ > most_slots) larger.end_ = most_slots;
        resize_in_huge_pages(larger.slots_, larger.end_);
        larger.shift_ = 64 - std::countr_zero(larger.end_);
        for (slot const& each : slots_)
            if (each.key.second != 0)
                larger.fill(larger.slot_of(each.key, each.key.mixed_words()), each.key, each.value);
        swap(*this, larger);
    }

    std::vector<slot> slots_;
    std::size_t size_ = 0;
    std::size_t end_ = 0; // slots from here on are taken
    int shift_ = 64;
};

} // namespace weft::detail
