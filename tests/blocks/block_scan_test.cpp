/// Prefixes over blocks against a serial scan: the same bits wherever the blocks are.
#include <weft/blocks/block_scan.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <string>
#include <vector>

using weft::block_id;
using weft::block_set;
using weft::index_of;
using weft_test::cut_into;
using weft_test::setting;
using weft_test::world;

namespace {

/// x -> scale x + shift; these do not commute, and rounding shows the brackets.
struct affine {
    float scale = 1;
    float shift = 0;
    friend bool operator==(affine const&, affine const&) = default;
};

affine then(affine const& first, affine const& second) noexcept {
    return {first.scale * second.scale, first.shift * second.scale + second.shift};
}

constexpr std::size_t array_length = 23;

struct scanned_block {
    std::vector<affine> steps;
    std::string text;
};

scanned_block block_of(std::int64_t id) {
    auto random = weft_test::random(static_cast<std::uint64_t>(id) + 1);
    std::uniform_real_distribution<float> chance(0.5F, 1.5F);
    scanned_block made;
    for (std::size_t i = 0; i < array_length; ++i) made.steps.push_back({chance(random), chance(random)});
    made.text = std::to_string(id) + ",";
    return made;
}

/// Rounds of pairs 1, 2, 4, ... apart.
template <class T, class Combine>
std::vector<T> scanned(std::vector<T> values, Combine const& combine) {
    for (std::size_t distance = 1; distance < values.size(); distance *= 2) {
        std::vector<T> next = values;
        for (std::size_t i = distance; i < values.size(); ++i)
            next[i] = combine(values[i - distance], values[i]);
        values = std::move(next);
    }
    return values;
}

block_set<scanned_block> made(setting const& with) {
    return block_set<scanned_block>(world(), cut_into::chain(with.blocks), with.where(),
        [](block_id id) { return block_of(index_of(id)); }, {.threads = with.threads});
}

/// Every number of blocks up to 9, and those that others got wrong.
template <class Body>
void for_scans(Body&& body) {
    int dealing = 0;
    for (std::int64_t const blocks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 33, 44, 56, 64, 189}) {
        setting const with{blocks, 1 + dealing % 2, dealing % 3};
        ++dealing;
        SCOPED_TRACE(with.name());
        body(with);
    }
}

} // namespace

TEST(block_scan, texts_of_the_blocks_up_to_each_in_their_order) {
    for_scans([](setting const& with) {
        auto blocks = made(with);
        weft::scan<std::string>(
            blocks, [](scanned_block const& self, block_id) { return self.text; },
            [](std::string const& a, std::string const& b) { return a + b; },
            [](scanned_block& self, block_id, std::string text) { self.text = std::move(text); });
        blocks.for_each([](scanned_block& self, block_id id) {
            std::string expected;
            for (std::int64_t i = 0; i <= index_of(id); ++i) expected += std::to_string(i) + ",";
            EXPECT_EQ(self.text, expected);
        });
    });
}

TEST(block_scan, arrays_in_place_have_the_bits_of_a_serial_scan) {
    for_scans([](setting const& with) {
        std::vector<std::vector<affine>> all;
        for (std::int64_t id = 0; id < with.blocks; ++id) all.push_back(block_of(id).steps);
        auto const expected = scanned(all, [](std::vector<affine> const& a, std::vector<affine> const& b) {
            std::vector<affine> both;
            for (std::size_t i = 0; i < array_length; ++i) both.push_back(then(a[i], b[i]));
            return both;
        });
        auto blocks = made(with);
        weft::scan_arrays<affine>(
            blocks, [](scanned_block& self, block_id) { return std::span(self.steps); }, then);
        blocks.for_each([&](scanned_block& self, block_id id) {
            EXPECT_EQ(self.steps, expected[static_cast<std::size_t>(index_of(id))]);
        });
    });
}

TEST(block_scan, errors_are_those_of_all_ranks) {
    auto blocks = made({9, 1, 1});
    auto const text = [](scanned_block const& self, block_id) { return self.text; };
    auto const poisoned = [](std::string const& a, std::string const& b) {
        if (b.starts_with("7")) throw weft::usage_error("not this one");
        return a + b;
    };
    auto const nothing = [](scanned_block&, block_id, std::string const&) {};
    EXPECT_ANY_THROW(weft::scan<std::string>(blocks, text, poisoned, nothing));
    auto const uneven = [](scanned_block& self, block_id id) {
        return std::span(self.steps).first(id == block_id{8} ? 3 : 4);
    };
    EXPECT_THROW(weft::scan_arrays<affine>(blocks, uneven, then), weft::usage_error);
    // The next one is not disturbed.
    weft::scan<std::string>(
        blocks, text, [](std::string const& a, std::string const& b) { return a + b; },
        [](scanned_block&, block_id id, std::string const& all) {
            EXPECT_EQ(all.size(), 2 * static_cast<std::size_t>(index_of(id) + 1));
        });
}
