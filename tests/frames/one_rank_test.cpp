/// Strides and lists that one rank gets wrong, or all, in every call of the frames: all throw, none waits,
/// and the next call works.
#include <weft/core/error.hpp>
#include <weft/frames/block_to_block.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/frames/part_to_part.hpp>
#include <weft/protocol/collectives.hpp>

#include "frame_rig.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

using weft::block_distribution;
using weft::frame_transfer;
using weft::global_id;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// Plans of ten ids a rank, of which each asks for all, and every call along them that takes a stride.
class every_call {
public:
    explicit every_call(frame_transfer how)
        : to_part_(world(), blocks_, ids_, {.transfer = how}),
          to_block_(world(), blocks_, ids_, {.transfer = how}),
          between_(world(), ids_, ids_, {.transfer = how}) {}

    /// Calls `look(name, call)`; `call(stride)` moves values that fit a stride of 1.
    void for_each(
        std::function<void(std::string const&, std::function<void(std::size_t)> const&)> const& look) {
        look("exchange", [&](std::size_t stride) { (void)to_part_.exchange(of_block_, stride); });
        look("exchange_into", [&](std::size_t stride) {
            std::vector<double> parts(ids_.size());
            to_part_.exchange_into(std::span<double const>(of_block_), std::span(parts), stride);
        });
        look("start", [&](std::size_t stride) { (void)to_part_.start(of_block_, stride).get(); });
        look("reverse to block", [&](std::size_t stride) {
            std::vector<double> block(10);
            to_part_.reverse(
                std::span<double const>(of_parts_), std::span(block), weft::add_values(), stride);
        });
        look("keep", [&](std::size_t stride) { (void)to_block_.keep(of_parts_, stride); });
        look("merge", [&](std::size_t stride) { (void)to_block_.merge(of_parts_, stride); });
        look("lowest", [&](std::size_t stride) { (void)to_block_.lowest(of_parts_, stride); });
        look("reduce",
            [&](std::size_t stride) { (void)to_block_.reduce(of_parts_, weft::add_values(), stride); });
        look("keep of words", [&](std::size_t stride) { (void)to_block_.keep(view(words_), stride); });
        look("merge of words", [&](std::size_t stride) { (void)to_block_.merge(view(words_), stride); });
        look("reduce of words",
            [&](std::size_t stride) { (void)to_block_.reduce(view(words_), weft::add_values(), stride); });
        look("reverse to parts", [&](std::size_t stride) { (void)to_block_.reverse(of_block_, stride); });
        look("reverse_kept", [&](std::size_t stride) {
            (void)to_block_.reverse_kept(std::vector<double>(to_block_.arrivals()), stride);
        });
        look("part_to_part", [&](std::size_t stride) { (void)between_.exchange(of_parts_, stride); });
        look("part_to_part reverse", [&](std::size_t stride) { (void)between_.reverse(of_parts_, stride); });
        look("block_to_block", [&](std::size_t stride) { (void)same_.exchange(of_block_, stride); });
    }

private:
    static weft::parts_view<std::string> view(std::vector<std::string> const& words) { return words; }
    static std::vector<global_id> all_ids() {
        std::vector<global_id> ids;
        for (global_id id = 0; id < 10 * size(); ++id) ids.push_back(id);
        return ids;
    }

    block_distribution blocks_ = block_distribution::uniform(world(), 10 * size());
    std::vector<global_id> ids_ = all_ids();
    std::vector<double> of_block_ = std::vector<double>(10, 1.0);
    std::vector<double> of_parts_ = std::vector<double>(ids_.size(), 1.0);
    std::vector<std::string> words_ = std::vector<std::string>(ids_.size(), "word");
    weft::block_to_part to_part_;
    weft::part_to_block to_block_;
    weft::part_to_part between_;
    weft::block_to_block same_{world(), blocks_, blocks_};
};

} // namespace

TEST(one_rank, a_stride_that_cannot_be_is_an_error_on_all_ranks) {
    for (frame_transfer const how : weft_test::all_transfers) {
        every_call calls(how);
        for (std::size_t const wrong :
            {std::size_t{0}, SIZE_MAX / 8, SIZE_MAX, std::size_t{1} << 61, std::size_t{2}})
            for (bool const everywhere : {false, true})
                calls.for_each([&](std::string const& name, std::function<void(std::size_t)> const& call) {
                    bool const here = everywhere || rank() == size() - 1;
                    EXPECT_THROW(call(here ? wrong : 1), weft::usage_error) << name << ' ' << wrong;
                    EXPECT_NO_THROW(call(1)) << name << ' ' << wrong;
                    ASSERT_EQ(weft::sum(world(), 1), size());
                });
    }
}

TEST(one_rank, lists_that_end_beyond_their_values_are_an_error_on_all_ranks) {
    block_distribution const blocks = block_distribution::uniform(world(), size());
    std::vector<global_id> const ids{0};
    weft::block_to_part const to_part(world(), blocks, ids);
    weft::part_to_block const to_block(world(), blocks, ids);
    weft::block_to_block const same(world(), blocks, blocks);
    for (std::int64_t const end : {std::int64_t{1} << 61, std::int64_t{1} << 62, std::int64_t{INT64_MAX}}) {
        weft::ragged<double> lists{{0, rank() == size() - 1 ? end : 2}, {1, 2}};
        EXPECT_THROW((void)to_part.exchange(lists), weft::usage_error);
        EXPECT_THROW((void)to_part.reverse(lists), weft::usage_error);
        EXPECT_THROW((void)to_block.keep(lists), weft::usage_error);
        EXPECT_THROW((void)to_block.merge(lists), weft::usage_error);
        EXPECT_THROW((void)same.exchange(lists), weft::usage_error);
    }
    EXPECT_EQ(to_part.exchange(weft::ragged<double>{{0, 2}, {1, 2}}).values.size(), 2U);
}
