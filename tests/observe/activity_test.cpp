#include <weft/extend/observe/activity.hpp>

#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <string_view>

using weft::activity;
using weft::activity_of;
using weft::activity_scope;
using weft_test::world;

namespace {

/// An engine that gets on for some steps and writes down what a watchdog would see.
class witness final : public weft::engine {
public:
    witness(weft::communicator const& comm, int steps) : here_(activity_of(comm)), steps_(steps) {}

    [[nodiscard]] weft::progress step() override {
        seen = here_.current();
        return --steps_ > 0 ? weft::progress::some : weft::progress::done;
    }

    std::string_view seen;

private:
    activity& here_;
    int steps_;
};

} // namespace

TEST(activity, is_user_code_outside_of_operations) {
    EXPECT_STREQ(activity().current(), "user code");
    EXPECT_STREQ(activity_of(world()).current(), "user code");
    EXPECT_EQ(activity().advances(), 0u);
}

TEST(activity, a_scope_names_an_operation_and_gives_the_one_around_it_back) {
    activity here;
    {
        activity_scope const outer(here, "outer");
        EXPECT_STREQ(here.current(), "outer");
        {
            activity_scope const inner(here, "inner");
            EXPECT_STREQ(here.current(), "inner");
        }
        EXPECT_STREQ(here.current(), "outer");
    }
    EXPECT_STREQ(here.current(), "user code");
}

TEST(activity, is_one_for_a_communicator_and_all_that_is_split_from_it) {
    weft::communicator const part = world().split(world().rank() % 2);
    EXPECT_EQ(&activity_of(part), &activity_of(world()));
    EXPECT_EQ(&activity_of(part.split(0)), &activity_of(world()));
    EXPECT_EQ(&activity_of(world().with(weft::settings{})), &activity_of(world()));
}

TEST(activity, shows_the_operation_while_it_runs_and_that_it_gets_on) {
    std::uint64_t const before = activity_of(world()).advances();
    witness engine(world(), 10);
    weft::complete(world(), engine, "some operation");
    EXPECT_EQ(engine.seen, "some operation");
    EXPECT_EQ(activity_of(world()).advances(), before + 9); // the last step is done, not an advance
    EXPECT_STREQ(activity_of(world()).current(), "user code");
}

TEST(activity, waiting_without_progress_is_no_advance) {
    std::uint64_t const before = activity_of(world().split(world().rank())).advances();
    EXPECT_EQ(activity_of(world()).advances(), before);
}
