/// A plan: who sends how many items to whom.
#include "../live_plan.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_plan(draws& random, model const& now, operation& line) {
    if (now.plans.size() > 3) return false;
    line.set("on", random.key_of(now.groups));
    draw_sizes(random, line);
    return true;
}

void apply_plan(model& now, operation const& line) {
    if (!line.has("fault")) now.plans[line.number].on = line.id("on");
}

void run_plan_making(session& of, operation const& line) {
    live_group const group = of.group(line);
    traffic const sent(line, group.name);
    std::vector<int> destinations;
    std::vector<std::int64_t> counts;
    for (int to = group.comm.size() - 1; to >= 0; --to) // in no order
        if (auto const items = sent.items(group.comm.rank(), to)) {
            destinations.push_back(to);
            counts.push_back(static_cast<std::int64_t>(items->size()));
        }
    if (session::fails_here(line, group.comm)) {
        destinations.push_back(line.fails_by("plan_to_no_rank") ? group.comm.size() : 0);
        counts.push_back(1);
        if (line.fails_by("plan_to_a_rank_twice")) {
            destinations.push_back(0);
            counts.push_back(1);
        }
        if (line.fails_by("plan_of_negative_count")) counts.back() = -1;
        if (line.fails_by("plan_of_unequal_lengths")) counts.pop_back();
    }
    of.expect(line, group.comm, {line.has("fault") ? failure_kind::usage : failure_kind::none}, [&] {
        weft::exchange_plan made(group.comm, destinations, counts);
        std::vector<int> sources;
        for (int source = 0; source < group.comm.size(); ++source)
            if (sent.items(source, group.comm.rank())) sources.push_back(source);
        of.check(std::vector(made.sources().begin(), made.sources().end()) == sources, line,
            "the sources are wrong");
        of.plans.emplace(line.number, std::make_shared<live_plan>(live_plan{group, line, std::move(made)}));
    });
}

} // namespace

extern verb const make_plan_verb;
verb const make_plan_verb{"make_plan", 3, draw_plan, apply_plan, run_plan_making};

} // namespace random_programs
