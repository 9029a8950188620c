/// A halo: values of ids that other ranks own, and sums that go back to them.
#include "../live_frame.hpp"

#include <weft/frames/halo.hpp>

namespace random_programs {

namespace {

/// The ids of a rank's parts that others own, ascending, each once.
ids ghosts_of(drawn_frames const& drawn, int rank) {
    ids made = drawn.ids_of(rank);
    std::erase_if(made, [&](weft::global_id id) { return drawn.owner(id) == rank; });
    std::ranges::sort(made);
    auto const twice = std::ranges::unique(made);
    made.erase(twice.begin(), twice.end());
    return made;
}

weft::halo<number> halo_of(live_group const& group, operation const& line, drawn_frames const& drawn) {
    weft::communicator const& comm = group.comm;
    ids mine = ghosts_of(drawn, comm.rank());
    if (session::fails_here(line, comm)) {
        if (line.fails_by("id_outside")) mine.push_back(drawn.bounds.back());
        if (line.fails_by("ghost_twice")) mine.insert(mine.end(), 2, mine.empty() ? 0 : mine.back());
    }
    return {comm, blocks_of(line, comm, drawn.bounds), mine};
}

struct ghosts_frame final : live_frame {
    ghosts_frame(live_group const& on, operation const& line)
        : live_frame(on, line), halo(halo_of(on, line, drawn)), ghosts(ghosts_of(drawn, on.comm.rank())) {}

    void run(session& of, operation const& line) override {
        frame_run const now(line, group.comm);
        of.expect(line, group.comm, {}, [&] {
            if (line.text("way") == "add")
                add(of, now);
            else
                bring(of, now);
        });
    }

private:
    [[nodiscard]] number first() const {
        return static_cast<number>(drawn.bounds[static_cast<std::size_t>(group.comm.rank())]);
    }
    void bring(session const& of, frame_run const& now) {
        for (std::size_t i = 0; i < halo.own().size(); ++i) halo.own()[i] = now.raw(0, first() + i);
        halo.start();
        halo.finish();
        of.check(halo.ghosts().size() == ghosts.size(), now.line, "there are other ghosts");
        for (std::size_t i = 0; i < ghosts.size(); ++i)
            of.check(halo.ghosts()[i] == now.raw(0, static_cast<number>(ghosts[i])), now.line,
                "the ghost " + std::to_string(ghosts[i]) + " is wrong");
    }
    void add(session const& of, frame_run const& now) const {
        std::vector<number> own;
        for (std::size_t i = 0; i < halo.values().size() - ghosts.size(); ++i)
            own.push_back(now.raw(0, first() + i));
        std::vector<number> expected = own;
        for (int rank = 0; rank < group.comm.size(); ++rank)
            for (weft::global_id const id : ghosts_of(drawn, rank))
                if (drawn.owner(id) == group.comm.rank()) {
                    number& into = expected[static_cast<number>(id) - first()];
                    into = frame_run::joined(
                        into, now.raw(static_cast<number>(rank) + 1, static_cast<number>(id)));
                }
        std::vector<number> mine;
        for (weft::global_id const id : ghosts)
            mine.push_back(now.raw(static_cast<number>(group.comm.rank()) + 1, static_cast<number>(id)));
        halo.add_to_owners(mine, own, [](number a, number b) { return frame_run::joined(a, b); });
        of.check(own == expected, now.line, "the values of the owner are wrong");
    }

    weft::halo<number> halo;
    ids const ghosts;
};

} // namespace

extern frame_kind const ghosts_kind;
frame_kind const ghosts_kind{"halo", {"bring", "add"}, {"id_outside", "ghost_twice", "distributions_differ"},
    {}, [](live_group const& group, operation const& line) -> std::shared_ptr<live_frame> {
        return std::make_shared<ghosts_frame>(group, line);
    }};

} // namespace random_programs
