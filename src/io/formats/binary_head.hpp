/// The head of a graph in Weft's binary form, and the layout behind it.
///
/// Head; two ends an edge, of 4 or 8 bytes; a weight an edge, of 4 or 8 bytes, where there are some; for
/// labels that are text, where each label ends among the characters, then the characters. All in the order of
/// bytes of the machine that wrote it. Edges stand in the order of ranks.
#pragma once

#include <files/file_handle.hpp>

#include <weft/core/communicator.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/graph/edge_list.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace weft::io {

/// The first bytes of every such file: a byte beyond ASCII and a line end, which transfers as text damage.
inline constexpr std::string_view binary_magic = "\x89WGRAPH\n";

/// As it stands in the file.
struct binary_head {
    static constexpr std::uint32_t own_byte_order = 0x01020304, newest_version = 1;
    static constexpr std::uint32_t is_directed = 1, has_both_directions = 2, is_bipartite = 4;

    std::array<char, 8> magic{};
    std::uint32_t byte_order = own_byte_order;
    std::uint32_t version = newest_version;
    std::uint32_t naming = 0;
    std::uint32_t symmetry = 0;
    std::uint16_t end_bytes = 8;    ///< 4 where all ends are of 0..2^32-1
    std::uint16_t weight_bytes = 0; ///< 4 where all weights are floats, 0 where there are none
    std::uint32_t flags = 0;
    std::int64_t vertices = 0; ///< of `edge_list`, as the next three
    std::int64_t first_id = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t edges = 0;
    std::int64_t names = 0;
    std::int64_t name_bytes = 0;
    std::uint64_t edge_sum = 0; ///< check sums, see below
    std::uint64_t weight_sum = 0;
    std::uint64_t name_sum = 0;
    std::uint64_t own_sum = 0; ///< of the head

    [[nodiscard]] std::int64_t first_edge() const noexcept { return sizeof(binary_head); }
    [[nodiscard]] std::int64_t first_weight() const noexcept { return first_edge() + edges * 2 * end_bytes; }
    [[nodiscard]] std::int64_t first_name_end() const noexcept {
        return first_weight() + edges * weight_bytes;
    }
    [[nodiscard]] std::int64_t first_name() const noexcept { return first_name_end() + names * 8; }
    [[nodiscard]] std::int64_t file_bytes() const noexcept { return first_name() + name_bytes; }
    /// The sum over the head without `own_sum`.
    [[nodiscard]] std::uint64_t sum() const noexcept;
};
static_assert(sizeof(binary_head) == 120);

/// Check sums are sums over items, each mixed with its place, so that ranks add up what they read.
[[nodiscard]] constexpr std::uint64_t check_of(std::uint64_t bits, std::int64_t place) noexcept {
    return weft::detail::mixed(bits + static_cast<std::uint64_t>(place) * 0xd1342543de82ef95U);
}
[[nodiscard]] constexpr std::uint64_t check_of(edge const& each, std::int64_t place) noexcept {
    return check_of(static_cast<std::uint64_t>(each.source) * weft::detail::golden +
                        static_cast<std::uint64_t>(each.target),
        place);
}
[[nodiscard]] std::uint64_t check_of(double weight, std::int64_t place) noexcept;
[[nodiscard]] std::uint64_t check_of(std::string_view name, std::int64_t place) noexcept;

/// Reads the head, and checks it and the size of the file. Local. Throws: `io_error` for a file that is
/// another one, of a newer version or of another order of bytes, damaged or cut short, with the cure.
[[nodiscard]] binary_head read_binary_head(file_handle const& file);

/// Throws the `io_error` of a file that ends within its head.
[[noreturn]] void throw_cut_head(std::filesystem::path const& file);
/// Throws an `io_error` where a file is shorter or longer than its head tells. Local.
void check_size(file_handle const& file, std::int64_t expected);
/// True if four bytes tell all of a weight.
[[nodiscard]] bool fits_float(double weight) noexcept;
/// The sum over ranks of words that run over. Collective.
[[nodiscard]] std::uint64_t sum_of_words(communicator const& comm, std::uint64_t mine);

/// Throws the `io_error` of a file whose contents are not those that were written.
[[noreturn]] void throw_damaged(std::filesystem::path const& file);

} // namespace weft::io
