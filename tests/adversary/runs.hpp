/// Selects runs under the adversary, and replays failing ones.
///
/// WEFT_TEST_SCHEDULES=N makes every random test run N schedules. WEFT_TEST_SHARE=N makes every test run
/// 1/N of its own number, for slow programs, as with sanitizers, but at least WEFT_TEST_FEW, which is
/// 100. A failure prints the number of its run; WEFT_TEST_RUN selects that run only, and
/// WEFT_TEST_TRACE=1 prints all its events. Without a number, the trace of the first failing run is
/// printed.
///
/// The runs are the same for any number of ranks over which they are distributed: ctest runs all of them at
/// one number of ranks, see tests/harness/RunRanks.cmake.
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

/// The requests of the environment.
struct wanted_runs {
    std::optional<std::int64_t> schedules = number("WEFT_TEST_SCHEDULES");
    std::optional<std::int64_t> only = number("WEFT_TEST_RUN");
    std::int64_t share = number("WEFT_TEST_SHARE").value_or(1);
    std::int64_t few = number("WEFT_TEST_FEW").value_or(100);
    bool traced = number("WEFT_TEST_TRACE").value_or(0) != 0;

    /// Returns the number of runs instead of `runs`; small numbers are not changed.
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

/// The runs of one test, in sequence, until one fails.
class run_sequence {
public:
    run_sequence() {
        testing::TestInfo const* const test = testing::UnitTest::GetInstance()->current_test_info();
        replay_ = "replay: WEFT_TEST_SEED=" + std::to_string(seed()) + " WEFT_TEST_TRACE=1 WEFT_TEST_RUN=";
        filter_ = std::string(", 1 rank, --gtest_filter=") + test->test_suite_name() + "." + test->name();
    }

    /// Adds the number of runs to the report of --gtest_output.
    ~run_sequence() { testing::Test::RecordProperty("schedules_of_this_rank", static_cast<int>(taken_)); }
    run_sequence(run_sequence const&) = delete;
    run_sequence& operator=(run_sequence const&) = delete;

    [[nodiscard]] std::int64_t taken() const noexcept { return taken_; }
    [[nodiscard]] wanted_runs const& wanted() const noexcept { return wanted_; }
    [[nodiscard]] bool failed() const { return testing::Test::HasFailure(); }

    /// Calls `body(chooser)`; any exception is a failure. Runs that are not selected are made silently if a
    /// `tree` must advance past them.
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

/// Calls `body(chooser)` for `runs` seeds drawn from the seed of the test, distributed over the ranks that
/// run it.
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

/// A bounded search through choices: `depth` consecutive choice points of a run are enumerated, for each of
/// `stretches` stretches of a run, its beginning first; other choices are random, from the number of the
/// stretch. At most `most` runs for each stretch. Stretches are distributed over the ranks that run the test.
struct bounded_search {
    std::size_t depth = 0;
    int stretches = 1;
    std::int64_t most = 10'000;
};

/// Calls `body(chooser)` for the runs of a search; returns their number on this rank.
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
