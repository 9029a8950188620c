/// Runs of a plan or of its inverse, at once or between places that are bound.
#include "../live_plan.hpp"
#include "../verb.hpp"

#include <algorithm>

namespace random_programs {

namespace {

bool draw_run(draws& random, model const& now, operation& line) {
    if (now.plans.empty()) return false;
    line.set("plan", random.key_of(now.plans));
    line.set("inverse", random.below(2));
    line.set("runs", random.below(4)); // 0: not bound
    return true;
}

/// The items between a source and a destination, as often as the plan says.
std::vector<number> items_between(operation const& line, live_plan const& plan, int source, int destination) {
    bool const inverse = line.value("inverse") != 0;
    auto made =
        inverse ? traffic_of(plan).some(destination, source) : traffic_of(plan).some(source, destination);
    for (number& each : made) each = mixed({each, line.seed(), static_cast<number>(line.number)});
    return made;
}

void run_plan_once_more(session& of, operation const& line) {
    live_plan const& live = *of.plans.at(line.id("plan"));
    int const rank = live.group.comm.rank();
    weft::exchange_plan const plan = line.value("inverse") != 0 ? live.plan.inverse() : live.plan;
    std::vector<number> out;
    for (int const to : plan.destinations())
        for (number const each : items_between(line, live, rank, to)) out.push_back(each);
    std::vector<number> expected;
    for (int const source : plan.sources())
        for (number const each : items_between(line, live, source, rank)) expected.push_back(each);
    std::vector<number> in(static_cast<std::size_t>(plan.incoming_items()), 0);
    of.check(in.size() == expected.size(), line, "the plan has other lengths");
    if (line.fails_by("run_of_other_length")) {
        bool const fails = session::fails_here(line, live.group.comm);
        bool const told =
            std::ranges::count(plan.sources(), session::failing_rank(line, live.group.comm)) > 0;
        if (fails) out.push_back(0);
        of.expect(line, live.group.comm, {fails || told ? failure_kind::usage : failure_kind::none},
            [&] { plan.exchange<number>(out, in); });
        return;
    }
    if (line.value("runs") == 0) {
        plan.exchange<number>(out, in);
        of.check(in == expected, line, "the items are wrong");
        return;
    }
    weft::planned_exchange bound = plan.bind<number>(out, in);
    for (std::int64_t run = 0; run < line.value("runs"); ++run) {
        std::fill(in.begin(), in.end(), 0);
        bound.start();
        for (int i = 0; i < 2; ++i) (void)bound.test();
        bound.wait();
        of.check(in == expected, line, "the items of run " + std::to_string(run) + " are wrong");
    }
}

} // namespace

extern verb const run_plan_verb;
verb const run_plan_verb{"run_plan", 5, draw_run, nullptr, run_plan_once_more};

} // namespace random_programs
