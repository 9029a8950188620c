#include <weft/extend/core/attachment.hpp>

#include <harness/mpi_test.hpp>

#include <vector>

using weft::attachment;
using weft::communicator;
using weft_test::world;

namespace {

struct tally {
    explicit tally(int& count) : alive(&count) { ++*alive; }
    ~tally() { --*alive; }
    tally(tally const&) = delete;
    tally& operator=(tally const&) = delete;
    int* alive;
};

struct first_note {
    std::vector<int>* log;
    ~first_note() { log->push_back(1); }
};
struct second_note {
    std::vector<int>* log;
    ~second_note() { log->push_back(2); }
};

} // namespace

TEST(attachment, is_made_once_and_goes_with_the_communicator) {
    int alive = 0;
    {
        communicator const own = world().split(0);
        tally& first = attachment<tally>(own, alive);
        communicator const copy = own; // NOLINT
        EXPECT_EQ(&attachment<tally>(copy, alive), &first);
        EXPECT_EQ(alive, 1);
    }
    EXPECT_EQ(alive, 0);
}

TEST(attachment, is_kept_by_type_and_the_newest_goes_first) {
    std::vector<int> log;
    {
        communicator const own = world().split(0);
        attachment<first_note>(own, &log);
        attachment<second_note>(own, &log);
    }
    EXPECT_EQ((std::vector<int>(log.end() - 2, log.end())), (std::vector<int>{2, 1}));
}
