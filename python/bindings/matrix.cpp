/// Sparse matrices and their products with vectors.
#include "call.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/sparse_matrix.hpp>
#include <weft/io/read_graph.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <optional>

namespace weft::python {

namespace {

using doubles = nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using doubles_out = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using entry_array = nb::ndarray<std::int64_t const, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
static_assert(sizeof(edge) == 2 * sizeof(std::int64_t));

sparse_matrix matrix_of_entries(communicator const& comm, std::int64_t rows, std::int64_t columns,
    entry_array const& entries, doubles const& values) {
    edge_list list;
    list.edges.resize(entries.shape(0));
    if (!list.edges.empty()) std::memcpy(list.edges.data(), entries.data(), list.edges.size() * sizeof(edge));
    list.weights.assign(values.data(), values.data() + values.size());
    list.weighted = true;
    list.rows = rows;
    list.columns = columns;
    list.bipartite = rows != columns;
    list.vertices = list.bipartite ? rows + columns : rows;
    if (list.bipartite)
        for (edge& each : list.edges) each.target += rows;
    list.directed = true;
    list.format = "arrays";
    collective_call const call(comm, "SparseMatrix");
    return {comm, std::move(list)};
}

sparse_matrix matrix_of_file(communicator const& comm, std::string const& file) {
    collective_call const call(comm, "SparseMatrix");
    return {comm, read_graph(comm, file, {.weights = true, .warn = warn_in_python})};
}

nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> offsets_of(uniform_distribution const& of) {
    std::vector<std::int64_t> offsets;
    for (int part = 0; part <= of.parts(); ++part) offsets.push_back(of.begin(part));
    return array_of(std::move(offsets));
}

} // namespace

void bind_matrix(nb::module_& module) {
    nb::class_<sparse_matrix>(module, "SparseMatrix")
        .def_static("of_entries", &matrix_of_entries, nb::arg("comm"), nb::arg("rows"), nb::arg("columns"),
            nb::arg("entries"), nb::arg("values"))
        .def_static("of_file", &matrix_of_file, nb::arg("comm"), nb::arg("file"))
        .def_prop_ro("entries", &sparse_matrix::entry_count)
        .def_prop_ro(
            "row_offsets", [](sparse_matrix const& matrix) { return offsets_of(matrix.rows()); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "column_offsets", [](sparse_matrix const& matrix) { return offsets_of(matrix.columns()); },
            nb::rv_policy::automatic)
        .def(
            "multiply",
            [](sparse_matrix& matrix, doubles const& x, doubles_out const& y) {
                library_call const call;
                matrix.multiply({x.data(), x.size()}, {y.data(), y.size()});
            },
            nb::arg("x"), nb::arg("y").noconvert());
}

} // namespace weft::python
