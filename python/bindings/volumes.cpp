/// What the command does with volumes and fields, on arrays that lie whole in the memory of every rank, or in
/// a file that is mapped into it: a rank touches what it needs.
#include "decomposition.hpp"
#include "volume_input.hpp"

#include <grids/values/value_histogram.hpp>
#include <grids/views/ascending_grid.hpp>
#include <grids/views/parts_grid.hpp>
#include <rendering/render.hpp>
#include <tracing/file_flow.hpp>
#include <tracing/path_rule.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace weft::python {

namespace {

using places_in = nb::ndarray<double const, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

using value_range = std::optional<std::pair<nb::object, nb::object>>;

histogram_options bins_of(std::int64_t bins, value_range const& range, std::vector<double> quantiles) {
    histogram_options options{.bins = bins, .quantiles = std::move(quantiles)};
    if (range) options.range = {bound_of(range->first), bound_of(range->second)};
    return options;
}

dict_by_name dict_of_histogram(value_histogram found) {
    std::vector<double> edges;
    for (std::size_t bin = 0; bin <= found.counts.size(); ++bin) edges.push_back(found.edge(bin));
    dict_by_name made;
    made["counts"] = array_of(std::move(found.counts));
    made["edges"] = array_of(std::move(edges));
    made["finite"] = found.finite;
    made["missing"] = found.missing;
    made["infinite"] = found.infinite;
    made["below"] = found.below;
    made["above"] = found.above;
    made["minimum"] = found.least.nearest();
    made["maximum"] = found.greatest.nearest();
    made["mean"] = found.mean;
    made["entropy"] = found.entropy;
    made["quantiles"] = array_of(std::move(found.quantiles));
    return made;
}

dict_by_name histogram(communicator const& comm, volume_input const& volume, std::int64_t bins,
    value_range const& range, std::vector<double> quantiles, phase_function const& tell) {
    histogram_options options = bins_of(bins, range, std::move(quantiles));
    options.blocks = std::clamp<std::int64_t>(volume.points[2], 1, options.blocks);
    value_histogram found;
    {
        collective_call const call(comm, "histogram");
        auto const source = volume.source();
        found = histogram_of(comm, *source, options, lap_of(tell));
    }
    return dict_of_histogram(std::move(found));
}

/// The same of values of which each rank has its own, in the order of ranks.
dict_by_name histogram_of_parts(communicator const& comm, std::vector<std::int64_t> const& offsets,
    nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu> const& mine, std::int64_t bins,
    value_range const& range, std::vector<double> quantiles, phase_function const& tell) {
    histogram_options const options = bins_of(bins, range, std::move(quantiles));
    value_histogram found;
    {
        collective_call const call(comm, "histogram");
        block_distribution const where({offsets.begin(), offsets.end()});
        std::vector<double> const values(mine.data(), mine.data() + mine.size());
        found = histogram_of(comm, spread_values{where, values}, options, lap_of(tell));
    }
    return dict_of_histogram(std::move(found));
}

/// What Python says of a picture.
struct picture_input {
    std::string from;
    std::string preset;
    double opacity = 1;
    bool perspective = false;
    bool maximum = false;
    bool shaded = false;
    double zoom = 1;
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::optional<std::pair<double, double>> range;
};

/// The points that ranks hold, by rank, where block b is on rank `ranks[b]`.
std::vector<box<std::int64_t>> boxes_held(
    decomposition_of_python const& held, std::vector<int> const& ranks) {
    std::vector<box<std::int64_t>> boxes(ranks.size());
    for (std::size_t block = 0; block < ranks.size(); ++block)
        boxes[static_cast<std::size_t>(ranks[block])] =
            held.as<regular_grid<std::int64_t>>().bounds(block_id{static_cast<std::int64_t>(block)});
    return boxes;
}

/// Four floats a pixel, on rank 0. `held`: the blocks of a volume of which each rank has one, and their
/// ranks.
dict_by_name draw(communicator const& comm, volume_input const& volume, picture_input const& given,
    decomposition_of_python const* held, std::vector<int> const& ranks, phase_function const& tell) {
    rendered found;
    {
        collective_call const call(comm, "render");
        auto source = volume.source();
        render_options options;
        options.view.from = given.from;
        options.view.perspective = given.perspective;
        options.view.zoom = given.zoom;
        options.view.width = given.width;
        options.view.height = given.height;
        options.cast.how = given.maximum ? projection::maximum : projection::light;
        options.cast.shaded = given.shaded;
        options.range = given.range;
        std::int64_t const thin = *std::ranges::min_element(volume.points);
        options.blocks = std::clamp<std::int64_t>(thin - 1, 1, options.blocks);
        if (held != nullptr)
            source = grid_of_parts(comm, *source, boxes_held(*held, ranks),
                boxes_to_render(source->shape(), options, comm.size()));
        found = render(comm, *source, transfer_function(given.preset, given.opacity), options, lap_of(tell));
    }
    if (given.maximum) { // shares of the range, -1 where nothing is
        auto const [lo, hi] = found.range;
        double const width = hi > lo ? hi - lo : 1;
        for (rgba& each : found.pixels)
            each.red =
                std::isnan(each.red) ? -1 : static_cast<float>((static_cast<double>(each.red) - lo) / width);
    }
    static_assert(sizeof(rgba) == 4 * sizeof(float));
    std::vector<float> pixels(found.pixels.size() * 4);
    if (!pixels.empty()) std::memcpy(pixels.data(), found.pixels.data(), pixels.size() * sizeof(float));
    dict_by_name made;
    made["pixels"] = array_of(std::move(pixels));
    made["width"] = found.width;
    made["height"] = found.height;
    made["range"] = found.range;
    return made;
}

dict_by_name trace(communicator const& comm, volume_input const& field, std::vector<double> const& times,
    places_in const& seeds, std::int64_t first_id, path_options const& path, phase_function const& tell) {
    auto const lap = lap_of(tell);
    traces found;
    {
        collective_call const call(comm, "trace");
        std::unique_ptr<file_flow> flow;
        agreed(comm, [&] {
            std::vector<std::unique_ptr<grid_source>> steps;
            for (std::size_t step = 0; step < times.size(); ++step)
                steps.push_back(with_ascending_axes(field.source(step)));
            flow = std::make_unique<file_flow>(std::move(steps), "field", times);
        });
        tracer with(comm, *flow, {.blocks = path.blocks * comm.size(), .threads = path.threads});
        lap("read");
        std::vector<seed> mine(seeds.shape(0));
        for (std::size_t i = 0; i < mine.size(); ++i) {
            mine[i].id = first_id + static_cast<std::int64_t>(i);
            std::copy_n(seeds.data() + 3 * i, 3, mine[i].place.begin());
        }
        found = with.trace(mine, options_of(path, with, *flow->domain()));
        lap("trace");
    }
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> steps;
    std::vector<std::int64_t> inside;
    std::vector<double> places;
    std::vector<double> lengths;
    for (trace_end const& end : found.ends) {
        ids.push_back(end.id);
        steps.push_back(end.steps);
        inside.push_back(end.inside);
        places.insert(places.end(), end.place.begin(), end.place.end());
        lengths.push_back(end.path);
    }
    static_assert(sizeof(line_point) == 4 * sizeof(float));
    std::vector<float> points(found.lines.points.size() * 4);
    if (!points.empty()) std::memcpy(points.data(), found.lines.points.data(), points.size() * sizeof(float));
    dict_by_name made;
    made["ids"] = array_of(std::move(ids));
    made["steps"] = array_of(std::move(steps));
    made["inside"] = array_of(std::move(inside));
    made["places"] = array_of(std::move(places));
    made["lengths"] = array_of(std::move(lengths));
    made["line_seeds"] = array_of(std::move(found.lines.seeds));
    made["line_ends"] = array_of(std::move(found.lines.ends));
    made["line_points"] = array_of(std::move(points));
    return made;
}

} // namespace

