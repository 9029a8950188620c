#include <weft/extend/protocol/engine.hpp>

#include <transport/rank_locals.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <vector>

using weft::communicator;
using weft::progress;
using weft_test::world;

namespace {

/// An engine whose step is written in the test; says when it goes.
class scripted final : public weft::engine {
public:
    explicit scripted(std::function<progress()> what, bool* gone = nullptr)
        : what_(std::move(what)), gone_(gone) {}
    ~scripted() override {
        if (gone_ != nullptr) *gone_ = true;
    }
    [[nodiscard]] progress step() override { return what_(); }

private:
    std::function<progress()> what_;
    bool* gone_;
};

} // namespace

TEST(complete, steps_until_done) {
    int left = 5;
    scripted engine([&] { return --left > 0 ? progress::none : progress::done; });
    weft::complete(world(), engine, "test");
    EXPECT_EQ(left, 0);
}

TEST(complete, glances_in_turn_with_steps) {
    struct counting final : weft::engine {
        [[nodiscard]] progress step() override {
            ++steps;
            return steps + glances == 20 ? progress::done : progress::none;
        }
        [[nodiscard]] progress quick_step() override {
            ++glances;
            return progress::none; // overlooks it
        }
        int steps = 0;
        int glances = 0;
    } engine;
    weft::complete(world(), engine, "test");
    EXPECT_EQ(engine.steps, 10);
    EXPECT_EQ(engine.glances, 10);
}

TEST(complete, steps_the_other_open_operations_meanwhile) {
    int helped = 0;
    scripted other([&] {
        ++helped;
        return progress::none;
    });
    scripted mine([&] { return helped >= 3 ? progress::done : progress::none; });
    auto& open = weft::context_of(world()).others;
    open.add(other);
    open.add(mine); // is not stepped twice a turn
    weft::complete(world(), mine, "test");
    open.remove(other);
    open.remove(mine);
    EXPECT_EQ(helped, 3);
}

TEST(complete, lets_what_an_engine_throws_through_and_works_afterwards) {
    scripted bad([]() -> progress { throw std::runtime_error("broken"); });
    EXPECT_THROW(weft::complete(world(), bad, "test"), std::runtime_error);
    EXPECT_EQ(weft::sum(world(), 1), world().size());
}

TEST(begin_operation, sends_nothing_after_a_failure_of_this_rank_alone) {
    std::int64_t const begun = weft::begin_operation(world()).epoch();
    weft::fail_alone(std::make_exception_ptr(std::bad_alloc()), "test");
    EXPECT_THROW((void)weft::begin_operation(world()), weft::error);
    EXPECT_THROW((void)weft::sum(world(), 1), weft::error);
    weft::lone_failure_here() = {};
    EXPECT_EQ(weft::begin_operation(world()).epoch(), begun + 1);
    EXPECT_EQ(weft::sum(world(), 1), world().size());
}

TEST(open_operations, are_one_registry_for_a_communicator_and_all_that_is_split_from_it) {
    communicator const part = world().split(world().rank() % 2);
    EXPECT_EQ(&weft::context_of(part).others, &weft::context_of(world()).others);
    EXPECT_EQ(&weft::context_of(part.split(0)).others, &weft::context_of(world()).others);
}

TEST(open_operations, steps_all_but_one_and_tells_whether_any_got_on) {
    weft::open_operations open;
    int first = 0;
    int second = 0;
    progress says = progress::none;
    scripted a([&] {
        ++first;
        return says;
    });
    scripted b([&] {
        ++second;
        return progress::none;
    });
    open.add(a);
    open.add(b);
    EXPECT_EQ(open.step_others(nullptr), progress::none);
    EXPECT_EQ(open.step_others(&b), progress::none);
    EXPECT_EQ(first, 2);
    EXPECT_EQ(second, 1);
    says = progress::some;
    EXPECT_EQ(open.step_others(nullptr), progress::some);
    open.remove(a);
    EXPECT_EQ(open.step_others(nullptr), progress::none);
    EXPECT_EQ(first, 3);
    EXPECT_EQ(second, 3);
}

TEST(open_operations, what_is_done_is_no_progress_so_that_waiting_stays_cheap) {
    weft::open_operations open;
    scripted finished([] { return progress::done; });
    open.add(finished);
    EXPECT_EQ(open.step_others(nullptr), progress::none);
    EXPECT_EQ(open.step_others(nullptr), progress::none);
    open.remove(finished);
}

TEST(open_operations, an_abandoned_one_is_finished_and_then_deleted) {
    weft::open_operations open;
    bool gone = false;
    int left = 3;
    auto* const orphan = new scripted([&] { return --left > 0 ? progress::some : progress::done; }, &gone);
    open.add(*orphan);
    open.abandon(*orphan);
    EXPECT_EQ(open.step_others(nullptr), progress::some);
    EXPECT_FALSE(gone);
    EXPECT_EQ(open.step_others(nullptr), progress::some);
    (void)open.step_others(nullptr);
    EXPECT_TRUE(gone);
    EXPECT_EQ(open.step_others(nullptr), progress::none);
}

TEST(open_operations, removing_what_is_not_there_is_nothing) {
    weft::open_operations open;
    scripted stranger([] { return progress::none; });
    open.remove(stranger);
    EXPECT_EQ(open.step_others(nullptr), progress::none);
}
