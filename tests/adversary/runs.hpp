/// Many runs under the adversary: which, and how the one that failed is replayed.
///
/// WEFT_TEST_SCHEDULES=N makes every random test take N schedules; WEFT_TEST_SHARE=N every test a share of
/// 1/N of its own number, for programs that are slow, as with sanitizers, but not less than WEFT_TEST_FEW,
/// which is 100. A failure names the number of its run; WEFT_TEST_RUN takes that run alone, and with
/// WEFT_TEST_TRACE=1 every event of it is printed. Without a number the trace of the first run that fails is
/// printed.
///
/// The runs are the same whatever the number of ranks they are dealt out over: ctest takes all of them at one
/// number of ranks, see tests/harness/RunRanks.cmake.
#pragma once

#include "chooser.hpp"

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

namespace weft_test {

/// What the environment asks for.
struct wanted_runs {
    std::optional<std::int64_t> schedules = number("WEFT_TEST_SCHEDULES");
    std::optional<std::int64_t> only = number("WEFT_TEST_RUN");
    std::int64_t share = number("WEFT_TEST_SHARE").value_or(1);
    std::int64_t few = number("WEFT_TEST_FEW").value_or(100);
    bool traced = number("WEFT_TEST_TRACE").value_or(0) != 0;

    /// The number of runs in place of a test's own, which is left as it is where it is small.
    [[nodiscard]] std::int64_t share_of(std::int64_t runs) const {
        return runs <= few ? runs : std::max(few, runs / share);
    }
    [[nodiscard]] bool includes(std::int64_t run) const { return !only || run == *only; }

private:
    static std::optional<std::int64_t> number(char const* name) {
        char const* const text = std::getenv(name);
        return text != nullptr ? std::optional(std::strtoll(text, nullptr, 10)) : std::nullopt;
    }
};

/// The runs of one test, one after the other, until one fails.
class run_sequence {
public:
    run_sequence() {
        testing::TestInfo const* const test = testing::UnitTest::GetInstance()->current_test_info();
        replay_ = "replay: WEFT_TEST_SEED=" + std::to_string(seed()) + " WEFT_TEST_TRACE=1 WEFT_TEST_RUN=";
        filter_ = std::string(", 1 rank, --gtest_filter=") + test->test_suite_name() + "." + test->name();
    }

    /// Into the report of --gtest_output.
    ~run_sequence() { testing::Test::RecordProperty("schedules_of_this_rank", static_cast<int>(taken_)); }
    run_sequence(run_sequence const&) = delete;
    run_sequence& operator=(run_sequence const&) = delete;

    [[nodiscard]] std::int64_t taken() const noexcept { return taken_; }
    [[nodiscard]] wanted_runs const& wanted() const noexcept { return wanted_; }
    [[nodiscard]] bool failed() const { return testing::Test::HasFailure(); }

    /// Calls `body(chooser)`, whatever it throws being a failure. Runs that are not wanted alone are taken
    /// all the same where a `tree` has to get past them, but quietly.
    template <class Body>
    void take(std::int64_t run, std::uint64_t seed, choice_tree* tree, Body&& body) {
        testing::ScopedTrace const where(__FILE__, __LINE__, replay_ + std::to_string(run) + filter_);
        std::optional<run_trace> trace;
        if (wanted_.traced && wanted_.includes(run)) trace.emplace(wanted_.only.has_value());
        chooser choices(seed, tree, trace ? &*trace : nullptr);
        try {
            body(choices);
        } catch (std::exception const& thrown) { ADD_FAILURE() << thrown.what(); }
        if (trace && failed()) trace->show();
        ++taken_;
    }

private:
    wanted_runs wanted_;
    std::int64_t taken_ = 0;
    std::string replay_;
    std::string filter_;
};

/// Calls `body(chooser)` for `runs` seeds that are drawn from the seed of the test, dealt out over the ranks
/// that run it.
template <class Body>
void for_seeds(std::int64_t runs, Body&& body) {
    run_sequence sequence;
    std::uint64_t const first = random()();
    std::int64_t const end = sequence.wanted().schedules.value_or(sequence.wanted().share_of(runs));
    for (std::int64_t run = rank(); run < end && !sequence.failed(); run += size())
        if (sequence.wanted().includes(run))
            sequence.take(
                run, first + 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(run), nullptr, body);
}

/// A bounded search through all choices: `depth` consecutive choice points of a run are enumerated, and that
/// for each of `stretches` stretches of a run, its beginning first; other choices are random, from the number
/// of the stretch. At most `most` runs a stretch. Stretches are dealt out over the ranks that run the test.
struct bounded_search {
    std::size_t depth = 0;
    int stretches = 1;
    std::int64_t most = 10'000;
};

/// Calls `body(chooser)` for the runs of a search; how many there were, on this rank.
template <class Body>
std::int64_t for_choices(bounded_search const& how, Body&& body) {
    run_sequence sequence;
    for (int stretch = rank(); stretch < how.stretches; stretch += size()) {
        choice_tree tree(how.depth, static_cast<std::size_t>(stretch) * how.depth);
        std::int64_t const first = stretch * how.most;
        std::int64_t const end = first + sequence.wanted().share_of(how.most);
        auto const only = sequence.wanted().only;
        if (only && (*only < first || *only >= end)) continue;
        for (std::int64_t run = first; run < end && !sequence.failed(); ++run) {
            sequence.take(run, static_cast<std::uint64_t>(stretch) + 1, &tree, body);
            if (!tree.advance() || only == run) break;
        }
    }
    return sequence.taken();
}

} // namespace weft_test
