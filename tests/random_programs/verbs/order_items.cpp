/// Items of all ranks in the order of their keys, and numbers for them.
#include "../live_frame.hpp"
#include "../verb.hpp"

#include <weft/frames/numbering.hpp>
#include <weft/frames/sort_by_key.hpp>
#include <weft/protocol/collectives.hpp>

#include <utility>

namespace random_programs {

namespace {

bool draw_order(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    line.set("what", random.one_of({"sort", "sort", "sort_keys", "number"}));
    line.set("most", random.one_of({1, 10, 300}));
    line.set("tolerance", random.one_of({0, 5, 100})); // per cent
    if (line.fails_by("tolerances_differ")) return line.text("what") != "number";
    return !line.fails_by("more_values_than_keys") || line.text("what") == "sort";
}

using item = std::pair<weft::global_id, std::int64_t>;

/// Whether a run stands in a row of all items.
template <class Items, class Row>
bool stands_in(Items const& run, Row const& row) {
    if (run.empty()) return true;
    // Equal keys do not lie on two ranks: the first item says where the run begins.
    auto const begin = std::ranges::lower_bound(row, run.front());
    return row.end() - begin >= std::ssize(run) && std::equal(run.begin(), run.end(), begin);
}

void run_order(session& of, operation const& line) {
    live_group const& group = of.group(line);
    weft::communicator const& comm = group.comm;
    drawn_frames const drawn(line, group);
    bool const fails = session::fails_here(line, comm);
    std::string const what = line.text("what");
    double tolerance = static_cast<double>(line.value("tolerance")) / 100;
    ids mine = drawn.ids_of(comm.rank());
    if (fails && line.fails_by("negative_key")) mine.push_back(-3);
    if (fails && line.fails_by("tolerances_differ")) tolerance += 0.25;
    bool const alone = line.fails_by("tolerances_differ") && comm.size() == 1;

    std::vector<item> all;
    std::vector<std::int64_t> values;
    for (std::size_t rank = 0; rank < drawn.of_rank.size(); ++rank)
        for (weft::global_id const key : drawn.of_rank[rank]) {
            if (static_cast<int>(rank) == comm.rank()) values.push_back(std::ssize(all));
            all.emplace_back(key, std::ssize(all));
        }
    std::ranges::sort(all); // their numbers keep the order of ranks
    while (values.size() < mine.size()) values.push_back(0);
    if (fails && line.fails_by("more_values_than_keys")) values.push_back(0);
    ids keys;
    for (item const& each : all) keys.push_back(each.first);

    of.expect(line, comm, {line.has("fault") && !alone ? failure_kind::usage : failure_kind::none}, [&] {
        auto const parts = drawn.parts(comm.rank(), mine);
        if (what == "sort") {
            auto const got = weft::sort_by_key(comm, parts, drawn.parts(comm.rank(), values), tolerance);
            std::vector<item> run;
            for (std::size_t i = 0; i < got.keys.size(); ++i) run.emplace_back(got.keys[i], got.values[i]);
            of.check(stands_in(run, all), line, "the items are in another order");
            of.check(weft::sum(comm, std::ssize(run)) == std::ssize(all), line, "items are missing");
        } else if (what == "sort_keys") {
            ids const got = weft::sort_keys(comm, parts, tolerance);
            of.check(stands_in(got, keys), line, "the keys are in another order");
            of.check(weft::sum(comm, std::ssize(got)) == std::ssize(all), line, "keys are missing");
        } else {
            weft::global_numbers const got = weft::number_ids(comm, parts);
            auto const twice = std::ranges::unique(keys);
            keys.erase(twice.begin(), twice.end());
            ids expected;
            for (weft::global_id const id : mine)
                expected.push_back(std::ranges::lower_bound(keys, id) - keys.begin());
            of.check(got.count == std::ssize(keys), line, "the number of ids is wrong");
            of.check(got.numbers == expected, line, "the numbers are wrong");
        }
    });
}

} // namespace

extern verb const order_items_verb;
verb const order_items_verb{"order_items", 3, draw_order, nullptr, run_order};

} // namespace random_programs
