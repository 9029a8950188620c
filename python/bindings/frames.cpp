/// Frames on bytes: values of global ids between blocks and parts, where ids are, and numbers of ids. What
/// becomes of duplicates is decided in Python.
#include "call.hpp"

#include <weft/core/error.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/directory.hpp>
#include <weft/frames/numbering.hpp>
#include <weft/frames/part_to_block.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <tuple>

namespace weft::python {

namespace {

using ids_64 = nb::ndarray<global_id const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using integers_64 = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

std::span<global_id const> span_of(ids_64 const& ids) {
    return {ids.data(), ids.size()};
}

parts_view<global_id> parts_of(std::vector<ids_64> const& arrays) {
    parts_view<global_id> parts;
    for (ids_64 const& each : arrays) parts.add(span_of(each));
    return parts;
}

/// Blocks with the given bounds, or uniform ones where there are none.
block_distribution blocks_of(
    communicator const& comm, std::int64_t total, std::vector<std::int64_t> const& bounds) {
    if (bounds.empty()) return block_distribution::uniform(comm, total);
    return block_distribution(std::vector<global_id>(bounds.begin(), bounds.end()));
}

template <class T>
integers_64 int64_of(std::span<T const> from) {
    return array_of(std::vector<std::int64_t>(from.begin(), from.end()));
}

/// One move of values along the plan of a frame.
template <class Frame>
void move_values(Frame const& frame, bool to_places, bool from_links, input_bytes const& from,
    output_bytes const& to, std::size_t value_bytes, input_bytes const& fill, std::string const& dtype,
    nb::handle failure) {
    item_plan::move what;
    what.to_places = to_places;
    what.from_links = from_links;
    what.from = bytes_of(from);
    what.to = bytes_of(to);
    what.value_bytes = value_bytes;
    what.fill = bytes_of(fill).data();
    what.type = item_type_of(dtype, static_cast<std::int64_t>(value_bytes));
    what.failure = failure_of(failure);
    what.name = "frame";
    collective_call const call(frame.comm(), "move of values");
    frame.plan().run(what);
}

block_to_part make_block_to_part(communicator const& comm, std::int64_t total,
    std::vector<std::int64_t> const& bounds, std::vector<ids_64> const& parts,
    std::optional<ids_64> const& block_ids, bool missing_allowed) {
    collective_call const call(comm, "BlockToPart");
    block_distribution const blocks = blocks_of(comm, total, bounds);
    block_to_part_options const options{.missing_allowed = missing_allowed};
    if (block_ids) return {comm, blocks, parts_of(parts), span_of(*block_ids), options};
    return {comm, blocks, parts_of(parts), options};
}

part_to_block make_part_to_block(communicator const& comm, std::int64_t total,
    std::vector<std::int64_t> const& bounds, std::vector<ids_64> const& parts) {
    collective_call const call(comm, "PartToBlock");
    return {comm, blocks_of(comm, total, bounds), parts_of(parts)};
}

/// Where the locations of each id begin, and the locations as bytes.
std::tuple<integers_64, nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>> find_ids(
    directory const& of, ids_64 const& asked) {
    static_assert(sizeof(item_location) == 16); // the dtype in Python has no gaps
    ragged<item_location> found;
    {
        library_call const call;
        found = of.find(span_of(asked));
    }
    std::vector<std::uint8_t> bytes(found.values.size() * sizeof(item_location));
    if (!bytes.empty()) std::memcpy(bytes.data(), found.values.data(), bytes.size());
    return {int64_of(std::span<std::int64_t const>(found.offsets)), array_of(std::move(bytes))};
}

std::tuple<integers_64, std::int64_t> number_all(communicator const& comm, std::vector<ids_64> const& parts) {
    global_numbers made;
    {
        collective_call const call(comm, "number_ids");
        made = number_ids(comm, parts_of(parts));
    }
    return {int64_of(std::span<global_id const>(made.numbers)), made.count};
}

template <class Frame>
void bind_common(nb::class_<Frame>& bound) {
    bound.def_prop_ro("part_items", &Frame::part_items)
        .def_prop_ro(
            "part_offsets", [](Frame const& frame) { return int64_of(frame.part_offsets()); },
            nb::rv_policy::automatic)
        .def("move", &move_values<Frame>, nb::arg("to_places"), nb::arg("from_links"), nb::arg("values"),
            nb::arg("into").noconvert(), nb::arg("value_bytes"), nb::arg("fill"), nb::arg("dtype"),
            nb::arg("failure").none());
}

} // namespace

void bind_frames(nb::module_& module) {
    nb::class_<block_to_part> to_part(module, "BlockToPart");
    to_part.def_static("make", &make_block_to_part, nb::arg("comm"), nb::arg("total"), nb::arg("bounds"),
        nb::arg("parts"), nb::arg("block_ids").none(), nb::arg("missing_allowed"));
    to_part.def_prop_ro("block_items", &block_to_part::block_items);
    bind_common(to_part);

    nb::class_<part_to_block> to_block(module, "PartToBlock");
    to_block.def_static(
        "make", &make_part_to_block, nb::arg("comm"), nb::arg("total"), nb::arg("bounds"), nb::arg("parts"));
    to_block
        .def_prop_ro(
            "ids", [](part_to_block const& frame) { return int64_of(frame.ids()); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "arrival_offsets", [](part_to_block const& frame) { return int64_of(frame.arrival_offsets()); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "arrival_ids",
            [](part_to_block const& frame) {
                return int64_of(std::span<global_id const>(frame.arrival_ids()));
            },
            nb::rv_policy::automatic);
    bind_common(to_block);

    nb::class_<directory>(module, "Directory")
        .def_static(
            "make",
            [](communicator const& comm, std::vector<ids_64> const& parts) {
                collective_call const call(comm, "Directory");
                return directory(comm, parts_of(parts));
            },
            nb::arg("comm"), nb::arg("parts"))
        .def("find", &find_ids, nb::arg("ids"));
    module.def("number_ids", &number_all, nb::arg("comm"), nb::arg("parts"));
}

} // namespace weft::python
