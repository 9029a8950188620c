#include <weft/core/buffer.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

using weft::buffer;

namespace {

bool aligned(buffer const& held) {
    return reinterpret_cast<std::uintptr_t>(held.data()) % buffer::alignment == 0;
}

buffer filled(std::size_t bytes, unsigned char first) {
    buffer made(bytes);
    for (std::size_t i = 0; i < bytes; ++i) made.data()[i] = static_cast<std::byte>(first + i);
    return made;
}

} // namespace

TEST(buffer, an_empty_one_owns_nothing) {
    buffer const empty;
    EXPECT_EQ(empty.data(), nullptr);
    EXPECT_EQ(empty.size(), 0u);
    EXPECT_TRUE(empty.empty());
    EXPECT_TRUE(empty.bytes().empty());
    EXPECT_EQ(buffer(0).size(), 0u);
}

TEST(buffer, moves_without_copying_and_never_copies) {
    EXPECT_FALSE(std::is_copy_constructible_v<buffer>);
    EXPECT_FALSE(std::is_copy_assignable_v<buffer>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<buffer>);
    EXPECT_TRUE(std::is_nothrow_move_assignable_v<buffer>);

    buffer from = filled(100, 7);
    std::byte const* const where = from.data();
    buffer to(std::move(from));
    EXPECT_EQ(to.data(), where);
    EXPECT_EQ(to.size(), 100u);
    EXPECT_TRUE(from.empty()); // NOLINT: a moved-from buffer is an empty one
    EXPECT_EQ(from.data(), nullptr);

    buffer assigned = filled(10, 1);
    assigned = std::move(to);
    EXPECT_EQ(assigned.data(), where);
    EXPECT_EQ(assigned.size(), 100u);
}

TEST(buffer, a_moved_from_one_can_be_filled_again) {
    buffer first = filled(100, 7);
    buffer const second(std::move(first));
    int const item = 42;
    first.append(&item, sizeof item);
    EXPECT_EQ(first.size(), sizeof item);
    EXPECT_EQ(second.size(), 100u);
}

TEST(buffer, is_aligned_to_a_cache_line_at_every_size) {
    buffer grown;
    for (std::size_t bytes = 1; bytes < 70'000; bytes = bytes * 3 / 2 + 1) {
        EXPECT_TRUE(aligned(buffer(bytes))) << bytes;
        grown.resize(bytes);
        EXPECT_TRUE(aligned(grown)) << bytes;
    }
}

TEST(buffer, reserve_keeps_size_and_content_and_then_growth_does_not_move) {
    buffer held = filled(20, 3);
    held.reserve(1000);
    EXPECT_EQ(held.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(held.data()[i], static_cast<std::byte>(3 + i));

    std::byte const* const where = held.data();
    held.resize(1000);
    EXPECT_EQ(held.data(), where);
    held.reserve(10);
    EXPECT_EQ(held.data(), where);
    EXPECT_EQ(held.size(), 1000u);
}

TEST(buffer, clear_keeps_the_memory) {
    buffer held = filled(500, 0);
    std::byte const* const where = held.data();
    held.clear();
    EXPECT_TRUE(held.empty());
    held.resize(500);
    EXPECT_EQ(held.data(), where);
}

TEST(buffer, appending_nothing_is_nothing) {
    buffer held;
    held.append(nullptr, 0);
    EXPECT_TRUE(held.empty());
    EXPECT_EQ(held.data(), nullptr);
}

TEST(buffer, grows_a_bounded_number_of_times) {
    buffer held;
    int moves = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        std::byte const* const before = held.data();
        *held.extend(1) = std::byte{1};
        moves += held.data() != before;
    }
    EXPECT_EQ(held.size(), 1'000'000u);
    EXPECT_LE(moves, 40); // log of a million to base 1.5 is 34
}

TEST(buffer, any_sequence_of_operations_leaves_what_a_vector_would_hold) {
    std::mt19937_64 random(17);
    for (int run = 0; run < 50; ++run) {
        buffer held;
        std::vector<std::byte> oracle;
        for (int step = 0; step < 200; ++step) {
            std::size_t const bytes = random() % 100;
            std::vector<std::byte> added(bytes);
            for (std::byte& each : added) each = static_cast<std::byte>(random());
            switch (random() % 5) {
            case 0:
                std::ranges::copy(added, held.extend(bytes));
                oracle.insert(oracle.end(), added.begin(), added.end());
                break;
            case 1:
                held.resize(std::min(bytes, held.size()));
                oracle.resize(held.size());
                break;
            case 2:
                held.reserve(oracle.size() + bytes);
                break;
            default:
                held.append(added.data(), bytes);
                oracle.insert(oracle.end(), added.begin(), added.end());
            }
            ASSERT_TRUE(std::ranges::equal(std::as_const(held).bytes(), oracle)) << "step " << step;
        }
    }
}

