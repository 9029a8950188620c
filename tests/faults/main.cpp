/// Throws on one rank at the n-th opportunity of a collective call, for n = 1, 2, 3, ... until nothing is
/// thrown any more, for each rank and each call: all ranks must get an error, or the right answer, and go on.
///
/// faults [--only CALL] [--from N] [--step N] [--inside | --small] [--list] [--patience SECONDS]
/// faults --program CALL [--from N] [--rank R] [--folder FOLDER] [--patience SECONDS]: a whole program with
/// one fault in small memory, which may end a job; small_memory_test.py runs many faults --every [--only
/// CALL]... [--ranks P]... [--stride S] [--seed N] [--first] [--together N] [--from N
/// --rank R]: without a launcher, on simulated ranks; every S-th allocation fails once, each in a child of
/// its own
#include "call.hpp"
#include "every_point.hpp"
#include "whole_program.hpp"

#include <harness/all_ranks.hpp>

#include <weft/core/environment.hpp>
#include <weft/extend/observe/activity.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/mpi.hpp>
#include <weft/protocol/collectives.hpp>

#include <execinfo.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string_view>

namespace faults {

void trial::begin() {
    if (fails_) arm(n_, which_, &weft::stalls_of(comm()).operations);
}

void trial::end() {
    if (!fails_) return;
    injected_ = disarm();
    counted_ = faults::counted();
}

namespace {

struct asked {
    std::string only;
    std::int64_t from = 1;
    std::int64_t step = 1;
    std::optional<memory> which = {};
    bool list = false;
    double patience = 30;
    std::optional<program_fault> program = {};
    std::optional<every_point> every = {};
};

using weft_test::outcome;
using weft_test::thrown_kind;

class runner {
public:
    runner(weft_test::all_ranks& ranks, asked const& options) : ranks_(ranks), options_(options) {}

