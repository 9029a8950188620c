/// Reductions, scans, broadcasts and gathers, on arrays by a named operator or by one of Python, and on
/// bytes.
#include "call.hpp"
#include "reduction.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/core/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace weft::python {

namespace {

void all_reduce_in_place(communicator const& comm, output_bytes const& data, nb::handle how, char kind,
    std::size_t element_bytes, std::optional<int> root) {
    reduction const given(how, kind, element_bytes);
    rank_array const mine = given.array(data);
    collective_call const call(comm, "all_reduce");
    if (root)
        reduce_array(comm, mine, given.how(), given.may_throw(), *root);
    else
        all_reduce_array(comm, mine, given.how(), given.may_throw());
}

/// The arrays of the ranks up to this one combined.
void scan_in_place(communicator const& comm, output_bytes const& data, nb::handle how, char kind,
    std::size_t element_bytes) {
    reduction const given(how, kind, element_bytes);
    std::span<std::byte> const bytes = bytes_of(data);
    collective_call const call(comm, "scan");
    std::vector<std::byte> const all = scan(comm, std::vector<std::byte>(bytes.begin(), bytes.end()),
        [&](std::vector<std::byte> left, std::vector<std::byte> right) {
            given.how().combine(left.data(), right.data(), left.size() / element_bytes, false);
            return left;
        });
    std::copy(all.begin(), all.end(), bytes.begin());
}

nb::bytes to_python(std::span<std::byte const> from) {
    return nb::bytes(reinterpret_cast<char const*>(from.data()), from.size());
}

buffer copy_of(std::optional<nb::bytes> const& from) {
    buffer made;
    if (from) made.append(from->data(), from->size());
    return made;
}

nb::bytes broadcast_from(
    communicator const& comm, std::optional<nb::bytes> const& of_root, int root, nb::handle failure) {
    buffer bytes = copy_of(of_root);
    std::exception_ptr thrown = failure_of(failure);
    {
        collective_call const call(comm, "broadcast");
        bytes = broadcast_bytes(comm, std::move(bytes), std::move(thrown), root);
    }
    return to_python(bytes.bytes());
}

list_of_bytes gather_on_0(
    communicator const& comm, std::optional<nb::bytes> const& mine, nb::handle failure) {
    buffer bytes = copy_of(mine);
    std::exception_ptr thrown = failure_of(failure);
    message_list all;
    {
        collective_call const call(comm, "gather");
        all = gather_bytes(comm, std::move(bytes), std::move(thrown));
    }
    list_of_bytes made;
    for (message const& each : all) made.append(to_python(each.data.bytes()));
    return made;
}

list_of_bytes gather_on_all(
    communicator const& comm, std::optional<nb::bytes> const& mine, nb::handle failure) {
    std::string bytes = mine ? std::string(mine->c_str(), mine->size()) : std::string();
    std::exception_ptr thrown = failure_of(failure);
    std::vector<std::string> all;
    {
        collective_call const call(comm, "all_gather");
        agree_same(comm, "all_gather", std::move(thrown));
        all = all_gather(comm, std::move(bytes));
    }
    list_of_bytes made;
    for (std::string const& each : all) made.append(nb::bytes(each.data(), each.size()));
    return made;
}

} // namespace

void bind_collective(nb::module_& module) {
    module.def("reduce_in_place", &all_reduce_in_place, nb::arg("comm"), nb::arg("data").noconvert(),
        nb::arg("op"), nb::arg("kind"), nb::arg("element_bytes"), nb::arg("root").none());
    module.def("scan_in_place", &scan_in_place, nb::arg("comm"), nb::arg("data").noconvert(), nb::arg("op"),
        nb::arg("kind"), nb::arg("element_bytes"));
    module.def("broadcast_bytes", &broadcast_from, nb::arg("comm"), nb::arg("of_root").none(),
        nb::arg("root"), nb::arg("failure").none());
    module.def(
        "gather_bytes", &gather_on_0, nb::arg("comm"), nb::arg("mine").none(), nb::arg("failure").none());
    module.def("all_gather_bytes", &gather_on_all, nb::arg("comm"), nb::arg("mine").none(),
        nb::arg("failure").none());
}

} // namespace weft::python