TEST(buffer, a_lent_one_is_the_bytes_of_somebody_else) {
    buffer const mine = filled(100, 7);
    {
        buffer const view = buffer::view_of(mine.data(), mine.size());
        EXPECT_TRUE(view.is_view());
        EXPECT_EQ(view.data(), mine.data());
        EXPECT_EQ(view.size(), 100u);
    } // frees nothing: a sanitizer or the next lines would tell
    EXPECT_FALSE(mine.is_view());
    EXPECT_EQ(mine.data()[99], static_cast<std::byte>(7 + 99));
    EXPECT_FALSE(buffer().is_view());
    EXPECT_FALSE(buffer(10).is_view());
}

TEST(buffer, what_is_lent_moves_as_it_is) {
    buffer const mine = filled(50, 1);
    buffer from = buffer::view_of(mine.data(), mine.size());
    buffer to(std::move(from));
    EXPECT_TRUE(to.is_view());
    EXPECT_EQ(to.data(), mine.data());
    EXPECT_FALSE(from.is_view()); // NOLINT: a moved-from buffer is an empty one

    buffer assigned = filled(10, 3); // its memory is freed, not the lender's
    assigned = std::move(to);
    EXPECT_TRUE(assigned.is_view());
    EXPECT_EQ(assigned.data(), mine.data());
}

TEST(buffer, make_own_copies_what_is_lent_and_nothing_else) {
    buffer mine = filled(70, 9);
    buffer copied = buffer::view_of(mine.data(), mine.size());
    copied.make_own();
    EXPECT_FALSE(copied.is_view());
    EXPECT_NE(copied.data(), mine.data());
    EXPECT_TRUE(aligned(copied));
    EXPECT_TRUE(std::ranges::equal(copied.bytes(), mine.bytes()));
    mine.data()[0] = std::byte{0};
    EXPECT_EQ(copied.data()[0], std::byte{9});

    std::byte const* const where = copied.data();
    copied.make_own();
    EXPECT_EQ(copied.data(), where);
    buffer empty;
    empty.make_own();
    EXPECT_EQ(empty.data(), nullptr);
}

TEST(buffer, whatever_changes_a_lent_one_leaves_the_lender_alone) {
    for (std::size_t const lent_bytes : {std::size_t{1}, std::size_t{64}, std::size_t{100'000}}) {
        buffer const mine = filled(lent_bytes, 5);
        std::vector<std::byte> const before(mine.bytes().begin(), mine.bytes().end());
        auto const expect_own = [&](char const* what, buffer const& changed, std::size_t size) {
            EXPECT_FALSE(changed.is_view()) << what;
            ASSERT_EQ(changed.size(), size) << what;
            EXPECT_TRUE(std::ranges::equal(changed.bytes().first(std::min(size, lent_bytes)),
                std::span(before).first(std::min(size, lent_bytes))))
                << what;
        };
        auto const view = [&] { return buffer::view_of(mine.data(), mine.size()); };
        buffer appended = view();
        appended.append("x", 1);
        expect_own("append", appended, lent_bytes + 1);
        EXPECT_EQ(appended.data()[lent_bytes], std::byte{'x'});
        buffer longer = view();
        longer.resize(lent_bytes + 1000);
        expect_own("a larger size", longer, lent_bytes + 1000);
        // Less than is viewed is asked for: the copy still has room for all.
        buffer shorter = view();
        shorter.resize(1);
        expect_own("a smaller size", shorter, 1);
        buffer reserved = view();
        reserved.reserve(1);
        expect_own("room for less", reserved, lent_bytes);
        buffer cleared = view();
        cleared.clear();
        cleared.append("y", 1);
        EXPECT_EQ(cleared.size(), 1u);
        EXPECT_EQ(cleared.data()[0], std::byte{'y'});
        EXPECT_TRUE(std::ranges::equal(mine.bytes(), before));
    }
}
