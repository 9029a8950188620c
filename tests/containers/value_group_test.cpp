#include <weft/detail/containers/type_text.hpp>
#include <weft/detail/containers/value_group.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft_test {
namespace {

template <class V>
using group_of = weft::detail::value_group<V>;

/// Counts the values that are there, and may throw when it is made from another.
class counted_value {
public:
    counted_value(int number, int& there) : number_(number), there_(&there) { ++*there_; }
    counted_value(counted_value const& other) : counted_value(other.number_, *other.there_) {
        // The other constructor is done: the destructor is called.
        if (left_ > 0 && --left_ == 0) throw std::runtime_error("a copy");
    }
    counted_value& operator=(counted_value const&) = default;
    ~counted_value() { --*there_; }

    [[nodiscard]] int number() const noexcept { return number_; }
    static void throw_at_copy(int number) noexcept { left_ = number; }

private:
    static inline int left_ = 0;
    int number_;
    int* there_;
};

template <class V>
std::vector<V> values_of(group_of<V>& group) {
    return {group.begin(), group.end()};
}

template <class V, class Value>
void expect_as_vectors(Value const& value_of) {
    auto chance = random();
    std::vector<group_of<V>> groups(8);
    std::vector<std::vector<V>> expected(8);
    for (int i = 0; i < 4000; ++i) {
        auto const which = static_cast<std::size_t>(chance() % 8);
        auto const other = static_cast<std::size_t>(chance() % 8);
        auto const number = static_cast<int>(chance() % 40);
        switch (chance() % 12) {
        case 0:
            if (which != other) {
                groups[which] = std::move(groups[other]);
                expected[which] = std::exchange(expected[other], {});
            }
            break;
        case 1:
            std::swap(groups[which], groups[other]);
            std::swap(expected[which], expected[other]);
            break;
        case 2:
            groups[which] = group_of<V>(groups[other]);
            expected[which] = std::vector<V>(expected[other]);
            break;
        case 3:
            if (number == 0 || number > 35) { // long ones are to be there, too
                groups[which].clear();
                expected[which].clear();
            }
            break;
        case 4:
            groups[which] = group_of<V>(value_of(i));
            expected[which] = {value_of(i)};
            break;
        default:
            for (int j = 0; j < number; ++j) {
                groups[which].push_back(value_of(i + j));
                expected[which].push_back(value_of(i + j));
            }
        }
        ASSERT_EQ(groups[which].size(), expected[which].size());
        ASSERT_EQ(values_of(groups[which]), expected[which]);
        ASSERT_EQ(weft::detail::many_values<V>::copy(groups[other]), expected[other]);
    }
}

TEST(value_group, random_calls_agree_with_vectors) {
    expect_as_vectors<std::int64_t>([](int number) { return std::int64_t{number}; });
    expect_as_vectors<char>([](int number) { return static_cast<char>(number); });
    expect_as_vectors<std::string>([](int number) { return std::string(number % 40, 'x') + "end"; });
    expect_as_vectors<std::vector<std::string>>(
        [](int number) { return std::vector<std::string>(number % 3, std::to_string(number)); });
    expect_as_vectors<long double>([](int number) { return static_cast<long double>(number); });
}

TEST(value_group, values_stay_in_their_places_while_others_come) {
    group_of<std::string> group("first");
    std::vector<std::string*> places;
    for (int i = 0; i < 300; ++i) {
        places.clear();
        for (std::string& each : group) places.push_back(&each);
        group.push_back(std::to_string(i));
        auto at = group.begin();
        for (std::string const* const each : places) EXPECT_EQ(&*at++, each);
    }
    std::size_t seen = 0;
    group.for_each([&](std::string& each) {
        group.push_back("late");
        EXPECT_NE(each, "late");
        ++seen;
        std::size_t all = 0;
        group.for_each([&](std::string&) { ++all; });
        EXPECT_EQ(all, 301 + seen);
    });
    EXPECT_EQ(seen, 301U);
    EXPECT_THROW(group.for_each([](std::string&) { throw std::runtime_error("no"); }), std::runtime_error);
}

TEST(value_group, iterators_have_random_access) {
    group_of<int> group;
    EXPECT_EQ(group.begin(), group.end());
    using iterator = group_of<int>::iterator;
    static_assert(std::random_access_iterator<iterator>);
    for (int i = 0; i < 100; ++i) {
        group.push_back(i * 37 % 100);
        for (int at = 0; at <= i; ++at) {
            EXPECT_EQ(group.begin()[at], at * 37 % 100);
            EXPECT_EQ(*(group.end() - (i + 1 - at)), at * 37 % 100);
        }
        EXPECT_EQ(group.end() - group.begin(), i + 1);
    }
    std::ranges::sort(group.begin(), group.end());
    for (int i = 0; i < 100; ++i) EXPECT_EQ(group.begin()[i], i);
    std::vector<int> const backwards(
        std::make_reverse_iterator(group.end()), std::make_reverse_iterator(group.begin()));
    EXPECT_TRUE(std::ranges::is_sorted(backwards, std::greater<>()));
    EXPECT_EQ(backwards.size(), 100U);
}

TEST(value_group, values_that_throw_leave_the_group_as_it_was) {
    int there = 0;
    {
        group_of<counted_value> group;
        for (int i = 0; i < 40; ++i) {
            counted_value const next(i, there);
            counted_value::throw_at_copy(2); // the argument is the first copy
            EXPECT_THROW(group.push_back(next), std::runtime_error);
            ASSERT_EQ(group.size(), static_cast<std::size_t>(i));
            counted_value::throw_at_copy(0);
            group.push_back(next);
            ASSERT_EQ(group.begin()[i].number(), i);
            ASSERT_EQ(there, i + 2);
        }
        for (int copies = 1; copies <= 80; ++copies) {
            counted_value::throw_at_copy(copies);
            EXPECT_THROW(group_of<counted_value>{group}, std::runtime_error);
            ASSERT_EQ(there, 40);
        }
        counted_value::throw_at_copy(0);
        auto const place = &*group.begin();
        group_of<counted_value> taken = std::move(group);
        EXPECT_EQ(&*taken.begin(), place);
        EXPECT_EQ(group.size(), 0U); // NOLINT: it is empty
        EXPECT_EQ(there, 40);
    }
    EXPECT_EQ(there, 0);
}

TEST(value_group, values_need_only_move) {
    group_of<std::unique_ptr<int>> group(std::make_unique<int>(0));
    for (int i = 1; i < 20; ++i) group.push_back(std::make_unique<int>(i));
    group_of<std::unique_ptr<int>> taken;
    std::swap(group, taken);
    int next = 0;
    taken.for_each([&](std::unique_ptr<int>& each) { EXPECT_EQ(*each, next++); });
    EXPECT_EQ(next, 20);
}

TEST(value_group, a_value_alone_takes_no_memory_of_its_own) {
    EXPECT_EQ(sizeof(group_of<std::int64_t>), 16U);
    EXPECT_EQ(sizeof(group_of<std::string>), sizeof(std::string) + 8);
    group_of<std::int64_t> group(5);
    auto const* const at = reinterpret_cast<std::byte const*>(&*group.begin());
    auto const* const from = reinterpret_cast<std::byte const*>(&group);
    EXPECT_TRUE(at >= from && at < from + sizeof group);
}

/// Has no bytes of its own.
struct hollow {
    static void wire(auto&, auto&) {}
};

template <class V>
void expect_written_as_vector(std::vector<V> const& values) {
    group_of<V> group;
    for (V const& each : values) group.push_back(each);
    weft::buffer of_group;
    weft::buffer of_vector;
    encode(of_group, group);
    encode(of_vector, values);
    EXPECT_TRUE(std::ranges::equal(of_group.bytes(), of_vector.bytes()));
}

TEST(value_group, groups_are_written_as_vectors) {
    for (std::size_t const count : {0, 1, 2, 3, 4, 5, 127, 128, 1000}) {
        expect_written_as_vector(std::vector<std::int32_t>(count, 77));
        expect_written_as_vector(std::vector<std::string>(count, "some text"));
        expect_written_as_vector(std::vector<hollow>(count));
    }
    using weft::detail::text_of_container;
    EXPECT_EQ((text_of_container<int, group_of<std::string>>("m")), "m<i32, [text]>");
    EXPECT_EQ(
        (text_of_container<int, group_of<char>>("m")), (text_of_container<int, std::vector<char>>("m")));
}

} // namespace
} // namespace weft_test
