/// The values of one key of a multimap.
#pragma once

#include <weft/wire/wire.hpp>

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::detail {

/// The begin of a block of values.
struct value_block {
    std::size_t size = 0; ///< the number of values of the group, if this is its last block
};
inline constexpr value_block no_values;

/// A list of values in segments, each as large as all before it, so that values stay in their places while
/// others are appended. The first value lies in the list itself: most groups have no other one. Each other
/// segment is a block of its own, which begins with the places of the blocks before it.
template <class V>
class value_group {
    static_assert(alignof(V) <= alignof(std::max_align_t));
    /// The table moves its entries when it erases some, and cannot handle errors then.
    static constexpr bool first_lies_here = std::is_nothrow_move_constructible_v<V>;
    static constexpr int first_block = first_lies_here ? 1 : 0; // its segment

public:
    using value_type = V;

    /// Valid until the group is moved.
    class iterator {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = V;
        using difference_type = std::ptrdiff_t;
        using pointer = V*;
        using reference = V&;

        iterator() = default;
        iterator(value_group& group, std::size_t place) noexcept
            : group_(&group), place_(place), here_(group.at(place)) {}

        [[nodiscard]] V& operator*() const noexcept { return *here_; }
        [[nodiscard]] V* operator->() const noexcept { return here_; }
        [[nodiscard]] V& operator[](std::ptrdiff_t by) const noexcept { return *(*this + by); }
        iterator& operator++() noexcept {
            ++here_;
            if (std::has_single_bit(++place_)) here_ = group_->at(place_); // a segment begins
            return *this;
        }
        iterator& operator--() noexcept { return *this -= 1; }
        iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
        iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }
        iterator& operator+=(std::ptrdiff_t by) noexcept {
            return *this = iterator(*group_, place_ + static_cast<std::size_t>(by));
        }
        iterator& operator-=(std::ptrdiff_t by) noexcept { return *this += -by; }
        friend iterator operator+(iterator a, std::ptrdiff_t by) noexcept { return a += by; }
        friend iterator operator+(std::ptrdiff_t by, iterator a) noexcept { return a += by; }
        friend iterator operator-(iterator a, std::ptrdiff_t by) noexcept { return a -= by; }
        friend std::ptrdiff_t operator-(iterator const& a, iterator const& b) noexcept {
            return static_cast<std::ptrdiff_t>(a.place_ - b.place_);
        }
        friend bool operator==(iterator const& a, iterator const& b) noexcept { return a.place_ == b.place_; }
        friend auto operator<=>(iterator const& a, iterator const& b) noexcept {
            return a.place_ <=> b.place_;
        }

    private:
        value_group* group_ = nullptr;
        std::size_t place_ = 0;
        V* here_ = nullptr;
    };

    value_group() noexcept {}
    explicit value_group(V value) : value_group() { push_back(std::move(value)); }
    value_group(value_group const& other) : value_group() {
        other.for_each_run([&](V const* from, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) push_back(V(from[i]));
        });
    }
    value_group(value_group&& other) noexcept : value_group() { take(other); }
    value_group& operator=(value_group const&) = delete;
    value_group& operator=(value_group&& other) noexcept {
        clear();
        take(other);
        return *this;
    }
    ~value_group() { clear(); }

    [[nodiscard]] std::size_t size() const noexcept { return last_ == nullptr ? 1 : last_->size; }
    [[nodiscard]] iterator begin() noexcept { return {*this, 0}; }
    [[nodiscard]] iterator end() noexcept { return {*this, size()}; }

    /// Calls `body(V&)` for all present values; it may append values.
    template <class Body>
    void for_each(Body&& body) {
        walk([&](V* from, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) body(from[i]);
        });
    }
    /// Calls `body(V const*, number)` for all values of each segment.
    template <class Body>
    void for_each_run(Body&& body) const {
        const_cast<value_group&>(*this).walk(
            [&](V* from, std::size_t count) { body(static_cast<V const*>(from), count); });
    }

    /// Throws: `std::bad_alloc`, and errors of moving a value; the group is then as before.
    void push_back(V value) {
        std::size_t const place = size();
        if (place == 0 || std::has_single_bit(place)) {
            add_segment(place, value);
        } else {
            ::new (static_cast<void*>(at_or_behind(place))) V(std::move(value));
            ++last_->size;
        }
    }
    void clear() noexcept {
        std::size_t const values = size();
        if (values == 0) return;
        walk([](V* from, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) from[i].~V();
        });
        if (last_ != nullptr) {
            for (int i = last_segment(values) - first_block; i-- > 0;) ::operator delete(before(last_)[i]);
            ::operator delete(last_);
        }
        last_ = nothing();
    }

