#include <contouring/boundary.hpp>
#include <contouring/case_table.hpp>

#include <weft/exchange/exchange.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace weft::contouring {

namespace {

constexpr global_id no_corner = std::numeric_limits<global_id>::max();

/// A face of a cell.
struct shared_face {
    std::array<global_id, 4> corners; ///< in order, the lowest first; the last of a triangle is `no_corner`
    double value;                     ///< of the cell
};

/// Returns a key that is equal for both cells of a face, whose corners may be in opposite orders.
std::array<global_id, 4> key_of(shared_face const& face) noexcept {
    std::array<global_id, 4> key = face.corners;
    std::ranges::sort(key);
    return key;
}

/// Returns a face from its corners in order. A degenerate cell may repeat corners: these count once, and
/// nothing is returned if fewer than three remain.
std::optional<std::array<global_id, 4>> face_of(std::array<global_id, 4> const& around) noexcept {
    std::array<global_id, 4> corners{no_corner, no_corner, no_corner, no_corner};
    std::size_t count = 0;
    for (global_id const each : around)
        if (std::find(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count), each) ==
            corners.begin() + static_cast<std::ptrdiff_t>(count))
            corners[count++] = each;
    if (count < 3) return std::nullopt;
    auto const end = corners.begin() + static_cast<std::ptrdiff_t>(count);
    std::rotate(corners.begin(), std::min_element(corners.begin(), end), end);
    return corners;
}

/// Returns the faces with lowest corners on this rank that occur once, in the order of their corners.
std::vector<shared_face> single_faces(
    communicator const& comm, mesh const& of, std::vector<double> const& of_cells) {
    outbox<shared_face> out(comm);
    agreed(comm, [&] {
        std::size_t at = 0;
        for (std::size_t cell = 0; cell < of.kinds.size(); ++cell) {
            for (auto const& face : table_of(of.kinds[cell]).faces) {
                std::array<global_id, 4> around{};
                for (std::size_t c = 0; c < 4; ++c) around[c] = of.corners[at + face[c]];
                auto const corners = face_of(around);
                if (!corners) continue;
                out[of.points.owner(corners->front())].push_back(
                    {*corners, of_cells.empty() ? 0.0 : of_cells[cell]});
            }
            at += corners_of(of.kinds[cell]);
        }
    });
    inbox<shared_face> const come = exchange(std::move(out));
    std::vector<shared_face> faces;
    agreed(comm, [&] {
        for (auto const& [source, items] : come) faces.insert(faces.end(), items.begin(), items.end());
        std::ranges::sort(faces, {}, key_of);
        auto kept = faces.begin();
        for (auto first = faces.begin(); first != faces.end();) {
            auto const next = std::find_if(
                first, faces.end(), [&](shared_face const& each) { return key_of(each) != key_of(*first); });
            if (next - first == 1) *kept++ = *first;
            first = next;
        }
        faces.erase(kept, faces.end());
    });
    return faces;
}

} // namespace

surface boundary_of(
    communicator const& comm, mesh const& of, named_values const& field, bool field_of_cells) {
    bool const has_field = !field.name.empty();
    std::vector<double> const none;
    std::vector<shared_face> const faces =
        single_faces(comm, of, has_field && field_of_cells ? field.values : none);
    surface made;
    std::vector<global_id> corners; // of all triangles, one after the other
    named_values of_triangles{field.name, 1, {}};
    agreed(comm, [&] {
        for (shared_face const& face : faces) {
            auto const& [a, b, c, d] = face.corners;
            corners.insert(corners.end(), {a, b, c});
            if (d != no_corner) corners.insert(corners.end(), {a, c, d});
            of_triangles.values.resize(corners.size() / 3, face.value);
        }
    });
    part_to_block const plan(comm, of.points, corners);
    made.points = block_distribution::from_sizes(comm, static_cast<std::int64_t>(plan.ids().size()));
    made.triangles = block_distribution::from_sizes(comm, static_cast<std::int64_t>(corners.size() / 3));
    std::vector<global_id> numbers;
    agreed(comm, [&] {
        named_values of_points{field.name, 1, {}};
        for (global_id const id : plan.ids()) {
            auto const at = static_cast<std::size_t>(id - of.points.begin(comm.rank()));
            numbers.push_back(made.points.begin(comm.rank()) + static_cast<global_id>(numbers.size()));
            made.places.push_back(of.places[at]);
            if (has_field && !field_of_cells) of_points.values.push_back(field.values[at]);
        }
        made.normals.resize(numbers.size());
        made.values.resize(numbers.size());
        if (has_field && field_of_cells)
            made.of_triangles.push_back(std::move(of_triangles));
        else if (has_field)
            made.of_points.push_back(std::move(of_points));
    });
    std::vector<global_id> const renumbered = plan.reverse(numbers);
    agreed(comm, [&] {
        for (std::size_t i = 0; i + 2 < renumbered.size(); i += 3)
            made.corners.push_back({renumbered[i], renumbered[i + 1], renumbered[i + 2]});
    });
    return made;
}

} // namespace weft::contouring
