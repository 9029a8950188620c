/// Calls each collective function with each of its arguments wrong, on each rank alone and on all: all ranks
/// must get an error, or an answer, and go on. An argument that must be equal on all ranks and is not is an
/// error.
///
/// arguments [--only CALL] [--list] [--patience SECONDS]
#include "trial.hpp"

#include <harness/all_ranks.hpp>

#include <weft/core/environment.hpp>
#include <weft/extend/observe/activity.hpp>
#include <weft/mpi.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace arguments {

namespace {

using weft_test::outcome;
using weft_test::thrown_kind;

class runner {
public:
    explicit runner(weft_test::all_ranks& ranks) : ranks_(ranks) {}

    void all_of(call const& one) {
        trial usual(ranks_.world(), ranks_.folder(), -1, 0);
        ranks_.begin(one.name);
        one.run(usual);
        if (usual.thrown()) ranks_.end("an error of arguments that are right", usual.thrown());
        (void)ranks_.gather({}, usual.thrown());
        ranks_.finish(usual.thrown());
        std::int64_t const before = runs_;
        int const size = ranks_.world().size();
        for (std::size_t i = 0; i < usual.found().size(); ++i) {
            argument const& each = usual.found()[i];
            std::int64_t const values =
                weft::max(ranks_.world(), static_cast<std::int64_t>(each.wrong_values));
            for (std::size_t value = 0; value < static_cast<std::size_t>(values); ++value)
                for (int wrong = each.kind == contract::trusted ? size : 0; wrong <= size; ++wrong)
                    run(one, each, i, value, wrong);
        }
        if (ranks_.world().rank() == 0)
            std::printf("%-40s %5lld wrong arguments, %lld errors\n", one.name.c_str(),
                static_cast<long long>(runs_ - before), static_cast<long long>(std::exchange(errors_, 0)));
        std::fflush(stdout);
    }
    [[nodiscard]] std::int64_t runs() const noexcept { return runs_; }
    [[nodiscard]] bool is_right() const noexcept { return is_right_; }

private:
    /// `wrong` is the rank whose argument it is; all where it is the number of ranks.
    void run(call const& one, argument const& which, std::size_t i, std::size_t value, int wrong) {
        int const size = ranks_.world().size();
        bool const on_all = wrong == size;
        ranks_.begin(one.name + ", " + which.name + ", wrong value " + std::to_string(value) + " on " +
                     (on_all ? "all ranks" : "rank " + std::to_string(wrong)) + " of " +
                     std::to_string(size));
        bool const here = on_all || wrong == ranks_.world().rank();
        trial now(ranks_.world(), ranks_.folder(), here ? static_cast<std::int64_t>(i) : -1, value);
        one.run(now);
        std::vector<outcome> const all = ranks_.gather({}, now.thrown());
        auto const threw = std::ranges::count_if(
            all, [](outcome const& each) { return each.threw != thrown_kind::nothing; });
        if (threw > 0 && threw < size && one.others == told::all)
            complain("an error that only some ranks get", now.thrown());
        if (threw == 0 && which.kind == contract::equal && !on_all && size > 1)
            complain("a difference that is not told", now.thrown());
        ranks_.finish(now.thrown());
        ++runs_;
        errors_ += threw > 0 ? 1 : 0;
    }

    /// The next run can go on.
    void complain(char const* what, std::exception_ptr const& thrown) {
        ranks_.say(what, thrown);
        is_right_ = false;
    }

    weft_test::all_ranks& ranks_;
    bool is_right_ = true;
    std::int64_t runs_ = 0;
    std::int64_t errors_ = 0;
};

std::vector<call> all_calls() {
    std::vector<call> all;
    for (auto const& some : {collective_calls(), container_calls(), block_calls(), frame_calls(),
             graph_calls(), file_calls(), volume_calls(), particle_calls()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace

} // namespace arguments

int main(int argc, char** argv) {
    using namespace arguments;
    std::string_view only;
    std::chrono::duration<double> patience(30);
    for (int i = 1; i < argc; ++i) {
        std::string_view const name = argv[i];
        if (name == "--only" && i + 1 < argc) only = argv[++i];
        if (name == "--patience" && i + 1 < argc)
            patience = std::chrono::duration<double>(std::atof(argv[++i]));
        if (name == "--list") {
            for (call const& each : all_calls()) std::printf("%s\n", each.name.c_str());
            return 0;
        }
    }
    weft_test::watchdog dog{patience};
    weft::environment const environment{argc, argv};
    weft::communicator const world = environment.world();
    weft::activity const& activity = weft::activity_of(world);
    dog.set_rank(world.rank(), world.size());
    dog.set_default_source([&] { return weft_test::place{activity.current(), activity.advances()}; });
    bool is_right = true;
    {
        weft_test::all_ranks ranks(world, dog, patience);
        runner each(ranks);
        for (call const& one : all_calls())
            if (only.empty() || one.name == only) each.all_of(one);
        if (world.rank() == 0)
            std::printf(
                "%lld wrong arguments at %d ranks\n", static_cast<long long>(each.runs()), world.size());
        is_right = each.is_right();
    }
    dog.set_default_source({}); // the activity ends with the environment
    return is_right ? 0 : 1;
}
