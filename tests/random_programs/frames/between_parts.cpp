/// Values of parts to other parts that have the same ids, or that links name.
#include "../live_frame.hpp"

#include <weft/frames/part_to_part.hpp>

#include <tuple>

namespace random_programs {

namespace {

/// A link between an item of one rank and one of another.
struct drawn_link {
    int rank = 0;
    std::int64_t item = 0;
    int to = 0;
    std::int64_t target = 0;
};

/// All links of all ranks, those of a source item in their order.
std::vector<drawn_link> links_of(operation const& line, live_group const& group, drawn_frames const& sources,
    drawn_frames const& targets) {
    std::vector<drawn_link> made;
    for (int rank = 0; rank < group.comm.size(); ++rank)
        for (std::size_t item = 0; item < sources.ids_of(rank).size(); ++item) {
            number const drawn = mixed({line.seed(), static_cast<number>(rank), item});
            for (int to = 0; to < group.comm.size(); ++to)
                for (std::size_t target = 0; target < targets.ids_of(to).size(); ++target) {
                    bool const linked = line.value("by_links") != 0
                                            ? mixed({drawn, static_cast<number>(to), target}) % 7 == 0
                                            : sources.ids_of(rank)[item] == targets.ids_of(to)[target];
                    if (linked)
                        made.push_back(
                            {rank, static_cast<std::int64_t>(item), to, static_cast<std::int64_t>(target)});
                }
        }
    return made;
}

weft::part_to_part links_plan(live_group const& group, operation const& line, drawn_frames const& sources,
    drawn_frames const& targets, std::vector<drawn_link> const& links) {
    weft::communicator const& comm = group.comm;
    bool const fails = line.fails_by("id_outside") && session::fails_here(line, comm);
    weft::part_to_part_options const options{.transfer = transfer_of(line)};
    ids wanted = targets.ids_of(comm.rank());
    if (line.value("by_links") == 0) {
        if (fails) wanted.push_back(-1);
        return {comm, sources.parts(comm.rank(), sources.ids_of(comm.rank())),
            targets.parts(comm.rank(), wanted), options};
    }
    std::vector<weft::part_link> given;
    for (drawn_link const& each : links)
        if (each.rank == comm.rank()) given.push_back({each.item, each.to, each.target});
    if (fails)
        given.push_back({static_cast<std::int64_t>(sources.ids_of(comm.rank()).size()), comm.rank(), 0});
    return {comm, sources.ids_of(comm.rank()).size(), wanted.size(), given, options};
}

struct between_parts_frame final : live_frame {
    between_parts_frame(live_group const& on, operation const& line)
        : live_frame(on, line),
          targets(line, on, 1),
          links(links_of(line, on, drawn, targets)),
          plan(links_plan(on, line, drawn, targets, links)) {}

    void run(session& of, operation const& line) override {
        frame_run const now(line, group.comm);
        bool const back = line.text("way") == "back";
        int const me = group.comm.rank();
        std::size_t const sources_here = drawn.ids_of(me).size();
        std::size_t const targets_here = targets.ids_of(me).size();
        of.expect(line, group.comm, now.how(), [&] {
            std::vector<number> const values =
                now.values<number>(static_cast<number>(me), back ? targets_here : sources_here);
            weft::ragged<number> const got =
                back ? plan.reverse(values, now.given_stride()) : plan.exchange(values, now.given_stride());
            std::vector<std::vector<number>> lists(back ? sources_here : targets_here);
            for (drawn_link const& each : links) {
                if ((back ? each.rank : each.to) != me) continue;
                auto& into = lists[static_cast<std::size_t>(back ? each.item : each.target)];
                for (std::size_t i = 0; i < now.stride; ++i)
                    into.push_back(now.raw(static_cast<number>(back ? each.to : each.rank),
                        static_cast<number>(back ? each.target : each.item), i));
            }
            weft::ragged<number> expected;
            for (auto const& each : lists) frame_run::add(expected, each);
            of.check(got == expected, line, "the values are wrong");
        });
    }

private:
    drawn_frames const targets;
    std::vector<drawn_link> const links;
    weft::part_to_part const plan;
};

} // namespace

extern frame_kind const between_parts_kind;
frame_kind const between_parts_kind{"part_to_part", {"exchange", "back"}, {"id_outside"},
    {"array_of_wrong_length", "strides_differ", "stride_of_0"},
    [](live_group const& group, operation const& line) -> std::shared_ptr<live_frame> {
        return std::make_shared<between_parts_frame>(group, line);
    }};

} // namespace random_programs
