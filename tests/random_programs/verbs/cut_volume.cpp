/// Contours, slices and thresholds of a volume: numbers of points and cells against a count over its edges
/// and cells, and the rest against the same call with all boxes on one rank.
#include "../drawn_volume.hpp"
#include "../session.hpp"
#include "../verb.hpp"

#include <weft/contouring/contour.hpp>
#include <weft/contouring/slice.hpp>
#include <weft/contouring/threshold.hpp>
#include <weft/protocol/collectives.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <span>

namespace random_programs {

namespace {

bool draw_cut(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    draw_volume(random, line, 2);
    line.set("what", random.one_of({"contour", "contour", "slice", "threshold"}));
    line.set("balance", random.below(3));
    line.set("any", random.below(2));
    return !line.fails_by("plane_without_normal") || line.text("what") == "slice";
}

/// A value of thousandths, so that an edge never has one that is wanted at its end.
double cut_value(operation const& line, std::size_t place) {
    return static_cast<double>(mixed({line.seed(), place, 31}) % 1000) / 1000;
}

/// What a cut of the whole volume has, by a plain walk over its edges and cells.
struct counted_cut {
    std::int64_t cells = 0;
    std::int64_t points = 0;
    std::int64_t components = 0; ///< of kept cells
};

template <class Call>
void each_corner(place_in_volume const& cell, Call&& call) {
    drawn_volume::each_of(cell, {cell[0] + 2, cell[1] + 2, cell[2] + 2}, call);
}

/// Cells with corners on both sides, edges between a corner on either side.
template <class Inside>
counted_cut counted_surface(drawn_volume const& volume, Inside&& inside) {
    counted_cut made;
    drawn_volume::each_of({0, 0, 0}, {volume.size[0] - 1, volume.size[1] - 1, volume.size[2] - 1},
        [&](place_in_volume const& cell) {
            int in = 0;
            each_corner(cell, [&](place_in_volume const& at) { in += inside(at) ? 1 : 0; });
            made.cells += in > 0 && in < 8 ? 1 : 0;
        });
    volume.each([&](place_in_volume const& at) {
        for (std::size_t d = 0; d < 3; ++d) {
            place_in_volume next = at;
            ++next[d];
            if (volume.contains(next) && inside(at) != inside(next)) ++made.points;
        }
    });
    return made;
}

counted_cut counted_threshold(operation const& line, drawn_volume const& volume, double least) {
    counted_cut made;
    std::set<std::size_t> corners;
    joined_things joined(static_cast<std::size_t>(volume.count()));
    drawn_volume::each_of({0, 0, 0}, {volume.size[0] - 1, volume.size[1] - 1, volume.size[2] - 1},
        [&](place_in_volume const& cell) {
            int in = 0;
            each_corner(cell,
                [&](place_in_volume const& at) { in += cut_value(line, volume.index(at)) >= least ? 1 : 0; });
            if (line.value("any") != 0 ? in == 0 : in < 8) return;
            ++made.cells;
            each_corner(cell, [&](place_in_volume const& at) {
                corners.insert(volume.index(at));
                joined.join(volume.index(cell), volume.index(at));
            });
        });
    made.points = std::ssize(corners);
    for (std::size_t const each : corners) made.components += joined.root(each) == each ? 1 : 0;
    return made;
}

/// What a call gives, as numbers.
struct cut_numbers {
    std::int64_t cells = 0;
    std::int64_t points = 0;
    std::int64_t triangles = 0;
    std::int64_t components = 0;
    double extent = 0;

    [[nodiscard]] bool is_like(cut_numbers const& other) const {
        return cells == other.cells && points == other.points && triangles == other.triangles &&
               components == other.components &&
               std::abs(extent - other.extent) <= 1e-9 * (1 + std::abs(extent));
    }
};

class cut {
public:
    cut(operation const& line, weft::communicator const& comm)
        : line_(line), comm_(comm), volume_(line), fails_(session::fails_here(line, comm)) {
        draws random(mixed({line.seed(), 41}));
        wanted_ = (static_cast<double>(random.below(1000)) + 0.5) / 1000;
        // Numbers of no simple ratio: no point of the grid lies on the plane.
        for (std::size_t d = 0; d < 3; ++d) {
            by_.normal[d] = std::sqrt(2.0 + random.below(90)) - 6.1;
            by_.through[d] = 0.5 * static_cast<double>(volume_.size[d] - 1) + 0.0137;
        }
        grid_.points = volume_.size;
    }