    /// All faults of one call. Rank 0 prints their number.
    void all_of(call const& one) {
        weft::communicator const& world = ranks_.world();
        auto const began = std::chrono::steady_clock::now();
        std::int64_t injections = 0;
        std::int64_t answers = 0;
        run(one, 0, -1, injections, answers); // what is made on first use is not the call's
        for (int failing = 0; failing < world.size(); ++failing)
            for (std::int64_t n = options_.from; run(one, n, failing, injections, answers);)
                n += options_.step;
        std::int64_t const all = weft::sum(world, injections);
        total_ += all;
        if (world.rank() == 0)
            std::printf("%-40s %6lld faults, %lld of them did no harm, %.2f s\n", one.name.c_str(),
                static_cast<long long>(all), static_cast<long long>(answers),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
        std::fflush(stdout);
    }
    [[nodiscard]] std::int64_t total() const noexcept { return total_; }

private:
    /// True if a fault was thrown.
    bool run(call const& one, std::int64_t n, int failing, std::int64_t& injections, std::int64_t& answers) {
        weft::communicator const& world = ranks_.world();
        ranks_.begin(one.name + ", fault " + std::to_string(n) + " on rank " + std::to_string(failing) +
                     " of " + std::to_string(world.size()));
        trial now(world, ranks_.folder(), n, options_.which.value_or(one.which), world.rank() == failing);
        one.run(now);
        std::vector<outcome> const all =
            ranks_.gather({.right = now.right() ? 1 : 0, .marked = now.injected() ? 1 : 0}, now.thrown());
        judge(one, all, failing, now.thrown());
        ranks_.finish(now.thrown());
        injections += now.injected() ? 1 : 0;
        bool const any = std::ranges::any_of(all, [](outcome const& each) { return each.marked != 0; });
        if (any && all.front().threw == thrown_kind::nothing) ++answers;
        return any;
    }

    void judge(
        call const& one, std::vector<outcome> const& all, int failing, std::exception_ptr const& here) {
        int const size = ranks_.world().size();
        auto const threw = std::ranges::count_if(
            all, [](outcome const& each) { return each.threw != thrown_kind::nothing; });
        bool const injected = std::ranges::any_of(all, [](outcome const& each) { return each.marked != 0; });
        if (!injected && threw > 0) ranks_.end("an error without a fault", here);
        if (threw > 0 && threw < size && one.others == told::all)
            ranks_.end("an error that only some ranks get", here);
        for (int rank = 0; threw > 0 && rank < size; ++rank)
            if (rank != failing && all[static_cast<std::size_t>(rank)].threw == thrown_kind::own)
                ranks_.end("an error of another kind", here);
        for (outcome const& each : all)
            if (each.threw == thrown_kind::nothing && each.right == 0) ranks_.end("a wrong answer", here);
    }

    weft_test::all_ranks& ranks_;
    asked const& options_;
    std::int64_t total_ = 0;
};

/// Returns true if the option belongs to the run of every point.
bool read_every(every_point& into, std::string_view name, std::function<char const*()> const& value) {
    if (name == "--only")
        into.calls.emplace_back(value());
    else if (name == "--ranks")
        into.ranks.push_back(std::atoi(value()));
    else if (name == "--stride")
        into.stride = std::atoll(value());
    else if (name == "--seed")
        into.seed = std::atoll(value());
    else if (name == "--together")
        into.together = std::atoi(value());
    else if (name == "--from")
        into.point = std::atoll(value());
    else if (name == "--rank")
        into.rank = std::atoi(value());
    else if (name == "--first")
        into.first = true;
    else
        return false;
    return true;
}

asked asked_by(int argc, char** argv) {
    asked options;
    for (int i = 1; i < argc; ++i) {
        std::string_view const name = argv[i];
        auto const value = [&] { return i + 1 < argc ? argv[++i] : ""; };
        if (name == "--every") options.every.emplace();
        if (options.every && read_every(*options.every, name, value)) continue;
        if (name == "--only") options.only = value();
        if (name == "--from") options.from = std::atoll(value());
        if (name == "--step") options.step = std::max(1LL, std::atoll(value()));
        if (name == "--patience") options.patience = std::atof(value());
        if (name == "--inside") options.which = memory::inside_of_operations;
        if (name == "--program") options.program = {.call = value()};
        if (options.program && name == "--from") options.program->n = options.from;
        if (options.program && name == "--patience")
            options.program->patience = static_cast<int>(options.patience);
        if (options.program && name == "--rank") options.program->rank = std::atoi(value());
        if (options.program && name == "--folder") options.program->folder = value();
        if (name == "--small") options.which = memory::small;
        options.list = options.list || name == "--list";
    }
    return options;
}

} // namespace

} // namespace faults

int main(int argc, char** argv) {
    using namespace faults;
    asked const options = asked_by(argc, argv);
    std::vector<call> const calls = all_calls();
    if (options.list) {
        for (call const& each : calls) std::printf("%s\n", each.name.c_str());
        return 0;
    }
    std::array<void*, 4> warm;
    backtrace(warm.data(), 4); // it allocates when it is called first
    if (options.program) return run_program(argc, argv, *options.program);
    if (options.every) return run_every_point(*options.every);
    std::chrono::duration<double> const patience(options.patience);
    weft_test::watchdog dog{patience};
    weft::environment const environment{argc, argv};
    weft::communicator const world = environment.world();
    weft::activity const& activity = weft::activity_of(world);
    dog.set_rank(world.rank(), world.size());
    dog.set_default_source([&] { return weft_test::place{activity.current(), activity.advances()}; });
    weft_test::all_ranks ranks(world, dog, patience, [] {
        if (faults::counted() > 0) print_last_place();
    });
    runner all(ranks, options);
    for (call const& each : calls)
        if (options.only.empty() || each.name == options.only) all.all_of(each);
    dog.set_default_source({}); // the activity ends with the environment
    if (world.rank() == 0)
        std::printf("%lld faults at %d ranks\n", static_cast<long long>(all.total()), world.size());
    return 0;
}
