/// Values of every wire type, and their checks; shared by the tests of the wire.
#pragma once

#include <weft/wire/wire.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace weft::testing {

/// Counts the allocations of containers, so that a test can bound the cost of a corrupt length.
struct allocation_count {
    static inline std::size_t live = 0;
    static inline std::size_t peak = 0;
    static void restart() { peak = live; }
    static void add(std::size_t bytes) {
        live += bytes;
        if (live > peak) peak = live;
    }
};

template <class T>
struct counting_allocator {
    using value_type = T;

    counting_allocator() = default;
    template <class U>
    counting_allocator(counting_allocator<U> const&) {}

    T* allocate(std::size_t count) {
        T* const made = std::allocator<T>().allocate(count);
        allocation_count::add(count * sizeof(T));
        return made;
    }
    void deallocate(T* what, std::size_t count) {
        allocation_count::live -= count * sizeof(T);
        std::allocator<T>().deallocate(what, count);
    }
    friend bool operator==(counting_allocator, counting_allocator) { return true; }
};

template <class T>
using vector = std::vector<T, counting_allocator<T>>;
using string = std::basic_string<char, std::char_traits<char>, counting_allocator<char>>;
template <class K, class V>
using map = std::map<K, V, std::less<K>, counting_allocator<std::pair<K const, V>>>;
template <class K, class V>
using unordered_map =
    std::unordered_map<K, V, std::hash<K>, std::equal_to<K>, counting_allocator<std::pair<K const, V>>>;

struct point {
    double x;
    float y;
    std::int32_t id;
    friend bool operator==(point const&, point const&) = default;
};

enum class colour : std::uint8_t { red, green };

struct parcel {
    std::string name;
    vector<std::int32_t> items;
    double corner[3] = {};
    bool urgent = false;
    std::optional<colour> paint;

    static void wire(auto& archive, auto& self) {
        archive(self.name, self.items, self.corner, self.urgent, self.paint);
    }
    friend bool operator==(parcel const&, parcel const&) = default;
};

/// A type that contains itself.
struct tree {
    std::int32_t label = 0;
    vector<tree> children;

    static void wire(auto& archive, auto& self) { archive(self.label, self.children); }
    friend bool operator==(tree const&, tree const&) = default;
};

/// A large type that writes nothing.
struct silent {
    std::array<std::int64_t, 64> ballast{};

    static void wire(auto&, auto&) {}
    friend bool operator==(silent const&, silent const&) { return true; }
};

using shape = std::variant<std::monostate, std::int32_t, string, vector<point>>;

/// A value with all of these.
using everything = std::tuple<bool, vector<std::int64_t>, map<std::string, vector<string>>,
    unordered_map<std::int32_t, parcel>, std::optional<shape>, std::vector<bool>, tree, vector<shape>,
    std::array<std::optional<std::int16_t>, 3>, std::set<std::string>, std::deque<std::pair<bool, colour>>,
    std::list<string>, vector<silent>>;

inline tree sample_tree() {
    return {1, {{2, {}}, {3, {{4, {}}, {5, {}}}}, {6, {}}}};
}

inline parcel sample_parcel() {
    return {"from the north", {4, 5, 6}, {0.5, -1.0, 2.0}, true, colour::green};
}

inline everything sample() {
    return {true, {1, -2, std::int64_t(1) << 40}, {{"a", {"x", "yy"}}, {"b", {}}},
        {{7, sample_parcel()}, {8, parcel()}}, shape(vector<point>{{1.0, 2.0F, 3}}),
        {true, false, true, true, false, false, true, false, true}, sample_tree(),
        {shape(), shape(5), shape(string("text"))}, {std::int16_t(4), std::nullopt, std::int16_t(-4)},
        {"k", "l"}, {{true, colour::red}, {false, colour::green}}, {"one", "", "three"}, vector<silent>(5)};
}

template <class T>
buffer encoded(T const& value) {
    buffer out;
    encode(out, value);
    return out;
}

template <class T>
void expect_round_trip(T const& value) {
    buffer const out = encoded(value);
    EXPECT_TRUE(decode<T>(out.bytes()) == value);
}

/// Every prefix of the encoding must be refused. It is in memory of exactly its size, so that a sanitizer
/// detects overruns.
template <class T>
void expect_prefixes_refused(T const& value) {
    buffer const out = encoded(value);
    for (std::size_t length = 0; length < out.size(); ++length) {
        std::vector<std::byte> const prefix(out.data(), out.data() + length);
        EXPECT_THROW((void)decode<T>(std::span(prefix)), wire_error) << length << " of " << out.size();
    }
}

} // namespace weft::testing
