/// Connected components of a volume, against a serial labelling.
#include "../drawn_volume.hpp"
#include "../session.hpp"
#include "../verb.hpp"

#include <weft/labelling/label_volume.hpp>

#include <functional>
#include <limits>
#include <map>

namespace random_programs {

namespace {

bool draw_label(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    draw_volume(random, line, 1);
    line.set("type", random.one_of({"double", "uint8"}));
    line.set("corners", random.below(2));
    line.set("missing", random.below(2));
    line.set("below", random.below(2));
    line.set("origin", random.one_of({-7, 0, 0, 1000}));
    return true;
}

int label_value(operation const& line, std::size_t place) {
    return static_cast<int>(mixed({line.seed(), place}) % 6);
}

/// Of values 0 to 5: from 2, and not 5 or not 3 where the line says so.
bool is_foreground(operation const& line, int value) {
    return value >= 2 && !(line.value("below") != 0 && value >= 5) &&
           !(line.value("missing") != 0 && value == 3);
}

struct serial_labels {
    explicit serial_labels(operation const& line, drawn_volume const& volume)
        : labels(static_cast<std::size_t>(volume.count())) {
        joined_things joined(labels.size());
        auto const is_in = [&](place_in_volume const& at) {
            return volume.contains(at) && is_foreground(line, label_value(line, volume.index(at)));
        };
        volume.each([&](place_in_volume const& at) {
            if (!is_in(at)) return;
            drawn_volume::each_of({-1, -1, -1}, {2, 2, 2}, [&](place_in_volume const& step) {
                std::int64_t const steps = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
                place_in_volume const to{at[0] + step[0], at[1] + step[1], at[2] + step[2]};
                if ((steps == 1 || (line.value("corners") != 0 && steps > 0)) && is_in(to))
                    joined.join(volume.index(at), volume.index(to));
            });
        });
        std::map<std::size_t, std::int64_t> numbers;
        volume.each([&](place_in_volume const& at) {
            if (!is_in(at)) return;
            ++foreground;
            std::size_t const root = joined.root(volume.index(at));
            auto const [found, is_new] = numbers.emplace(root, std::ssize(numbers) + 1);
            if (is_new) sizes.push_back(0);
            ++sizes[static_cast<std::size_t>(found->second) - 1];
            labels[volume.index(at)] = found->second;
        });
        std::ranges::sort(sizes, std::greater());
    }

    std::vector<std::int64_t> labels;
    std::vector<std::int64_t> sizes;
    std::int64_t foreground = 0;
};

template <class T>
void label_values(session const& of, operation const& line, weft::communicator const& comm) {
    drawn_volume const volume(line);
    place_in_volume origin{line.value("origin"), 0, line.value("origin") / 2};
    bool const fails = session::fails_here(line, comm);
    if (fails && line.fails_by("grids_differ") && comm.size() > 1) ++origin[1];
    auto const grid = drawn_grid(line, volume.size, origin);
    auto const where = weft::assignment::contiguous(grid.blocks(), comm.size());
    serial_labels const serial(line, volume);
    std::vector<T> mine;
    std::vector<std::int64_t> expected;
    for (std::int64_t place = 0; place < where.blocks_of(comm.rank()); ++place) {
        auto const box = grid.bounds(where.block_at(comm.rank(), place));
        drawn_volume::each_of({box.lo[0] - origin[0], box.lo[1] - origin[1], box.lo[2] - origin[2]},
            {box.hi[0] - origin[0], box.hi[1] - origin[1], box.hi[2] - origin[2]},
            [&](place_in_volume const& at) {
                mine.push_back(static_cast<T>(label_value(line, volume.index(at))));
                expected.push_back(serial.labels[volume.index(at)]);
            });
    }
    if (fails && line.fails_by("values_of_other_number")) mine.push_back(T{});
    weft::volume_label_options options{.threshold = 2, .corners = line.value("corners") != 0};
    if (line.value("below") != 0) options.below = weft::value_bound(5);
    if (line.value("missing") != 0) options.missing = 3.0;
    if (fails && line.fails_by("threshold_is_no_number"))
        options.threshold = std::numeric_limits<double>::quiet_NaN();
    weft::volume_labels const got = weft::label_volume(comm, grid, mine, options);
    of.check(got.labels == expected, line, "the labels are wrong");
    of.check(got.components == std::ssize(serial.sizes) && got.foreground == serial.foreground, line,
        "there are " + std::to_string(got.components) + " components");
    std::vector<std::int64_t> largest = serial.sizes;
    largest.resize(std::min<std::size_t>(largest.size(), 10));
    of.check(got.largest == largest, line, "the largest components are others");
}

void run_label(session& of, operation const& line) {
    weft::communicator const& comm = of.group(line).comm;
    bool const alone = line.fails_by("grids_differ") && comm.size() == 1;
    of.expect(line, comm, {line.has("fault") && !alone ? failure_kind::usage : failure_kind::none}, [&] {
        if (line.text("type") == "double")
            label_values<double>(of, line, comm);
        else
            label_values<std::uint8_t>(of, line, comm);
    });
}

} // namespace

extern verb const label_verb;
verb const label_verb{"label", 2, draw_label, nullptr, run_label};

} // namespace random_programs
