/// Volumes in files of any format that the command reads.
#include "volume_files.hpp"

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bit>

namespace weft::python {

namespace {

/// A view of a volume that stays open, for one call, which may have its own value for missing data.
class part_of_call final : public grid_source {
public:
    part_of_call(grid_source& of, std::optional<double> missing) : of_(of), shape_(of.shape()) {
        if (missing) shape_.missing = missing;
    }

    [[nodiscard]] grid_shape const& shape() const noexcept override { return shape_; }
    void read(box<std::int64_t> const& points, std::span<std::byte> into) override { of_.read(points, into); }
    void read_hidden(box<std::int64_t> const& cells, std::span<std::uint8_t> into) override {
        of_.read_hidden(cells, into);
    }

private:
    grid_source& of_;
    grid_shape shape_;
};

grid_file_options options_of(std::array<std::int64_t, 3> const& points,
    std::optional<std::string> const& type, std::optional<bool> big_endian, std::int64_t header_bytes,
    int components, std::string variable, std::int64_t step, std::string channel) {
    grid_file_options made;
    made.dims = points;
    if (type) made.type = value_type_named(*type);
    if (big_endian) made.byte_order = *big_endian ? std::endian::big : std::endian::little;
    made.header_bytes = header_bytes;
    made.components = components;
    made.vectors = components > 1;
    made.variable = std::move(variable);
    made.step = step;
    made.channel = std::move(channel);
    return made;
}

/// The values of a box, x fastest, on this rank alone.
nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>> values_of(
    volume_file const& file, std::array<std::int64_t, 3> const& lo, std::array<std::int64_t, 3> const& hi) {
    std::vector<std::uint8_t> bytes;
    {
        library_call const call;
        box<std::int64_t> const points{3, {lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
        bytes.resize(bytes_of(file.shape(), points));
        file.source({})->read(points, std::as_writable_bytes(std::span(bytes)));
    }
    return array_of(std::move(bytes));
}

} // namespace

volume_file::volume_file(communicator const& comm, std::string name, grid_file_options const& options)
    : name_(std::move(name)) {
    agreed(comm, [&] {
        source_ = open_grid(name_, options);
        if (!shape().bent.empty())
            throw usage_error(name_ + ": " + shape().bent + ", and volumes have straight axes");
    });
}

std::unique_ptr<grid_source> volume_file::source(std::optional<double> missing) const {
    return std::make_unique<part_of_call>(*source_, missing);
}

void bind_volume_files(nb::module_& module) {
    nb::class_<volume_file>(module, "VolumeFile")
        .def_prop_ro("points", [](volume_file const& file) { return file.shape().points; })
        .def_prop_ro("type", [](volume_file const& file) { return std::string(name_of(file.shape().type)); })
        .def_prop_ro("components", [](volume_file const& file) { return file.shape().components; })
        .def_prop_ro("missing", [](volume_file const& file) { return file.shape().missing; })
        .def_prop_ro("units", [](volume_file const& file) { return file.shape().units; })
        .def_prop_ro("steps", [](volume_file const& file) { return file.shape().steps; })
        .def_prop_ro(
            "of_cells", [](volume_file const& file) { return file.shape().values_at == value_place::cells; })
        .def_prop_ro("axes", [](volume_file const& file) { return file.shape().axes; })
        .def("read", &values_of, nb::arg("lo"), nb::arg("hi"));
    module.def(
        "open_volume",
        [](communicator const& comm, std::string name, std::array<std::int64_t, 3> const& points,
            std::optional<std::string> const& type, std::optional<bool> big_endian, std::int64_t header_bytes,
            int components, std::string variable, std::int64_t step, std::string channel) {
            collective_call const call(comm, "open_volume");
            return std::make_shared<volume_file>(comm, std::move(name),
                options_of(points, type, big_endian, header_bytes, components, std::move(variable), step,
                    std::move(channel)));
        },
        nb::arg("comm"), nb::arg("name"), nb::arg("points"), nb::arg("type").none(),
        nb::arg("big_endian").none(), nb::arg("header_bytes"), nb::arg("components"), nb::arg("variable"),
        nb::arg("step"), nb::arg("channel"));
}

} // namespace weft::python