    [[nodiscard]] counted_cut counted() const {
        if (line_.text("what") == "threshold") return counted_threshold(line_, volume_, wanted_);
        if (line_.text("what") == "contour")
            return counted_surface(volume_,
                [&](place_in_volume const& at) { return cut_value(line_, volume_.index(at)) >= wanted_; });
        return counted_surface(volume_, [&](place_in_volume const& at) {
            double distance = 0;
            for (std::size_t d = 0; d < 3; ++d)
                distance += by_.normal[d] * (static_cast<double>(at[d]) - by_.through[d]);
            return distance >= 0;
        });
    }

    /// The call with the boxes of this rank, or with all of them where it is alone.
    [[nodiscard]] cut_numbers called(weft::communicator const& on, bool alone) const {
        std::vector<std::vector<double>> values;
        std::vector<weft::grid_values<double>> boxes;
        auto const cells =
            drawn_grid(line_, {volume_.size[0] - 1, volume_.size[1] - 1, volume_.size[2] - 1}, {0, 0, 0});
        for (std::int64_t block = 0; block < cells.blocks(); ++block) {
            int const owner = static_cast<int>(
                mixed({line_.seed(), 51, static_cast<number>(block)}) % static_cast<number>(comm_.size()));
            if (!alone && owner != comm_.rank()) continue;
            auto points = cells.bounds(weft::block_id{block});
            for (std::size_t d = 0; d < 3; ++d) ++points.hi[d];
            auto& mine = values.emplace_back();
            drawn_volume::each_of({points.lo[0], points.lo[1], points.lo[2]},
                {points.hi[0], points.hi[1], points.hi[2]},
                [&](place_in_volume const& at) { mine.push_back(cut_value(line_, volume_.index(at))); });
            boxes.push_back({.points = points, .values = {}});
        }
        for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i].values = values[i];
        bool const fails = fails_ && !alone;
        if (fails && line_.fails_by("box_of_other_values"))
            boxes.push_back({.points = {3, {0, 0, 0}, {2, 2, 2}}, .values = {}});
        auto const lap = [&](std::string_view) {
            if (fails && line_.fails_by("lap_throws")) throw planned_fault(fault_text(line_));
        };
        double const wrong = std::numeric_limits<double>::quiet_NaN();
        double const wanted = fails && line_.fails_by("bound_is_no_number") ? wrong : wanted_;
        std::span<weft::grid_values<double> const> const mine(boxes);
        auto const balance = static_cast<weft::cell_balance>(line_.value("balance"));
        if (line_.text("what") == "threshold") {
            weft::threshold_result const got = weft::threshold(on, grid_, mine, "v",
                {.least = wanted,
                    .corners = line_.value("any") != 0 ? weft::corner_rule::any : weft::corner_rule::all,
                    .lap = lap});
            return {got.cells, got.points, 0, got.components, got.volume};
        }
        weft::plane by = by_;
        if (fails && line_.fails_by("plane_without_normal")) by.normal = {0, 0, 0};
        if (fails && line_.fails_by("bound_is_no_number")) by.through[0] = wrong;
        weft::contour_result const got =
            line_.text("what") == "slice"
                ? weft::slice(on, grid_, mine, "v", by, {.balance = balance, .lap = lap})
                : weft::contour(on, grid_, mine, {.values = {wanted}, .balance = balance, .lap = lap});
        weft::contour_counts const& counts = got.of_values.front();
        return {counts.active_cells, counts.points, counts.triangles, counts.components, counts.area};
    }

private:
    operation const& line_;
    weft::communicator const& comm_;
    drawn_volume volume_;
    bool fails_;
    double wanted_ = 0;
    weft::plane by_;
    weft::grid_lines grid_;
};

void run_cut(session& of, operation const& line) {
    weft::communicator const& comm = of.group(line).comm;
    ending how;
    if (line.fails_by("lap_throws"))
        how = {failure_kind::planned, session::failing_rank(line, comm)};
    else if (line.has("fault"))
        how = {failure_kind::usage};
    of.expect(line, comm, how, [&] {
        cut const here(line, comm);
        cut_numbers const got = here.called(comm, false);
        counted_cut const counted = here.counted();
        of.check(got.cells == counted.cells, line, "there are " + std::to_string(got.cells) + " cells");
        of.check(got.points == counted.points, line, "there are " + std::to_string(got.points) + " points");
        if (line.text("what") == "threshold") {
            of.check(got.components == counted.components, line, "there are other components");
            of.check(got.extent == static_cast<double>(counted.cells), line, "the volume is wrong");
        }
        of.check(got.is_like(here.called(comm.split(comm.rank(), 0), true)), line,
            "one rank alone gets another result");
    });
}

} // namespace

extern verb const cut_volume_verb;
verb const cut_volume_verb{"cut_volume", 2, draw_cut, nullptr, run_cut};

} // namespace random_programs
