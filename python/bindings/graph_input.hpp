/// Graphs as Python gives them, and the names of their vertices.
#pragma once

#include "call.hpp"

#include <io/formats/built_graph.hpp>
#include <weft/core/error.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/graph/vertex_set.hpp>
#include <weft/io/named_generator.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/protocol/collectives.hpp>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace weft::python {

using edge_array = nb::ndarray<std::int64_t const, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

using weight_array = nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Numbers of vertices, by the names that the graph has.
using named_weights = std::vector<std::pair<std::string, double>>;

/// The vertices of these; `name` names the argument in errors. Collective; within a collective call.
inline std::vector<ranked_vertex> values_of(
    vertex_set const& vertices, char const* name, named_weights const& given) {
    std::vector<ranked_vertex> list;
    for (auto const& [vertex, value] : given) {
        list.push_back({vertices.find(vertex), value});
        if (list.back().vertex < 0) // on all ranks
            throw usage_error(std::string(name) + ": the graph has no vertex " + vertex);
    }
    return list;
}

/// The vertices of these names; `name` names the argument in errors. Collective; within a collective call.
inline std::vector<global_id> vertices_named(
    vertex_set const& vertices, char const* name, std::vector<std::string> const& given) {
    std::vector<global_id> found;
    for (std::string const& each : given) {
        found.push_back(vertices.find(each));
        if (found.back() < 0) // on all ranks
            throw usage_error(std::string(name) + ": the graph has no vertex " + each);
    }
    return found;
}

/// A graph as Python gives it: a file, a generator, or the edges of this rank.
struct graph_input {
    std::optional<std::string> file;
    bool is_generator = false; ///< `file` is the text of one
    std::uint64_t seed = 1;    ///< of a generator
    edge_array edges;
    std::optional<weight_array> weights; ///< one an edge
    bool wants_weights = false;          ///< of a file
    std::int64_t vertices = -1;          ///< of an array: how many; -1 where they are those that occur
    bool directed = false;               ///< of an array

    /// The graph of a file that holds its rows, which are read when they are needed. Collective.
    [[nodiscard]] std::optional<io::built_graph> open_built(communicator const& comm) const {
        if (!file || is_generator) return std::nullopt;
        std::error_code unknown;
        bool const is_file = std::filesystem::is_regular_file(*file, unknown); // a pipe is read once
        if (max(comm, comm.rank() == 0 && is_file ? 1 : 0) == 0) return std::nullopt;
        return io::open_built_graph(comm, *file, {.weights = wants_weights});
    }

    [[nodiscard]] edge_list read(communicator const& comm) const {
        if (file && is_generator) return generate_graph(comm, *file, {.seed = seed});
        if (file) {
            edge_list list = read_graph(comm, *file, {.weights = wants_weights, .warn = warn_in_python});
            if (!list.weighted) list.weights = {};
            return list;
        }
        edge_list list;
        list.edges.resize(edges.shape(0));
        if (!list.edges.empty())
            std::memcpy(list.edges.data(), edges.data(), list.edges.size() * sizeof(edge));
        list.naming = vertices >= 0 ? vertex_naming::declared : vertex_naming::numbers;
        if (vertices >= 0) list.vertices = list.rows = list.columns = vertices;
        if (weights) list.weights.assign(weights->data(), weights->data() + weights->size());
        list.weighted = weights.has_value();
        list.directed = directed;
        list.format = "arrays";
        return list;
    }
};
static_assert(sizeof(edge) == 2 * sizeof(std::int64_t));

/// Original ids: numbers where the input has numbers.
struct original_names {
    std::vector<std::int64_t> numbers;
    std::vector<std::string> texts;
    bool are_text = false;

    [[nodiscard]] nb::object to_python() && {
        if (are_text) return nb::cast(texts);
        return nb::cast(array_of(std::move(numbers)));
    }
};

inline std::int64_t number_in(std::string const& text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Of the vertices of this rank. Local.
inline original_names own_names(vertex_set const& vertices) {
    original_names names{.numbers = {}, .texts = {}, .are_text = vertices.naming() == vertex_naming::text};
    std::int64_t const count = vertices.local_count();
    if (names.are_text) {
        for (std::int64_t i = 0; i < count; ++i) names.texts.push_back(vertices.original_id(i));
        return names;
    }
    names.numbers.reserve(static_cast<std::size_t>(count));
    if (vertices.naming() == vertex_naming::declared && count > 0) { // they follow each other
        std::int64_t const first = number_in(vertices.original_id(0));
        for (std::int64_t i = 0; i < count; ++i) names.numbers.push_back(first + i);
        return names;
    }
    for (std::int64_t i = 0; i < count; ++i) names.numbers.push_back(number_in(vertices.original_id(i)));
    return names;
}

/// Of vertices of any rank. Collective.
inline original_names names_of(
    vertex_set const& vertices, std::vector<global_id>&& asked, std::int64_t first_id) {
    original_names names{.numbers = {}, .texts = {}, .are_text = vertices.naming() == vertex_naming::text};
    if (vertices.naming() == vertex_naming::declared) {
        names.numbers = std::move(asked);
        if (first_id != 0)
            for (std::int64_t& each : names.numbers) each += first_id;
        return names;
    }
    std::vector<std::string> texts = vertices.original_ids(asked);
    if (names.are_text) {
        names.texts = std::move(texts);
    } else {
        names.numbers.reserve(texts.size());
        for (std::string const& each : texts) names.numbers.push_back(number_in(each));
    }
    return names;
}

/// A count of each vertex, and how many vertices have each.
inline dict_by_name counted(char const* name, std::vector<std::int64_t>&& counts, std::int64_t largest,
    std::map<std::int64_t, std::int64_t> const& histogram) {
    dict_by_name made;
    made[name] = array_of(std::move(counts));
    made["largest"] = largest;
    made["histogram"] = histogram;
    return made;
}

} // namespace weft::python