private:
    struct no_value {};
    /// A block that is freed if nobody takes it. (`std::unique_ptr` would need a large header.)
    struct new_block {
        explicit new_block(std::size_t bytes, std::size_t values)
            : made(::new (::operator new(bytes)) value_block{values}) {}
        new_block(new_block const&) = delete;
        new_block& operator=(new_block const&) = delete;
        ~new_block() { ::operator delete(made); }
        value_block* made;
    };

    /// An empty group refers to it, but never writes to it.
    [[nodiscard]] static value_block* nothing() noexcept { return const_cast<value_block*>(&no_values); }

    [[nodiscard]] static int segment_of(std::size_t place) noexcept {
        return static_cast<int>(std::bit_width(place));
    }
    [[nodiscard]] static std::size_t begin_of(int segment) noexcept {
        return segment == 0 ? 0 : std::size_t{1} << (segment - 1);
    }
    [[nodiscard]] static std::size_t room_of(int segment) noexcept {
        return segment == 0 ? 1 : begin_of(segment);
    }
    [[nodiscard]] static int last_segment(std::size_t values) noexcept { return segment_of(values - 1); }

    /// The blocks before one, and its values.
    [[nodiscard]] static value_block** before(value_block* block) noexcept {
        return reinterpret_cast<value_block**>(block + 1);
    }
    [[nodiscard]] static std::size_t head_of(int segment) noexcept {
        std::size_t const bytes =
            sizeof(value_block) + static_cast<std::size_t>(segment - first_block) * sizeof(void*);
        return (bytes + alignof(V) - 1) / alignof(V) * alignof(V);
    }
    [[nodiscard]] static V* values_of(value_block* block, int segment) noexcept {
        return reinterpret_cast<V*>(reinterpret_cast<std::byte*>(block) + head_of(segment));
    }

    /// Returns the values of a segment, which is there.
    [[nodiscard]] V* values_of(int segment, int last) noexcept {
        if constexpr (first_lies_here)
            if (segment == 0) return &first_;
        return values_of(segment == last ? last_ : before(last_)[segment - first_block], segment);
    }
    [[nodiscard]] V* at_or_behind(std::size_t place) noexcept {
        int const segment = segment_of(place);
        return values_of(segment, last_segment(size())) + (place - begin_of(segment));
    }
    /// Returns a value, or null behind the last one.
    [[nodiscard]] V* at(std::size_t place) noexcept { return place < size() ? at_or_behind(place) : nullptr; }

    /// Calls `body(V*, number)` for the values of each segment; it may append values, which are not visited.
    template <class Body>
    void walk(Body&& body) {
        std::size_t const end = size();
        for (std::size_t place = 0; place < end;) {
            std::size_t const room = room_of(segment_of(place));
            std::size_t const count = room < end - place ? room : end - place;
            body(at_or_behind(place), count);
            place += count;
        }
    }

    void add_segment(std::size_t place, V& value) {
        if constexpr (first_lies_here) {
            if (place == 0) {
                ::new (static_cast<void*>(&first_)) V(std::move(value));
                last_ = nullptr;
                return;
            }
        }
        int const segment = segment_of(place);
        std::size_t const bytes = head_of(segment) + room_of(segment) * sizeof(V);
        new_block block(bytes, place + 1);
        if (segment > first_block) {
            int const blocks = segment - first_block;
            for (int i = 0; i + 1 < blocks; ++i) before(block.made)[i] = before(last_)[i];
            before(block.made)[blocks - 1] = last_;
        }
        ::new (static_cast<void*>(values_of(block.made, segment))) V(std::move(value));
        last_ = std::exchange(block.made, nullptr);
    }

    /// Takes the values of another group, and leaves it empty. This one is empty.
    void take(value_group& other) noexcept {
        if constexpr (first_lies_here) {
            if (other.size() == 0) return;
            ::new (static_cast<void*>(&first_)) V(std::move(other.first_));
            other.first_.~V();
        }
        last_ = std::exchange(other.last_, nothing());
    }

    union {
        std::conditional_t<first_lies_here, V, no_value> first_; // unless the group is empty
    };
    value_block* last_ = nothing(); // null: the first value is the only one
};

/// The values of a group as a range; `std::ranges::subrange` would need a large header. Valid until the group
/// is moved or gets another value.
template <class V>
class group_values {
public:
    using iterator = typename value_group<V>::iterator;

    explicit group_values(value_group<V>& group) noexcept : begin_(group.begin()), end_(group.end()) {}
    [[nodiscard]] iterator begin() const noexcept { return begin_; }
    [[nodiscard]] iterator end() const noexcept { return end_; }
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - begin_); }
    [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
    [[nodiscard]] V& operator[](std::size_t place) const noexcept {
        return begin_[static_cast<std::ptrdiff_t>(place)];
    }

private:
    iterator begin_;
    iterator end_;
};

/// Written as the vector of its values, and read as such.
template <class V>
struct wire_format<value_group<V>> {
    static constexpr std::size_t least_bytes = 1;

    static void write(wire_writer& writer, value_group<V> const& group) {
        writer.length(group.size());
        std::size_t const start = writer.position();
        group.for_each_run([&](V const* from, std::size_t count) {
            if constexpr (bare_type<V>)
                writer.bytes(from, count * sizeof(V));
            else
                for (std::size_t i = 0; i < count; ++i) wire_format<V>::write(writer, from[i]);
        });
        if constexpr (wire_format<V>::least_bytes == 0) writer.fill_to(start + group.size());
    }
};

/// Several values per key, in order of arrival.
template <class V>
struct many_values {
    using stored = value_group<V>;
    using found = std::vector<V>;

    template <class Entry, class Body>
    static void for_each(Entry& of, Body&& body) {
        of.value.for_each(body);
    }
    template <class Table, class K, class View>
    static void insert(Table& table, std::uint64_t hash, K const& key, View& value) {
        auto const [entry, is_new] =
            table.find_or_make(hash, key, [&] { return stored(V(std::move(value))); });
        if (!is_new) entry->value.push_back(V(std::move(value)));
    }
    [[nodiscard]] static found copy(stored const& values) {
        found copied;
        copied.reserve(values.size());
        values.for_each_run(
            [&](V const* from, std::size_t count) { copied.insert(copied.end(), from, from + count); });
        return copied;
    }
};

} // namespace weft::detail
