#include "rows_head.hpp"

#include <weft/core/error.hpp>

#include <bit>
#include <cstring>
#include <limits>
#include <string>

namespace weft::io {

namespace {

bool is_possible_rows(rows_head const& head, std::int64_t bytes) {
    auto const is_count = [&](std::int64_t count) { return count >= 0 && count <= bytes; };
    bool const sizes = head.weight_bytes == 0 || head.weight_bytes == 4 || head.weight_bytes == 8;
    bool const known = head.naming <= static_cast<std::uint32_t>(vertex_naming::text) &&
                       head.symmetry <= static_cast<std::uint32_t>(matrix_symmetry::hermitian) &&
                       head.flags < 8;
    return sizes && known && is_count(head.vertices) &&
           head.vertices < std::int64_t{std::numeric_limits<std::uint32_t>::max()} &&
           is_count(head.out_arcs) && is_count(head.in_arcs) && is_count(head.extras) && head.loops >= 0 &&
           head.loops <= head.extras && is_count(head.name_bytes);
}

} // namespace

std::int64_t rows_head::bytes_of(rows_section which) const noexcept {
    bool const directed = has(is_directed);
    auto const is = [&](vertex_naming each) { return naming == static_cast<std::uint32_t>(each); };
    switch (which) {
    case rows_section::out_first:
        return (vertices + 1) * 8;
    case rows_section::in_first:
        return directed ? (vertices + 1) * 8 : 0;
    case rows_section::labels:
        return is(vertex_naming::numbers) && !has(labels_ascend) ? vertices * 8 : 0;
    case rows_section::name_ends:
        return is(vertex_naming::text) ? vertices * 8 : 0;
    case rows_section::out_ids:
        return out_arcs * 4;
    case rows_section::in_ids:
        return in_arcs * 4;
    case rows_section::out_weights:
        return out_arcs * weight_bytes;
    case rows_section::in_weights:
        return in_arcs * weight_bytes;
    case rows_section::extra_ends:
        return extras * 8;
    case rows_section::extra_weights:
        return extras * weight_bytes;
    default:
        return name_bytes;
    }
}

std::int64_t rows_head::begin_of(rows_section which) const noexcept {
    std::int64_t begin = sizeof(rows_head);
    for (std::size_t i = 0; i < static_cast<std::size_t>(which); ++i)
        begin += bytes_of(static_cast<rows_section>(i));
    return begin;
}

std::int64_t rows_head::file_bytes() const noexcept {
    return begin_of(rows_section::names) + name_bytes;
}

std::uint64_t rows_head::sum() const noexcept {
    std::array<std::uint64_t, sizeof(rows_head) / 8> words{};
    std::memcpy(words.data(), this, sizeof(rows_head));
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        sum += check_of(words[i], static_cast<std::int64_t>(i));
    return sum;
}

bool begins_with_rows(file_handle const& file) {
    std::array<char, 16> start{};
    std::uint32_t order = 0, version = 0;
    std::size_t const got = file.read(start.data(), start.size(), 0);
    std::memcpy(&order, start.data() + 8, sizeof order);
    std::memcpy(&version, start.data() + 12, sizeof version);
    return got == start.size() && std::string_view(start.data(), 8) == binary_magic &&
           order == binary_head::own_byte_order && version == rows_head::version_of_rows;
}

rows_head read_rows_head(file_handle const& file) {
    rows_head head;
    std::int64_t const bytes = file.size();
    if (file.read(reinterpret_cast<char*>(&head), sizeof head, 0) < sizeof head) throw_cut_head(file.path());
    if (head.own_sum != head.sum() || !is_possible_rows(head, bytes)) throw_damaged(file.path());
    check_size(file, head.file_bytes());
    return head;
}

} // namespace weft::io