void bind_volumes(nb::module_& module) {
    nb::class_<volume_input>(module, "Volume")
        .def(
            "__init__",
            [](volume_input* place, std::vector<std::uintptr_t> steps, nb::object owner, std::string type,
                std::array<std::int64_t, 3> points, int components, std::array<std::int64_t, 3> strides,
                std::int64_t component_stride, bool swapped, std::array<std::vector<double>, 3> axes,
                std::optional<double> missing) {
                new (place) volume_input{std::move(steps), std::move(owner), std::move(type), points,
                    components, strides, component_stride, swapped, std::move(axes), missing};
            },
            nb::arg("steps"), nb::arg("owner"), nb::arg("type"), nb::arg("points"), nb::arg("components"),
            nb::arg("strides"), nb::arg("component_stride"), nb::arg("swapped"), nb::arg("axes"),
            nb::arg("missing").none())
        .def_static("of_files", &volume_input::of_files, nb::arg("files"), nb::arg("missing").none());
    nb::class_<picture_input>(module, "Picture")
        .def(nb::init<>())
        .def_rw("view", &picture_input::from)
        .def_rw("preset", &picture_input::preset)
        .def_rw("opacity", &picture_input::opacity)
        .def_rw("perspective", &picture_input::perspective)
        .def_rw("maximum", &picture_input::maximum)
        .def_rw("shaded", &picture_input::shaded)
        .def_rw("zoom", &picture_input::zoom)
        .def_rw("width", &picture_input::width)
        .def_rw("height", &picture_input::height)
        .def_rw("range", &picture_input::range, nb::arg().none());
    nb::class_<path_options>(module, "Path")
        .def(nb::init<>())
        .def_rw("adaptive", &path_options::adaptive)
        .def_rw("step", &path_options::step)
        .def_rw("max_steps", &path_options::max_steps)
        .def_rw("duration", &path_options::duration)
        .def_rw("tolerance", &path_options::tolerance)
        .def_rw("blocks", &path_options::blocks)
        .def_rw("backward", &path_options::backward)
        .def_rw("lines", &path_options::lines);
    module.def("histogram_of_parts", &histogram_of_parts, nb::arg("comm"), nb::arg("offsets"),
        nb::arg("mine"), nb::arg("bins"), nb::arg("range").none(), nb::arg("quantiles"),
        nb::arg("tell").none());
    module.def("histogram", &histogram, nb::arg("comm"), nb::arg("volume"), nb::arg("bins"),
        nb::arg("range").none(), nb::arg("quantiles"), nb::arg("tell").none());
    module.def("render", &draw, nb::arg("comm"), nb::arg("volume"), nb::arg("picture"),
        nb::arg("held").none(), nb::arg("ranks"), nb::arg("tell").none());
    module.def("trace", &trace, nb::arg("comm"), nb::arg("field"), nb::arg("times"), nb::arg("seeds"),
        nb::arg("first_id"), nb::arg("path"), nb::arg("tell").none());
}

} // namespace weft::python
