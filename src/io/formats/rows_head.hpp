/// The head of a built graph in Weft's binary form, version 2, and the layout behind it.
///
/// Rows have the neighbours of each vertex, ascending and distinct, without the vertex itself; of a directed
/// graph there are rows of the arcs that leave it and of those that come in. Loops and equal edges, which
/// rows leave out, stand among the extra edges, so that no edge is lost. Vertices are numbered 0..n-1. All in
/// the order of bytes of the machine that wrote it.
#pragma once

#include "binary_head.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace weft::io {

/// The parts of the file, in their order.
enum class rows_section : std::uint8_t {
    out_first,     ///< where the row of each vertex begins, and at last their end; 8 bytes
    in_first,      ///< the same of incoming arcs, of directed graphs
    labels,        ///< of `numbers` that do not ascend by 1; 8 bytes
    name_ends,     ///< of `text`, where each name ends; 8 bytes
    out_ids,       ///< neighbours; 4 bytes
    in_ids,        ///< of directed graphs
    out_weights,   ///< one a neighbour, of equal edges the least; 4 or 8 bytes, or none
    in_weights,    ///< of directed graphs
    extra_ends,    ///< two ends of each extra edge; 4 bytes each
    extra_weights, ///< one an extra edge
    names          ///< characters
};
inline constexpr std::size_t rows_sections = 11;

/// As it stands in the file.
struct rows_head {
    static constexpr std::uint32_t version_of_rows = 2;
    static constexpr std::uint32_t is_directed = 1, labels_ascend = 2, has_equal_edges = 4;

    std::array<char, 8> magic{};
    std::uint32_t byte_order = binary_head::own_byte_order;
    std::uint32_t version = version_of_rows;
    std::uint32_t naming = 0;
    std::uint32_t symmetry = 0;
    std::uint32_t flags = 0;
    std::uint32_t weight_bytes = 0; ///< 4 where all weights are floats, 0 where there are none
    std::int64_t vertices = 0;
    std::int64_t first_id = 0; ///< of `declared`, and of labels that ascend by 1
    std::int64_t out_arcs = 0;
    std::int64_t in_arcs = 0; ///< 0 where the graph has no direction
    std::int64_t extras = 0;
    std::int64_t loops = 0; ///< of these
    std::int64_t name_bytes = 0;
    std::array<std::uint64_t, rows_sections> sums{}; ///< by section, see `sum_of_units`
    std::uint64_t own_sum = 0;

    [[nodiscard]] bool has(std::uint32_t flag) const noexcept { return (flags & flag) != 0; }
    [[nodiscard]] std::int64_t bytes_of(rows_section which) const noexcept;
    /// Where a section begins.
    [[nodiscard]] std::int64_t begin_of(rows_section which) const noexcept;
    [[nodiscard]] std::int64_t file_bytes() const noexcept;
    /// The sum over the head without `own_sum`.
    [[nodiscard]] std::uint64_t sum() const noexcept;
};
static_assert(sizeof(rows_head) == 184);

/// The check sum of units of a section: each counts by its place, so that ranks add up what they read, and a
/// changed bit always changes the sum.
template <class Unit>
[[nodiscard]] std::uint64_t sum_of_units(std::span<Unit const> units, std::int64_t place) noexcept {
    std::uint64_t sum = 0;
    auto factor = static_cast<std::uint32_t>(2 * place + 1);
    for (Unit const unit : units) {
        sum += std::uint64_t{unit} * factor;
        factor += 2;
    }
    return sum;
}

/// True where the file begins as one with rows does.
[[nodiscard]] bool begins_with_rows(file_handle const& file);
/// Reads the head, and checks it and the size of the file. Local. Throws: as `read_binary_head`.
[[nodiscard]] rows_head read_rows_head(file_handle const& file);

} // namespace weft::io
