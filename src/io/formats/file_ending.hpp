/// Endings of the names of files.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace weft::io {

/// Returns the longest of `endings` that the name of a file has, in small or capital letters; empty where it
/// has none of them. They are given in small letters, each with its dot.
[[nodiscard]] std::string_view ending_among(
    std::filesystem::path const& file, std::span<std::string_view const> endings);

/// Returns ".a, .b, .c".
[[nodiscard]] std::string list_of_endings(std::span<std::string_view const> endings);

} // namespace weft::io
