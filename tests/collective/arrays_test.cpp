#include <weft/collective/arrays.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/collective/array_operator.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// Premultiplied colour and opacity; does not commute.
struct pixel {
    float color = 0;
    float opacity = 0;
    friend bool operator==(pixel const&, pixel const&) = default;
};

pixel over(pixel const& front, pixel const& back) noexcept {
    float const rest = 1 - front.opacity;
    return {front.color + rest * back.color, front.opacity + rest * back.opacity};
}

std::vector<pixel> image_of(int of_rank, std::size_t length) {
    auto random = weft_test::random(static_cast<std::uint64_t>(of_rank) + 1);
    std::uniform_real_distribution<float> chance;
    std::vector<pixel> made(length);
    for (pixel& each : made) each = {chance(random) / 2, chance(random) / 2};
    return made;
}

} // namespace

TEST(arrays, sums_and_maxima_of_any_length) {
    for (std::size_t const length : {0u, 1u, 1000u, 100000u}) {
        std::vector<std::int64_t> mine(length);
        for (std::size_t i = 0; i < length; ++i) mine[i] = static_cast<std::int64_t>(i) + rank();
        std::vector<std::int64_t> sums = mine;
        weft::all_reduce(world(), std::span(sums), std::plus<>());
        std::vector<std::int64_t> at_root = mine;
        weft::reduce(
            world(), std::span(at_root), [](std::int64_t a, std::int64_t b) { return std::max(a, b); },
            size() - 1);
        for (std::size_t i = 0; i < length; ++i) {
            auto const n = static_cast<std::int64_t>(i);
            ASSERT_EQ(sums[i], size() * n + size() * (size() - 1) / 2);
            if (rank() == size() - 1) { ASSERT_EQ(at_root[i], n + size() - 1); }
        }
    }
}

TEST(arrays, pictures_are_composed_front_to_back_with_the_same_bits_everywhere) {
    for (std::size_t const length : {100u, 30000u}) {
        std::vector<pixel> whole = image_of(rank(), length);
        weft::all_reduce(world(), std::span(whole), over);
        std::vector<pixel> expected = image_of(0, length);
        for (int behind = 1; behind < size(); ++behind) {
            auto const image = image_of(behind, length);
            for (std::size_t i = 0; i < length; ++i) expected[i] = over(expected[i], image[i]);
        }
        for (std::size_t i = 0; i < length; ++i) {
            ASSERT_NEAR(whole[i].color, expected[i].color, 1e-5);
            ASSERT_NEAR(whole[i].opacity, expected[i].opacity, 1e-5);
        }
        EXPECT_EQ(weft::broadcast(world(), whole), whole);
        // Shares of the same picture.
        std::vector<pixel> mine = image_of(rank(), length);
        auto const share = weft::reduce_scatter(world(), std::span(mine), over);
        auto const first = static_cast<std::size_t>(share.data() - mine.data());
        EXPECT_EQ(weft::all_reduce(world(), share.size(), std::plus<>()), length);
        for (std::size_t i = 0; i < share.size(); ++i)
            ASSERT_NEAR(share[i].color, expected[first + i].color, 1e-5);
    }
}

TEST(arrays, strided_shares_lie_in_the_order_of_ranks) {
    std::vector<int> ones(1000, 1);
    auto const share = weft::reduce_scatter(world(), std::span(ones), std::plus<>(), weft::grouping::strided);
    EXPECT_EQ(std::vector<int>(share.begin(), share.end()), std::vector<int>(share.size(), size()));
    auto const firsts = weft::all_gather(world(), static_cast<std::int64_t>(share.data() - ones.data()));
    EXPECT_TRUE(std::ranges::is_sorted(firsts));
}

TEST(arrays, broadcasts_of_any_root_and_many_in_a_row_do_not_mix) {
    for (int round = 0; round < 200; ++round) {
        int const root = round % size();
        std::vector<int> data(round % 40 == 0 ? 50000 : 3, rank() == root ? round : -1);
        weft::broadcast(world(), std::span(data), root);
        ASSERT_EQ(data, std::vector<int>(data.size(), round));
        weft::all_reduce(world(), std::span(data), std::plus<>());
        ASSERT_EQ(data.back(), round * size());
    }
}

TEST(arrays, calls_of_many_shapes_in_turn) {
    auto random = weft_test::random(7);
    for (int round = 0; round < 300; ++round) {
        auto const length = static_cast<std::size_t>(random() % 7 * 911);
        std::vector<std::int64_t> data(length, rank() + round);
        auto const total =
            static_cast<std::int64_t>(size()) * (size() - 1) / 2 + std::int64_t{size()} * round;
        int const root = static_cast<int>(random() % static_cast<unsigned>(size()));
        switch (random() % 5) {
        case 0:
            weft::all_reduce(world(), std::span(data), std::plus<>());
            ASSERT_EQ(data, std::vector<std::int64_t>(length, total));
            break;
        case 1:
            weft::reduce(world(), std::span(data), std::plus<>(), root);
            if (rank() == root) { ASSERT_EQ(data, std::vector<std::int64_t>(length, total)); }
            break;
        case 2:
            for (std::int64_t const each : weft::reduce_scatter(world(), std::span(data), std::plus<>()))
                ASSERT_EQ(each, total);
            break;
        case 3: {
            std::vector<std::int32_t> half(length, 1); // the same number of elements, others
            weft::all_reduce(world(), std::span(half), std::multiplies<>());
            ASSERT_EQ(half, std::vector<std::int32_t>(length, 1));
            break;
        }
        default:
            weft::broadcast(world(), std::span(data), root);
            ASSERT_EQ(data, std::vector<std::int64_t>(length, root + round));
        }
    }
}

TEST(arrays, errors_are_agreed) {
    std::vector<int> data(10, rank());
    EXPECT_THROW(weft::broadcast(world(), std::span(data), size()), weft::usage_error);
    EXPECT_THROW(weft::reduce(world(), std::span(data), std::plus<>(), -1), weft::usage_error);
    if (size() == 1) return;
    auto const picky = [](int a, int b) {
        if (a == 0) throw weft::usage_error("nothing to add");
        return a + b;
    };
    EXPECT_THROW(weft::all_reduce(world(), std::span(data), picky), weft::usage_error);
    std::ranges::fill(data, 1);
    weft::all_reduce(world(), std::span(data), picky);
    EXPECT_EQ(data.front(), size());
}

TEST(array_operator, combines_element_by_element_in_the_order_of_the_arrays) {
    auto const last_digits = [](int left, int right) noexcept { return (10 * left + right) % 100; };
    weft::element_operator<int, decltype(last_digits)> how(last_digits);
    EXPECT_FALSE(how.may_throw);
    std::array<int, 3> mine{1, 2, 3};
    std::array<int, 3> const theirs{4, 5, 6};
    auto* const into = reinterpret_cast<std::byte*>(mine.data());
    auto const* const other = reinterpret_cast<std::byte const*>(theirs.data());
    how.combine(into, other, mine.size(), false);
    EXPECT_EQ(mine, (std::array{14, 25, 36}));
    how.combine(into, other, mine.size(), true);
    EXPECT_EQ(mine, (std::array{54, 75, 96}));
}
