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

/// The bytes of a value, and those that say what it is.
struct given_value {
    std::optional<input_bytes> bytes;
    std::optional<nb::bytes> ending;

    [[nodiscard]] buffer joined() const {
        buffer made;
        if (!bytes || !ending) return made;
        made.reserve(bytes->size() + ending->size());
        made.append(bytes->data(), bytes->size());
        made.append(ending->data(), ending->size());
        return made;
    }
};

numpy_bytes broadcast_from(communicator const& comm, std::optional<input_bytes> const& of_root,
    std::optional<nb::bytes> const& ending, int root) {
    given_value const given{of_root, ending};
    buffer bytes;
    {
        collective_call const call(comm, "broadcast");
        bytes = broadcast_bytes(comm, given.joined(), nullptr, root);
    }
    return array_over(std::move(bytes));
}

list_of_arrays gather_on_0(communicator const& comm, std::optional<input_bytes> const& mine,
    std::optional<nb::bytes> const& ending, nb::handle failure) {
    given_value const given{mine, ending};
    std::exception_ptr thrown = failure_of(failure);
    message_list all;
    {
        collective_call const call(comm, "gather");
        all = gather_bytes(comm, given.joined(), std::move(thrown));
    }
    list_of_arrays made;
    for (message& each : all) made.append(nb::cast(array_over(std::move(each.data))));
    return made;
}

list_of_arrays gather_on_all(communicator const& comm, std::optional<input_bytes> const& mine,
    std::optional<nb::bytes> const& ending, nb::handle failure) {
    std::string bytes;
    if (mine && ending) {
        bytes.assign(reinterpret_cast<char const*>(mine->data()), mine->size());
        bytes.append(ending->c_str(), ending->size());
    }
    std::exception_ptr thrown = failure_of(failure);
    std::vector<std::string> all;
    {
        collective_call const call(comm, "all_gather");
        agree_same(comm, "all_gather", std::move(thrown));
        all = all_gather(comm, std::move(bytes));
    }
    list_of_arrays made;
    for (std::string& each : all) made.append(nb::cast(array_over(std::move(each))));
    return made;
}

} // namespace

void bind_collective(nb::module_& module) {
    module.def("reduce_in_place", &all_reduce_in_place, nb::arg("comm"), nb::arg("data").noconvert(),
        nb::arg("op"), nb::arg("kind"), nb::arg("element_bytes"), nb::arg("root").none());
    module.def("scan_in_place", &scan_in_place, nb::arg("comm"), nb::arg("data").noconvert(), nb::arg("op"),
        nb::arg("kind"), nb::arg("element_bytes"));
    module.def("broadcast_bytes", &broadcast_from, nb::arg("comm"), nb::arg("of_root").none(),
        nb::arg("ending").none(), nb::arg("root"), nb::rv_policy::automatic);
    module.def("gather_bytes", &gather_on_0, nb::arg("comm"), nb::arg("mine").none(),
        nb::arg("ending").none(), nb::arg("failure").none());
    module.def("all_gather_bytes", &gather_on_all, nb::arg("comm"), nb::arg("mine").none(),
        nb::arg("ending").none(), nb::arg("failure").none());
}

} // namespace weft::python
