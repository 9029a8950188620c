/// Values of one block distribution to another of the same ids.
#include "../live_frame.hpp"

#include <weft/frames/block_to_block.hpp>

namespace random_programs {

namespace {

/// Other bounds of the same ids.
ids other_bounds(operation const& line, live_group const& group, ids const& bounds) {
    ids made(bounds);
    for (std::size_t rank = 1; rank + 1 < made.size(); ++rank)
        made[rank] = static_cast<weft::global_id>(
            mixed({line.seed(), group.name, rank}) % static_cast<number>(bounds.back() + 1));
    std::ranges::sort(made);
    return made;
}

struct between_blocks_frame final : live_frame {
    between_blocks_frame(live_group const& on, operation const& line)
        : live_frame(on, line),
          to(other_bounds(line, on, drawn.bounds)),
          plan(on.comm, blocks_of(line, on.comm, drawn.bounds), weft::block_distribution(to)) {}

    void run(session& of, operation const& line) override {
        frame_run const now(line, group.comm);
        of.expect(line, group.comm, now.how(), [&] {
            auto const [first, items] = block_in(drawn.bounds);
            auto const [first_there, items_there] = block_in(to);
            if (line.text("way") == "lists") {
                weft::ragged<number> const got = plan.exchange(now.lists(0, items, first));
                weft::ragged<number> expected;
                for (number item = 0; item < items_there; ++item)
                    frame_run::add(expected, now.list(0, first_there + item));
                of.check(got == expected, line, "the lists are wrong");
                return;
            }
            std::vector<number> const got =
                plan.exchange(now.values<number>(0, items, first), now.given_stride());
            std::vector<number> expected;
            for (number item = 0; item < items_there; ++item)
                for (std::size_t i = 0; i < now.stride; ++i)
                    expected.push_back(now.raw(0, first_there + item, i));
            of.check(got == expected, line, "the values are wrong");
        });
    }

private:
    [[nodiscard]] std::pair<number, std::size_t> block_in(ids const& bounds) const {
        auto const rank = static_cast<std::size_t>(group.comm.rank());
        return {static_cast<number>(bounds[rank]), static_cast<std::size_t>(bounds[rank + 1] - bounds[rank])};
    }

    ids const to;
    weft::block_to_block const plan;
};

} // namespace

extern frame_kind const between_blocks_kind;
frame_kind const between_blocks_kind{"block_to_block", {"exchange", "exchange", "lists"},
    {"distributions_differ"}, {"array_of_wrong_length", "strides_differ", "stride_of_0", "offsets_outside"},
    [](live_group const& group, operation const& line) -> std::shared_ptr<live_frame> {
        return std::make_shared<between_blocks_frame>(group, line);
    }};

} // namespace random_programs
