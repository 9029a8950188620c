/// Reductions, scans, gathers and broadcasts of values and arrays of ranks.
#include "../folded.hpp"
#include "../session.hpp"
#include "../verb.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/protocol/collectives.hpp>

#include <span>

namespace random_programs {

namespace {

bool draw_ranks(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    std::string const what = random.one_of({"all_reduce", "reduce", "scan", "broadcast", "all_gatherv",
        "all_reduce_array", "reduce_array", "reduce_scatter", "broadcast_array"});
    line.set("what", what);
    line.set("type", random.one_of({"number", "text"}));
    line.set("root", random.below(24));
    line.set("elements", line.has("fault") ? 1 + random.below(9) : random.one_of({0, 1, 7, 500}));
    bool const gives = what == "broadcast" || what == "broadcast_array" || what == "all_gatherv";
    if (line.fails_by("operator_of_ranks_throws")) return !gives;
    if (line.fails_by("value_of_ranks_does_not_decode")) return what == "broadcast" || what == "all_gatherv";
    return !line.fails_by("root_is_no_rank") || what.starts_with("broadcast") || what == "reduce" ||
           what == "reduce_array";
}

/// What all ranks give, and what a call must make of it.
template <class T>
struct rank_values {
    rank_values(session& session_of, operation const& of_line, live_group const& group)
        : of(session_of), line(of_line), comm(group.comm), name(group.name) {
        root = static_cast<int>(line.value("root") % comm.size());
        for (int rank = 0; rank < comm.size(); ++rank) all.push_back(value(rank));
    }

    [[nodiscard]] T value(int rank, std::size_t i = 0) const {
        return item_of<T>(mixed({line.seed(), name, static_cast<number>(rank), i}));
    }
    [[nodiscard]] int given_root() const { return line.fails_by("root_is_no_rank") ? comm.size() : root; }
    [[nodiscard]] auto joining() const {
        return [this](T const& a, T const& b) {
            if (line.fails_by("operator_of_ranks_throws")) throw planned_fault(fault_text(line));
            return folded(a, b);
        };
    }
    [[nodiscard]] std::vector<T> list(int rank) const {
        std::vector<T> made;
        for (std::size_t i = mixed({line.seed(), static_cast<number>(rank)}) % 5; i > 0; --i)
            made.push_back(value(rank, i));
        return made;
    }

    void run_values(std::string const& what) const {
        auto const me = static_cast<std::size_t>(comm.rank());
        if (what == "all_reduce") {
            check(weft::all_reduce(comm, all[me], joining()) == folded(all, 0, all.size()));
        } else if (what == "reduce") {
            std::optional<T> const got = weft::reduce(comm, all[me], joining(), given_root());
            check(got.has_value() == (comm.rank() == root));
            check(!got || *got == folded(all, 0, all.size()));
        } else if (what == "scan") {
            check(weft::scan(comm, all[me], joining()) == folded(all, 0, me + 1));
        } else if (what == "broadcast") {
            check(weft::broadcast(comm, all[me], given_root()) == all[static_cast<std::size_t>(root)]);
        } else {
            std::vector<T> expected;
            for (int rank = 0; rank < comm.size(); ++rank)
                for (T const& each : list(rank)) expected.push_back(each);
            check(weft::all_gatherv(comm, list(comm.rank())) == expected);
        }
    }

    void run_arrays(std::string const& what) const {
        auto const elements = static_cast<std::size_t>(line.value("elements"));
        std::vector<T> data;
        std::vector<T> expected;
        for (std::size_t i = 0; i < elements; ++i) {
            data.push_back(value(comm.rank(), i));
            std::vector<T> of_ranks;
            for (int rank = 0; rank < comm.size(); ++rank) of_ranks.push_back(value(rank, i));
            expected.push_back(what == "broadcast_array" ? of_ranks[static_cast<std::size_t>(root)]
                                                         : folded(of_ranks, 0, of_ranks.size()));
        }
        std::span<T> const mine(data);
        if (what == "reduce_scatter") {
            std::span<T> const share = weft::reduce_scatter(comm, mine, joining());
            for (std::size_t i = 0; i < share.size(); ++i)
                check(share[i] == expected[static_cast<std::size_t>(share.data() - data.data()) + i]);
            check(weft::sum(comm, std::ssize(share)) == line.value("elements"));
            return;
        }
        if (what == "all_reduce_array") weft::all_reduce(comm, mine, joining());
        if (what == "reduce_array") weft::reduce(comm, mine, joining(), given_root());
        if (what == "broadcast_array") weft::broadcast(comm, mine, given_root());
        check(data == expected || (what == "reduce_array" && comm.rank() != root));
    }

    void check(bool right) const { of.check(right, line, "the result is wrong"); }

    session& of;
    operation const& line;
    weft::communicator const& comm;
    number name;
    int root = 0;
    std::vector<T> all;
};

/// Values that do not decode where they come to.
void run_brittle(session& of, operation const& line, weft::communicator const& comm) {
    int const failing = session::failing_rank(line, comm);
    brittle const mine{line.seed(), comm.rank() == failing ? line.number : 0};
    if (line.text("what") == "broadcast") {
        brittle const got = weft::broadcast(comm, mine, failing);
        of.check(got.value == line.seed(), line, "the value is wrong");
    } else {
        auto const got = weft::all_gatherv(comm, std::vector<brittle>{mine});
        of.check(std::ssize(got) == comm.size(), line, "values are missing");
    }
}

void run_ranks(session& of, operation const& line) {
    live_group const& group = of.group(line);
    std::string const what = line.text("what");
    ending how;
    if (line.fails_by("root_is_no_rank"))
        how = {failure_kind::usage};
    else if (line.has("fault") && group.comm.size() > 1)
        how = {failure_kind::planned};
    of.expect(line, group.comm, how, [&] {
        if (line.fails_by("value_of_ranks_does_not_decode"))
            run_brittle(of, line, group.comm);
        else if (what.ends_with("_array") || what == "reduce_scatter")
            rank_values<affine>(of, line, group).run_arrays(what);
        else if (line.text("type") == "text")
            rank_values<std::string>(of, line, group).run_values(what);
        else
            rank_values<affine>(of, line, group).run_values(what);
    });
}

} // namespace

extern verb const fold_ranks_verb;
verb const fold_ranks_verb{"fold_ranks", 6, draw_ranks, nullptr, run_ranks};

} // namespace random_programs
