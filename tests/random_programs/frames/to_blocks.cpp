/// Values of parts to the blocks of their ids, and back.
#include "../live_frame.hpp"

#include <weft/frames/part_to_block.hpp>

#include <map>
#include <utility>

namespace random_programs {

namespace {

weft::part_to_block to_blocks_plan(
    live_group const& group, operation const& line, drawn_frames const& drawn) {
    weft::communicator const& comm = group.comm;
    ids mine = drawn.ids_of(comm.rank());
    if (line.fails_by("id_outside") && session::fails_here(line, comm)) mine.push_back(-1);
    return {comm, blocks_of(line, comm, drawn.bounds), drawn.parts(comm.rank(), mine),
        {.transfer = transfer_of(line)}};
}

struct to_blocks_frame final : live_frame {
    to_blocks_frame(live_group const& on, operation const& line)
        : live_frame(on, line), plan(to_blocks_plan(on, line, drawn)) {
        for (std::size_t rank = 0; rank < drawn.of_rank.size(); ++rank)
            for (std::size_t item = 0; item < drawn.of_rank[rank].size(); ++item) {
                weft::global_id const id = drawn.of_rank[rank][item];
                if (drawn.owner(id) != group.comm.rank()) continue;
                arrivals.emplace_back(rank + 1, item);
                of_ids[id].emplace_back(rank + 1, item);
            }
    }

    void run(session& of, operation const& line) override {
        frame_run const now(line, group.comm);
        std::string const way = line.text("way");
        if (line.fails_by("value_of_frame_does_not_decode"))
            keep_brittle(of, now);
        else if (way == "lists" || way == "lists_back")
            of.expect(line, group.comm, now.how(),
                [&] { way == "lists" ? move_lists(of, now) : move_lists_back(of, now); });
        else if (line.text("type") == "text")
            run_typed<std::string>(of, now);
        else
            run_typed<number>(of, now);
    }

private:
    using place = std::pair<number, number>; // a rank, counted from 1, and an item

    [[nodiscard]] number me() const { return static_cast<number>(group.comm.rank()) + 1; }
    [[nodiscard]] ids const& mine() const { return drawn.ids_of(group.comm.rank()); }
    template <class T>
    static void add(std::vector<T>& to, frame_run const& now, place const& from) {
        for (std::size_t i = 0; i < now.stride; ++i) to.push_back(now.value<T>(from.first, from.second, i));
    }

    template <class T>
    void run_typed(session& of, frame_run const& now) {
        std::string const way = now.line.text("way");
        bool const throws = now.line.fails_by("operator_of_frame_throws");
        ending how = now.how();
        if (throws) how = any_twice() ? ending{failure_kind::planned} : ending{};
        of.expect(now.line, group.comm, how, [&] {
            std::vector<T> const values = now.values<T>(me(), mine().size());
            weft::parts_view<T> const parts = drawn.parts(group.comm.rank(), values, now.given_stride());
            std::size_t const stride = now.given_stride();
            std::vector<T> got;
            std::vector<T> expected;
            if (way == "keep") {
                got = plan.keep(parts, stride);
                for (place const& each : arrivals) add(expected, now, each);
            } else if (way == "merge") {
                got = plan.merge(parts, stride).values;
                for (auto const& [id, places] : of_ids)
                    for (place const& each : places) add(expected, now, each);
            } else if (way == "lowest") {
                got = plan.lowest(parts, stride);
                for (auto const& [id, places] : of_ids) add(expected, now, places.front());
            } else if (way == "reduce") {
                got = plan.reduce(
                    parts,
                    [&](T const& a, T const& b) {
                        if (throws) throw planned_fault(fault_text(now.line));
                        return frame_run::joined(a, b);
                    },
                    stride);
                for (auto const& [id, places] : of_ids)
                    for (std::size_t i = 0; i < now.stride; ++i) {
                        T sum = now.value<T>(places.front().first, places.front().second, i);
                        for (std::size_t next = 1; next < places.size(); ++next)
                            sum = frame_run::joined(
                                sum, now.value<T>(places[next].first, places[next].second, i));
                        expected.push_back(sum);
                    }
            } else {
                bring_back(now, way == "back_kept", got, expected);
            }
            of.check(got == expected, now.line, "the values are wrong");
        });
    }

