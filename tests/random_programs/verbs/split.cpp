/// A communicator split by colors: each rank is in one of the parts.
#include "../session.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_split(draws& random, model const& now, operation& line) {
    if (now.groups.size() > 6) return false;
    line.set("on", random.key_of(now.groups));
    line.set("colors", 1 + random.below(3));
    return true;
}

void apply_split(model& now, operation const& line) {
    if (!line.has("fault")) now.groups[line.number];
}

void run_split(session& of, operation const& line) {
    live_group const parent = of.group(line);
    auto const drawn = [&](int rank) {
        return mixed({line.seed(), parent.name, static_cast<std::uint64_t>(rank)});
    };
    auto const color = [&](int rank) {
        return static_cast<int>(drawn(rank) % static_cast<std::uint64_t>(line.value("colors")));
    };
    auto const key = [&](int rank) { return static_cast<int>(drawn(rank) / 64 % 5); };
    int const mine = parent.comm.rank();
    of.expect(line, parent.comm, {line.has("fault") ? failure_kind::usage : failure_kind::none}, [&] {
        bool const fails = session::fails_here(line, parent.comm);
        weft::communicator const made = parent.comm.split(fails ? -2 : color(mine), key(mine));
        int members = 0;
        int before = 0;
        for (int rank = 0; rank < parent.comm.size(); ++rank) {
            if (color(rank) != color(mine)) continue;
            ++members;
            before += std::pair(key(rank), rank) < std::pair(key(mine), mine) ? 1 : 0;
        }
        of.check(made.size() == members && made.rank() == before, line,
            "is rank " + std::to_string(made.rank()) + " of " + std::to_string(made.size()));
        of.groups.emplace(
            line.number, live_group{made, mixed({parent.name, static_cast<std::uint64_t>(line.number),
                                              static_cast<std::uint64_t>(color(mine))})});
    });
}

} // namespace

extern verb const split_verb;
verb const split_verb{"split", 3, draw_split, apply_split, run_split};

} // namespace random_programs
