#include <weft/wire/wire.hpp>

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace {

struct plain {
    int a;
    double b;
};
struct with_hook {
    std::string name;
    static void wire(auto& archive, auto& self) { archive(self.name); }
};
struct without_hook {
    std::string name;
};
struct hook_that_is_not_static {
    int a;
    void wire(auto& archive) { archive(a); }
};
struct with_pointer {
    int count;
    double const* values;
};
struct with_nested_pointer {
    int before[3];
    with_pointer each[2];
};
struct with_base_pointer : with_pointer {
    int more;
};
struct with_view {
    std::complex<float> at;
    std::span<int const> items;
};
struct with_function {
    unsigned bits : 3;
    void (*call)() = nullptr;
};
struct many_members {
    int a[40];
    std::array<std::int64_t, 5> b;
    std::optional<int> c;
    bool d;
    unsigned e : 3;
};
struct takes_anything {
    template <class T>
    takes_anything(T&&);
};
struct of_anything {
    takes_anything first;
};
struct pointer_and_hook {
    double* values;
    int count;
    static void wire(auto& archive, auto& self) { archive(self.count); }
};
enum class fixed : short { one };
enum unscoped { two };

} // namespace

TEST(WireKinds, PlainValuesTravelAsTheyAre) {
    EXPECT_TRUE(
        weft::bare_type<int> && weft::bare_type<double> && weft::bare_type<plain> && weft::bare_type<fixed>);
    EXPECT_TRUE((weft::bare_type<std::array<plain, 3>>));
}

TEST(WireKinds, WhatCorruptBytesCouldBreakTravelsByRules) {
    EXPECT_TRUE(weft::wire_type<bool> && weft::wire_type<std::optional<int>>);
    EXPECT_TRUE((weft::wire_type<std::variant<int, char>> && weft::wire_type<std::pair<int, char>>));
    EXPECT_FALSE(weft::bare_type<bool> || weft::bare_type<std::optional<int>>);
    EXPECT_FALSE((weft::bare_type<std::variant<int, char>> || weft::bare_type<std::pair<int, char>>));
}

TEST(WireKinds, ContainersAndHooksTravel) {
    EXPECT_TRUE(weft::wire_type<std::string> && weft::wire_type<std::vector<std::string>>);
    EXPECT_TRUE(
        (weft::wire_type<std::map<int, std::vector<bool>>> && weft::wire_type<std::unordered_set<int>>));
    EXPECT_TRUE(weft::wire_type<with_hook> && weft::wire_type<std::vector<with_hook>>);
}

TEST(WireKinds, WhatPointsElsewhereOrHasNoRuleDoesNot) {
    EXPECT_FALSE(weft::wire_type<int*> || weft::wire_type<int&> || weft::wire_type<std::string_view>);
    EXPECT_FALSE(weft::wire_type<std::span<int>> || weft::wire_type<std::reference_wrapper<int>>);
    EXPECT_FALSE(weft::wire_type<std::vector<char const*>> || weft::wire_type<without_hook>);
    EXPECT_FALSE(weft::wire_type<hook_that_is_not_static> || weft::wire_type<unscoped>);
}

TEST(WireKinds, AMemberThatPointsElsewhereIsFound) {
    EXPECT_FALSE(weft::wire_type<with_pointer> || weft::wire_type<with_nested_pointer>);
    EXPECT_FALSE(weft::wire_type<with_base_pointer> || weft::wire_type<with_view>);
    EXPECT_FALSE(weft::wire_type<with_function> || weft::wire_type<std::vector<with_pointer>>);
    EXPECT_FALSE((weft::wire_type<std::array<int*, 2>> || weft::wire_type<std::array<with_pointer, 2>>));
    EXPECT_TRUE(weft::bare_type<many_members> && weft::bare_type<of_anything>);
    EXPECT_TRUE(weft::wire_type<pointer_and_hook> && !weft::bare_type<pointer_and_hook>);
}
