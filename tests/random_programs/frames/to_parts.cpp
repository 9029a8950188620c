/// Values of blocks to the parts that ask for their ids, and back.
#include "../live_frame.hpp"

#include <weft/frames/block_to_part.hpp>

namespace random_programs {

namespace {

weft::block_to_part to_parts_plan(live_group const& group, operation const& line, drawn_frames const& drawn) {
    weft::communicator const& comm = group.comm;
    ids mine = drawn.ids_of(comm.rank());
    if (line.fails_by("id_outside") && session::fails_here(line, comm)) mine.push_back(drawn.bounds.back());
    return {comm, blocks_of(line, comm, drawn.bounds), drawn.parts(comm.rank(), mine),
        {.transfer = transfer_of(line)}};
}

struct to_parts_frame final : live_frame {
    to_parts_frame(live_group const& on, operation const& line)
        : live_frame(on, line), plan(to_parts_plan(on, line, drawn)) {}

    void run(session& of, operation const& line) override {
        frame_run const now(line, group.comm);
        std::string const way = line.text("way");
        if (way == "lists")
            of.expect(line, group.comm, now.how(), [&] { move_lists(of, now); });
        else if (way == "lists_back")
            of.expect(line, group.comm, now.how(), [&] { move_lists_back(of, now); });
        else if (way == "start")
            start(of, now);
        else if (line.text("type") == "text")
            run_typed<std::string>(of, now);
        else
            run_typed<number>(of, now);
    }

private:
    [[nodiscard]] ids const& mine() const { return drawn.ids_of(group.comm.rank()); }
    [[nodiscard]] weft::global_id first() const {
        return drawn.bounds[static_cast<std::size_t>(group.comm.rank())];
    }

    template <class T>
    [[nodiscard]] std::vector<T> block_values(frame_run const& now) const {
        return now.values<T>(0, plan.block_items(), static_cast<number>(first()));
    }
    template <class T>
    void check_parts(session const& of, frame_run const& now, std::vector<T> const& got) const {
        std::vector<T> expected;
        for (weft::global_id const id : mine())
            for (std::size_t i = 0; i < now.stride; ++i)
                expected.push_back(now.value<T>(0, static_cast<number>(id), i));
        of.check(got == expected, now.line, "the values of the parts are wrong");
    }

    template <class T>
    void run_typed(session& of, frame_run const& now) {
        if (now.line.text("way") == "combine") {
            run_back<T>(of, now);
            return;
        }
        of.expect(now.line, group.comm, now.how(),
            [&] { check_parts(of, now, plan.exchange(block_values<T>(now), now.given_stride())); });
    }

    template <class T>
    void run_back(session& of, frame_run const& now) {
        bool const throws = now.line.fails_by("operator_of_frame_throws");
        std::vector<T> block = block_values<T>(now);
        std::vector<T> expected = block;
        bool any = false;
        for (std::size_t rank = 0; rank < drawn.of_rank.size(); ++rank)
            for (std::size_t item = 0; item < drawn.of_rank[rank].size(); ++item) {
                any = true;
                weft::global_id const id = drawn.of_rank[rank][item];
                if (drawn.owner(id) != group.comm.rank() || now.how().kind != failure_kind::none) continue;
                for (std::size_t i = 0; i < now.stride; ++i) {
                    T& into = expected[static_cast<std::size_t>(id - first()) * now.stride + i];
                    into = frame_run::joined(into, now.value<T>(rank + 1, item, i));
                }
            }
        std::vector<T> const parts = now.values<T>(static_cast<number>(group.comm.rank()) + 1, mine().size());
        ending const how = !throws ? now.how() : any ? ending{failure_kind::planned} : ending{};
        of.expect(now.line, group.comm, how, [&] {
            plan.reverse(
                std::span<T const>(parts), std::span<T>(block),
                [&](T const& a, T const& b) {
                    if (throws) throw planned_fault(fault_text(now.line));
                    return frame_run::joined(a, b);
                },
                now.given_stride());
            of.check(block == expected, now.line, "the values of the block are wrong");
        });
    }

    void move_lists(session const& of, frame_run const& now) const {
        weft::ragged<number> const got =
            plan.exchange(now.lists(0, plan.block_items(), static_cast<number>(first())));
        weft::ragged<number> expected;
        for (weft::global_id const id : mine())
            frame_run::add(expected, now.list(0, static_cast<number>(id)));
        of.check(got == expected, now.line, "the lists of the parts are wrong");
    }
    void move_lists_back(session const& of, frame_run const& now) const {
        weft::ragged<number> const got =
            plan.reverse(now.lists(static_cast<number>(group.comm.rank()) + 1, mine().size()));
        std::vector<std::vector<number>> of_ids(plan.block_items());
        for (std::size_t rank = 0; rank < drawn.of_rank.size(); ++rank)
            for (std::size_t item = 0; item < drawn.of_rank[rank].size(); ++item) {
                weft::global_id const id = drawn.of_rank[rank][item];
                if (drawn.owner(id) != group.comm.rank()) continue;
                auto& all = of_ids[static_cast<std::size_t>(id - first())];
                for (number const each : now.list(rank + 1, item)) all.push_back(each);
            }
        weft::ragged<number> expected;
        for (auto const& each : of_ids) frame_run::add(expected, each);
        of.check(got == expected, now.line, "the lists of the block are wrong");
    }

    /// Begins one that each rank completes at a time of its own.
    void start(session& of, frame_run const& now) {
        std::vector<number> const block = block_values<number>(now);
        auto pending =
            std::make_shared<weft::block_to_part::pending<number>>(plan.start(block, now.given_stride()));
        operation const line = now.line;
        number const drawn_here = mixed({line.seed(), static_cast<number>(of.rank)});
        int const until =
            line.number + 1 + static_cast<int>(drawn_here % (static_cast<number>(line.value("within")) + 1));
        of.handles.push_back({line.number, until, [&of, line, pending, kept = shared_from_this(), this] {
                                  frame_run const then(line, group.comm);
                                  of.expect(line, group.comm, then.how(), [&] {
                                      for (number i = line.seed() % 3; i > 0; --i) (void)pending->test();
                                      check_parts(of, then, std::move(*pending).get());
                                  });
                              }});
    }

    weft::block_to_part const plan;
};

} // namespace

extern frame_kind const to_parts_kind;
frame_kind const to_parts_kind{"block_to_part", {"exchange", "combine", "lists", "lists_back", "start"},
    {"id_outside", "distributions_differ"},
    {"array_of_wrong_length", "strides_differ", "stride_of_0", "offsets_outside", "operator_of_frame_throws"},
    [](live_group const& group, operation const& line) -> std::shared_ptr<live_frame> {
        return std::make_shared<to_parts_frame>(group, line);
    }};

} // namespace random_programs
