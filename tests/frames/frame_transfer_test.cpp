#include <weft/frames/frame_transfer.hpp>

#include <harness/mpi_test.hpp>

#include <set>
#include <string>

TEST(frame_transfer, every_way_has_a_name_of_its_own) {
    using enum weft::frame_transfer;
    std::set<std::string> names;
    for (weft::frame_transfer const each : {automatic, plan, shared, sparse, collective})
        names.insert(weft::name_of(each));
    EXPECT_EQ(names.size(), 5U);
    EXPECT_STREQ(weft::name_of(shared), "shared");
}
