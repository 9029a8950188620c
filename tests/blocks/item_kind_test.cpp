#include <weft/detail/blocks/item_kind.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <string>
#include <typeinfo>

using weft::block_id;
using weft::block_port;
using weft::block_set;
using weft::detail::item_print_of;
using weft::detail::known_kind;
using weft_test::cut_into;

namespace {

struct small_item {
    std::int32_t number;
};

std::string refusal_of(known_kind const& kind) {
    try {
        kind.check();
    } catch (weft::usage_error const& caught) { return caught.what(); }
    return "none";
}

} // namespace

TEST(item_kind, is_a_number_of_name_and_size) {
    EXPECT_NE(weft::detail::kind_of<int>(), weft::detail::kind_of<float>());
    EXPECT_NE(weft::detail::kind_of<int>(), weft::detail::kind_of<std::string>());
    EXPECT_NE(weft::detail::kind_of<small_item>(), 0U);
    EXPECT_EQ(weft::detail::kind_of<small_item>(), item_print_of<small_item>().number);
}

TEST(item_kind, one_type_may_be_known_twice) {
    known_kind const once({77, 4, "a"}, typeid(int));
    known_kind const again({77, 4, "a"}, typeid(int));
    EXPECT_EQ(refusal_of(once), "none");
    EXPECT_EQ(refusal_of(again), "none");
}

TEST(item_kind, two_types_with_one_number_are_refused_both) {
    known_kind const first({77, 4, "a"}, typeid(int));
    {
        known_kind const second({77, 8, "b"}, typeid(double));
        known_kind const third({77, 4, "a"}, typeid(float));
        known_kind const other({78, 4, "a"}, typeid(float));
        EXPECT_NE(refusal_of(second).find("'a' of 4 bytes"), std::string::npos) << refusal_of(second);
        EXPECT_NE(refusal_of(second).find("'b' of 8 bytes"), std::string::npos) << refusal_of(second);
        EXPECT_NE(refusal_of(third), "none");
        EXPECT_NE(refusal_of(first), "none");
        EXPECT_EQ(refusal_of(other), "none");
    }
    EXPECT_EQ(refusal_of(first), "none"); // a library that is closed takes its types with it
}

// As two types of one name in the anonymous namespaces of two files.
TEST(item_kind, callbacks_of_a_type_that_cannot_be_told_apart_are_refused_on_all_ranks) {
    block_set<int> blocks(weft_test::world(), cut_into::ring(5), [](block_id) { return 0; });
    auto const send = [](int&, block_port<small_item>& port) { port.send(block_id{0}, small_item{1}); };
    {
        known_kind const twin(item_print_of<small_item>(), typeid(float));
        EXPECT_THROW((void)blocks.exchange<small_item>(send), weft::usage_error);
        EXPECT_THROW(blocks.iexchange<small_item>(send), weft::usage_error);
        EXPECT_THROW(blocks.for_each_port<small_item>(send), weft::usage_error);
        try {
            (void)blocks.exchange<small_item>(send);
        } catch (weft::usage_error const& caught) {
            EXPECT_NE(std::string(caught.what()).find("small_item"), std::string::npos) << caught.what();
        }
    }
    EXPECT_EQ(blocks.exchange<small_item>(send), 5);
}
