/// The small collectives on integers.
#include "../session.hpp"
#include "../verb.hpp"

#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <numeric>

namespace random_programs {

namespace {

bool draw_collective(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    line.set("what", random.one_of({"sum", "max", "min", "all_gather", "exclusive_sum"}));
    return true;
}

void run_collective(session& of, operation const& line) {
    live_group const& group = of.group(line);
    weft::communicator const& comm = group.comm;
    std::vector<std::int64_t> values;
    for (int rank = 0; rank < comm.size(); ++rank)
        values.push_back(static_cast<std::int64_t>(
            mixed({line.seed(), group.name, static_cast<std::uint64_t>(rank)}) >> 8));
    auto const at = values.begin() + comm.rank();
    std::int64_t const before = std::accumulate(values.begin(), at, std::int64_t{0});
    std::int64_t const total = std::accumulate(at, values.end(), before);
    std::string const what = line.text("what");
    bool right = true;
    if (what == "sum") {
        right = weft::sum(comm, *at) == total;
    } else if (what == "max") {
        right = weft::max(comm, *at) == *std::max_element(values.begin(), values.end());
    } else if (what == "min") {
        right = weft::min(comm, *at) == *std::min_element(values.begin(), values.end());
    } else if (what == "all_gather") {
        right = weft::all_gather(comm, *at) == values;
    } else {
        weft::prefix const got = weft::exclusive_sum(comm, *at);
        right = got.before == before && got.total == total;
    }
    of.check(right, line, "the result is wrong");
}

} // namespace

extern verb const collectives_verb;
verb const collectives_verb{"collective", 4, draw_collective, nullptr, run_collective};

} // namespace random_programs
