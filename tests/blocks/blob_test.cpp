/// Bytes whose owner may be gone.
#include <weft/detail/blocks/blob.hpp>

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

using weft::detail::blob;

namespace {

/// A container that tells of its end.
struct mourned_bytes {
    explicit mourned_bytes(int& counter) : ends(&counter), held(100, std::byte{7}) {}
    mourned_bytes(mourned_bytes&& other) noexcept
        : ends(std::exchange(other.ends, nullptr)), held(std::move(other.held)) {}
    mourned_bytes& operator=(mourned_bytes&&) = delete;
    ~mourned_bytes() {
        if (ends != nullptr) ++*ends;
    }
    [[nodiscard]] std::byte const* data() const { return held.data(); }
    [[nodiscard]] std::size_t size() const { return held.size(); }

    int* ends;
    std::vector<std::byte> held;
};

} // namespace

TEST(blob, takes_over_elements_without_a_copy) {
    std::vector<std::int64_t> items{1, 2, 3};
    void const* const before = items.data();
    blob const held = blob::of(std::move(items));
    EXPECT_EQ(held.bytes().data(), before);
    EXPECT_EQ(held.bytes().size(), 3 * sizeof(std::int64_t));
    weft::buffer bytes(10);
    void const* const where = bytes.data();
    EXPECT_EQ(blob::of(std::move(bytes)).bytes().data(), where);
}

TEST(blob, parts_keep_the_whole_when_its_owner_is_gone) {
    int ends = 0;
    std::optional<blob> whole(blob::of(mourned_bytes(ends)));
    blob part = whole->part(90, 10);
    blob const part_of_part = part.part(9, 1);
    blob const none = part.part(10, 0);
    whole.reset();
    part = blob();
    EXPECT_EQ(ends, 0);
    EXPECT_EQ(part_of_part.bytes()[0], std::byte{7});
    EXPECT_TRUE(none.bytes().empty());
}

TEST(blob, the_last_one_ends_it_once) {
    int ends = 0;
    {
        blob first = blob::of(mourned_bytes(ends));
        blob second = first;
        blob third = std::move(first);
        blob& same = third;
        third = same;
        std::swap(second, third);
        second = third.part(0, 0);
        first = blob();
        EXPECT_EQ(ends, 0);
    }
    EXPECT_EQ(ends, 1);
}

TEST(blob, an_empty_one_can_be_copied_and_dropped) {
    blob const none;
    blob copy = none;
    copy = blob::of(std::vector<int>());
    blob const moved = std::move(copy);
    EXPECT_TRUE(none.bytes().empty());
    EXPECT_TRUE(moved.bytes().empty());
}

TEST(blob, threads_may_drop_copies_at_the_same_time) {
    for (int round = 0; round < 100; ++round) {
        int ends = 0;
        {
            blob mine = blob::of(mourned_bytes(ends));
            std::vector<std::jthread> threads;
            for (int i = 0; i < 2; ++i)
                threads.emplace_back([copy = mine] { // by value: dropped over there
                    for (int again = 0; again < 10; ++again) (void)blob(copy).part(1, 2);
                });
            mine = blob();
        }
        ASSERT_EQ(ends, 1);
    }
}