    /// Values of ids, or of arrivals, to all that have sent for them.
    template <class T>
    void bring_back(frame_run const& now, bool kept, std::vector<T>& got, std::vector<T>& expected) const {
        std::vector<T> given;
        if (kept)
            for (place const& each : arrivals)
                for (std::size_t i = 0; i < now.given_stride(); ++i)
                    given.push_back(now.value<T>(each.first, each.second, i));
        else
            for (auto const& [id, places] : of_ids)
                for (std::size_t i = 0; i < now.given_stride(); ++i)
                    given.push_back(now.value<T>(0, static_cast<number>(id), i));
        if (now.fails && now.line.fails_by("array_of_wrong_length")) given.push_back(item_of<T>(0));
        got = kept ? plan.reverse_kept(given, now.given_stride()) : plan.reverse(given, now.given_stride());
        for (std::size_t item = 0; item < mine().size(); ++item)
            add(expected, now, kept ? place{me(), item} : place{0, static_cast<number>(mine()[item])});
    }

    void move_lists(session const& of, frame_run const& now) const {
        weft::ragged<number> const mine_all = now.lists(me(), mine().size());
        weft::ragged<number> expected;
        weft::ragged<number> got;
        if (now.line.seed() % 3 == 0) {
            got = plan.keep(mine_all);
            for (place const& each : arrivals) frame_run::add(expected, now.list(each.first, each.second));
        } else if (now.line.seed() % 3 == 1) {
            got = plan.lowest(mine_all);
            for (auto const& [id, places] : of_ids)
                frame_run::add(expected, now.list(places.front().first, places.front().second));
        } else {
            got = plan.merge(mine_all);
            for (auto const& [id, places] : of_ids) {
                std::vector<number> all;
                for (place const& each : places)
                    for (number const value : now.list(each.first, each.second)) all.push_back(value);
                frame_run::add(expected, all);
            }
        }
        of.check(got == expected, now.line, "the lists are wrong");
    }
    void move_lists_back(session const& of, frame_run const& now) const {
        weft::ragged<number> given;
        for (auto const& [id, places] : of_ids) frame_run::add(given, now.list(0, static_cast<number>(id)));
        if (now.fails && now.line.fails_by("offsets_outside")) given.offsets.back() += 5;
        weft::ragged<number> const got = plan.reverse(given);
        weft::ragged<number> expected;
        for (weft::global_id const id : mine())
            frame_run::add(expected, now.list(0, static_cast<number>(id)));
        of.check(got == expected, now.line, "the lists of the parts are wrong");
    }

    /// The first value of a rank does not decode on the rank to which it goes.
    void keep_brittle(session& of, frame_run const& now) const {
        int const failing = session::failing_rank(now.line, group.comm);
        ids const& theirs = drawn.ids_of(failing);
        std::vector<brittle> values = now.values<brittle>(me(), mine().size());
        if (now.fails && !values.empty()) values.front().poison = now.line.number;
        ending const how = theirs.empty() ? ending{} : ending{failure_kind::planned, drawn.owner(theirs[0])};
        of.expect(now.line, group.comm, how, [&] {
            std::vector<brittle> const got = plan.keep(values, now.stride);
            std::vector<brittle> expected;
            for (place const& each : arrivals) add(expected, now, each);
            of.check(got == expected, now.line, "the values are wrong");
        });
    }

    /// Whether an id of any rank's block has come twice.
    [[nodiscard]] bool any_twice() const {
        ids all;
        for (ids const& each : drawn.of_rank) all.insert(all.end(), each.begin(), each.end());
        std::ranges::sort(all);
        return std::ranges::adjacent_find(all) != all.end();
    }

    weft::part_to_block const plan;
    std::vector<place> arrivals;
    std::map<weft::global_id, std::vector<place>> of_ids;
};

} // namespace

extern frame_kind const to_blocks_kind;
frame_kind const to_blocks_kind{"part_to_block",
    {"keep", "merge", "reduce", "lowest", "lists", "back", "back_kept", "lists_back"},
    {"id_outside", "distributions_differ"},
    {"array_of_wrong_length", "strides_differ", "stride_of_0", "offsets_outside", "operator_of_frame_throws",
        "value_of_frame_does_not_decode"},
    [](live_group const& group, operation const& line) -> std::shared_ptr<live_frame> {
        return std::make_shared<to_blocks_frame>(group, line);
    }};

} // namespace random_programs
