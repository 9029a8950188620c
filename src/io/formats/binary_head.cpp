#include "binary_head.hpp"

#include <weft/core/error.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

namespace weft::io {

namespace {

constexpr char const* cure_by_converting = "; make it again by weft convert";

/// Names a file that does not begin as this form does.
std::string first_bytes_of(std::array<char, 8> const& magic, std::size_t bytes) {
    if (bytes == 0) return "an empty file";
    std::string_view const start(magic.data(), std::min(bytes, magic.size()));
    for (std::string_view const packed : {"\x1f\x8b", "BZh", "\xfd\x37zXZ", "\x28\xb5\x2f\xfd"})
        if (start.starts_with(packed)) return "a packed one; unpack it first";
    return "another one; set `format` to what it is";
}

bool is_possible(binary_head const& head, std::int64_t bytes) {
    auto const is_count = [&](std::int64_t count) { return count >= 0 && count <= bytes; };
    bool const sizes = (head.end_bytes == 4 || head.end_bytes == 8) &&
                       (head.weight_bytes == 0 || head.weight_bytes == 4 || head.weight_bytes == 8);
    bool const names = head.naming == static_cast<std::uint32_t>(vertex_naming::text)
                           ? head.vertices == 0
                           : head.names == 0 && head.name_bytes == 0;
    return sizes && names && is_count(head.edges) && is_count(head.names) && is_count(head.name_bytes) &&
           head.vertices >= 0 && head.rows >= 0 && head.columns >= 0 &&
           head.naming <= static_cast<std::uint32_t>(vertex_naming::text) &&
           head.symmetry <= static_cast<std::uint32_t>(matrix_symmetry::hermitian);
}

} // namespace

std::uint64_t binary_head::sum() const noexcept {
    std::array<std::uint64_t, sizeof(binary_head) / 8> words{};
    std::memcpy(words.data(), this, sizeof(binary_head));
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        sum += check_of(words[i], static_cast<std::int64_t>(i));
    return sum;
}

std::uint64_t check_of(double weight, std::int64_t place) noexcept {
    return check_of(std::bit_cast<std::uint64_t>(weight), place);
}

std::uint64_t check_of(std::string_view name, std::int64_t place) noexcept {
    return check_of(weft::detail::hash_of(std::as_bytes(std::span(name))), place);
}

void throw_damaged(std::filesystem::path const& file) {
    throw io_error(
        file.string() + ": the graph is damaged: its check sum does not match" + cure_by_converting);
}

void throw_cut_head(std::filesystem::path const& file) {
    throw io_error(file.string() + ": the file is cut short within its head" + cure_by_converting);
}

void check_size(file_handle const& file, std::int64_t expected) {
    std::int64_t const bytes = file.size();
    if (bytes != expected)
        throw io_error(file.path().string() + ": expected " + std::to_string(expected) + " bytes, found " +
                       std::to_string(bytes) +
                       (bytes < expected ? ": the file is cut short" : ": something follows the graph") +
                       cure_by_converting);
}

bool fits_float(double weight) noexcept {
    // By bits, so that a NaN and a negative zero come back as they are.
    if (!(weight >= -std::numeric_limits<float>::max() && weight <= std::numeric_limits<float>::max()))
        return false;
    return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(weight))) ==
           std::bit_cast<std::uint64_t>(weight);
}

std::uint64_t sum_of_words(communicator const& comm, std::uint64_t mine) {
    constexpr std::uint64_t half = std::numeric_limits<std::uint32_t>::max();
    auto const low = static_cast<std::uint64_t>(sum(comm, static_cast<std::int64_t>(mine & half)));
    auto const high = static_cast<std::uint64_t>(sum(comm, static_cast<std::int64_t>(mine >> 32)));
    return low + (high << 32);
}

binary_head read_binary_head(file_handle const& file) {
    std::string const name = file.path().string();
    binary_head head;
    std::int64_t const bytes = file.size();
    std::size_t const got = file.read(reinterpret_cast<char*>(&head), sizeof head, 0);
    if (got < head.magic.size() || std::string_view(head.magic.data(), head.magic.size()) != binary_magic)
        throw io_error(
            name + ": expected a graph in Weft's binary form, found " + first_bytes_of(head.magic, got));
    if (got < sizeof head) throw_cut_head(file.path());
    if (head.byte_order != binary_head::own_byte_order)
        throw io_error(name + ": the graph was written with another order of bytes" + cure_by_converting +
                       " on a machine like this one");
    if (head.version != binary_head::newest_version)
        throw io_error(name + ": expected version 1 or 2 of the binary form, found " +
                       std::to_string(head.version) + ", which another version of Weft reads" +
                       cure_by_converting + " of this one");
    if (head.own_sum != head.sum() || !is_possible(head, bytes)) throw_damaged(file.path());
    check_size(file, head.file_bytes());
    return head;
}

} // namespace weft::io
