#include "answers.hpp"

#include <meshes/read_mesh.hpp>

#include <weft/core/error.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/snapshots/snapshot.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace weft_test {

namespace {

using weft::box;
using weft::grid_shape;
using weft::grid_source;

constexpr std::size_t most_bytes = std::size_t{8} << 20;

std::string values_of(grid_source& source, box<std::int64_t> const& points) {
    std::string values(weft::bytes_of(source.shape(), points), '?');
    source.read(points, std::as_writable_bytes(std::span(values.data(), values.size())));
    return values;
}

/// The values of all but the first layer along the slowest axis that has several are the end of all values;
/// the first column is in its places.
void compare_parts(grid_source& source, std::string const& whole) {
    grid_shape const& shape = source.shape();
    std::size_t slowest = 2;
    while (slowest > 0 && shape.points[slowest] == 1) --slowest;
    box<std::int64_t> part = weft::points_of(shape);
    if (part.hi[slowest] < 2) return;
    part.lo[slowest] = 1;
    if (!whole.ends_with(values_of(source, part))) throw bad_answer("a part differs from the whole");
    box<std::int64_t> column = weft::points_of(shape);
    column.hi[0] = 1;
    std::string const first = values_of(source, column);
    std::size_t const point = weft::size_of(shape.type) * static_cast<std::size_t>(shape.components);
    std::size_t const row = point * static_cast<std::size_t>(shape.points[0]);
    for (std::size_t i = 0; i * row < whole.size(); ++i)
        if (std::memcmp(whole.data() + i * row, first.data() + i * point, point) != 0)
            throw bad_answer("a column differs from the whole");
}

std::string answer_of_grid(std::filesystem::path const& file, weft::grid_file_options const& options) {
    auto const source = weft::open_grid(file, options);
    grid_shape const& shape = source->shape();
    std::string said = std::string(weft::name_of(shape.type)) + ' ' + std::to_string(shape.components);
    for (std::size_t d = 0; d < 3; ++d) {
        if (shape.points[d] < 1 || shape.axes[d].size() != static_cast<std::size_t>(shape.points[d]))
            throw bad_answer("an axis has " + std::to_string(shape.axes[d].size()) + " coordinates for " +
                             std::to_string(shape.points[d]) + " points");
        said += ' ' + std::to_string(shape.points[d]);
        if (shape.points[d] < 1000)
            for (double const each : shape.axes[d]) said += ' ' + std::to_string(each);
    }
    if (weft::bytes_of(shape, weft::points_of(shape)) > most_bytes) {
        box<std::int64_t> corner = weft::points_of(shape);
        for (std::size_t d = 0; d < 3; ++d) corner.hi[d] = std::min<std::int64_t>(corner.hi[d], 2);
        // Images and tiles are decoded whole.
        if (shape.points[0] < 1 << 20 && shape.points[1] < 1 << 20 &&
            shape.points[0] * shape.points[1] < 1 << 22)
            said += values_of(*source, corner);
        return said;
    }
    std::string const whole = values_of(*source, weft::points_of(shape));
    compare_parts(*source, whole);
    return said + ' ' + whole;
}

std::string answer_of_graph(
    weft::communicator const& alone, std::filesystem::path const& file, std::int64_t block_bytes) {
    weft::read_options options;
    options.weights = true;
    options.block_bytes = block_bytes;
    weft::edge_list const graph = weft::read_graph(alone, file.string(), options);
    if (graph.weights.size() != graph.edges.size()) throw bad_answer("not each edge has a weight");
    std::string said = std::to_string(graph.rows) + ' ' + std::to_string(graph.columns) + ' ' +
                       std::to_string(graph.vertices) + ' ' + graph.format + '\n';
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        for (std::int64_t const end : {graph.edges[i].source, graph.edges[i].target}) {
            if (graph.naming == weft::vertex_naming::declared && (end < 0 || end >= graph.vertices))
                throw bad_answer("an edge to a vertex that does not exist");
            if (graph.naming != weft::vertex_naming::text)
                said += std::to_string(end) + ' ';
            else
                said += graph.names.at(static_cast<std::size_t>(end)) + ' ';
        }
        char weight[40];
        std::snprintf(weight, sizeof weight, "%.17g\n", graph.weights[i]);
        said += weight;
    }
    return said;
}

std::string answer_of_particles(weft::communicator const& alone, std::filesystem::path const& file) {
    weft::snapshot const found = weft::read_particles(alone, file.string());
    std::string said = found.format;
    for (std::size_t i = 0; i < found.particles.size(); ++i) {
        weft::particle const& each = found.particles[i];
        if (!found.checkpoint && each.index != static_cast<std::int64_t>(i))
            throw bad_answer("a particle has another place than its index");
        said.append(reinterpret_cast<char const*>(&each), sizeof each);
    }
    return said;
}

std::string answer_of_mesh(
    weft::communicator const& alone, std::filesystem::path const& file, weft::mesh_request const& wanted) {
    weft::mesh_input const found = weft::read_mesh(alone, file, wanted);
    weft::check(alone, found.of);
    std::string said = found.field.name;
    auto const add = [&](auto const& values) {
        said.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof(values[0]));
    };
    add(found.of.places);
    add(found.of.kinds);
    add(found.of.corners);
    add(found.field.values);
    for (auto const* const fields : {&found.of.of_points, &found.of.of_cells})
        for (weft::named_values const& each : *fields) add(each.values);
    return said;
}

/// The sound one of two files that belong together, beside the other.
std::filesystem::path other_file(std::filesystem::path const& file, seed_file const& seed) {
    auto const other = file.parent_path() / ("other." + seed.name);
    if (!std::filesystem::exists(other)) std::ofstream(other, std::ios::binary) << seed.other;
    return other;
}

/// Empty for a file that is refused, in one line that names it, or the sound one that it does not fit.
template <class Read>
std::string answer_or_refusal(std::filesystem::path const& file, Read&& read) {
    std::string said;
    try {
        return read();
    } catch (weft::io_error const& caught) { said = caught.what(); } catch (weft::usage_error const& caught) {
        said = caught.what();
    }
    bool const names_it =
        said.starts_with(file.string()) || said.starts_with((file.parent_path() / "other.").string());
    if (!names_it || said.find('\n') != said.npos || said.size() > 1200)
        throw bad_answer("a complaint that is not one short line with the name of the file: " + said);
    return {};
}

} // namespace

std::string answer_of(
    weft::communicator const& alone, std::filesystem::path const& file, seed_file const& seed) {
    auto const read = [&](std::int64_t block_bytes) {
        return answer_or_refusal(file, [&] {
            switch (seed.whose) {
            case readers::of_graphs:
                return answer_of_graph(alone, file, block_bytes);
            case readers::of_particles:
                return answer_of_particles(alone, file);
            case readers::of_meshes:
                return answer_of_mesh(
                    alone, file, {.field = "heat", .field_may_be_of_cells = true, .carried = {"wind"}});
            case readers::of_block_grids:
                return answer_of_mesh(
                    alone, file, {.field = "", .carried = {"momentum"}, .solution = other_file(file, seed)});
            case readers::of_solutions:
                return answer_of_mesh(
                    alone, other_file(file, seed), {.field = "", .carried = {"momentum"}, .solution = file});
            default:
                if (!seed.other.empty()) (void)other_file(file, seed);
                return answer_of_grid(file, seed.options);
            }
        });
    };
    std::string const answer = read(std::int64_t{1} << 20);
    if (read(24) != answer) throw bad_answer("the same file has two answers");
    return answer;
}

} // namespace weft_test
