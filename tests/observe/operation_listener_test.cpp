#include <weft/extend/observe/operation_listener.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

using weft_test::world;

namespace {

/// Writes down what it is told, and listens while it lives.
class notebook final : public weft::operation_listener {
public:
    notebook() { listen_to_operations(*this); }
    ~notebook() { stop_listening(*this); }

    void began(weft::operation_event const& what) noexcept override { note("+", what); }
    void ended(weft::operation_event const& what) noexcept override { note("-", what); }

    std::vector<std::string> lines;

private:
    void note(char const* sign, weft::operation_event const& what) noexcept {
        std::string const within = what.within != nullptr ? " in " + std::string(what.within) : "";
        lines.push_back(sign + std::string(what.name) + within);
    }
};

/// An engine that throws in its first step.
class broken final : public weft::engine {
public:
    [[nodiscard]] weft::progress step() override { throw std::runtime_error("broken"); }
};

using lines = std::vector<std::string>;

} // namespace

TEST(operation_listener, hears_of_the_begin_and_the_end) {
    (void)weft::sum(world(), 1);
    notebook const heard;
    (void)weft::sum(world(), 1);
    EXPECT_EQ(heard.lines, (lines{"+combine_all", "-combine_all"}));
}

TEST(operation_listener, hears_in_which_call_an_operation_lies) {
    notebook const heard;
    weft::in_operation(world(), "a call of several", [] { (void)weft::sum(world(), 1); });
    EXPECT_EQ(heard.lines, (lines{"+combine_all in a call of several", "-combine_all in a call of several"}));
}

TEST(operation_listener, hears_of_the_end_of_one_that_throws) {
    notebook const heard;
    broken what;
    EXPECT_THROW(weft::complete(world(), what, "a broken one"), std::runtime_error);
    EXPECT_EQ(heard.lines, (lines{"+a broken one", "-a broken one"}));
}

TEST(operation_listener, hears_nothing_while_all_are_paused) {
    notebook const heard;
    weft::pause_listeners(true);
    (void)weft::sum(world(), 1);
    EXPECT_EQ(heard.lines, lines{});
    weft::pause_listeners(false);
    (void)weft::sum(world(), 1);
    EXPECT_EQ(heard.lines.size(), 2u);
}

TEST(operation_listener, is_one_of_at_most_eight) {
    std::array<notebook, 8> all;
    notebook* const first = all.data();
    EXPECT_THROW(notebook(), weft::usage_error);
    EXPECT_THROW(weft::listen_to_operations(*first), weft::usage_error);
    (void)weft::sum(world(), 1);
    for (notebook const& each : all) EXPECT_EQ(each.lines.size(), 2u);
}
