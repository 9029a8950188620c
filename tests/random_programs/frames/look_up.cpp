/// Ids that are registered in a directory, and looked up.
#include "../live_frame.hpp"

#include <weft/frames/directory.hpp>

namespace random_programs {

namespace {

weft::directory registered(live_group const& group, operation const& line, drawn_frames const& drawn) {
    ids mine = drawn.ids_of(group.comm.rank());
    if (line.fails_by("id_outside") && session::fails_here(line, group.comm)) mine.push_back(-1);
    return {group.comm, drawn.parts(group.comm.rank(), mine)};
}

struct look_up_frame final : live_frame {
    look_up_frame(live_group const& on, operation const& line)
        : live_frame(on, line), found(registered(on, line, drawn)) {}

    void run(session& of, operation const& line) override {
        of.expect(line, group.comm, {}, [&] {
            draws random(mixed({line.seed(), static_cast<number>(group.comm.rank())}));
            ids asked; // some of them unknown
            for (int i = random.below(20); i > 0; --i)
                asked.push_back(random.below(static_cast<int>(drawn.bounds.back()) + 5));
            weft::ragged<weft::item_location> const got = found.find(asked);
            weft::ragged<weft::item_location> expected;
            for (weft::global_id const id : asked) {
                for (std::size_t rank = 0; rank < drawn.of_rank.size(); ++rank)
                    for (std::size_t item = 0; item < drawn.of_rank[rank].size(); ++item)
                        if (drawn.of_rank[rank][item] == id)
                            expected.values.push_back(
                                {static_cast<std::int32_t>(rank), drawn.part(rank, item),
                                    static_cast<std::int64_t>(
                                        item < drawn.cuts[rank] ? item : item - drawn.cuts[rank])});
                expected.offsets.push_back(static_cast<std::int64_t>(expected.values.size()));
            }
            of.check(got == expected, line, "the places are wrong");
        });
    }

private:
    weft::directory const found;
};

} // namespace

extern frame_kind const look_up_kind;
frame_kind const look_up_kind{"directory", {"find"}, {"id_outside"}, {},
    [](live_group const& group, operation const& line) -> std::shared_ptr<live_frame> {
        return std::make_shared<look_up_frame>(group, line);
    }};

} // namespace random_programs
