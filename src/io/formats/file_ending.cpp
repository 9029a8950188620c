#include <io/formats/file_ending.hpp>

#include <algorithm>
#include <cctype>

namespace weft::io {

std::string_view ending_among(std::filesystem::path const& file, std::span<std::string_view const> endings) {
    std::string name = file.filename().string();
    std::ranges::transform(
        name, name.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
    std::string_view found;
    for (std::string_view const each : endings)
        if (name.size() > each.size() && name.ends_with(each) && each.size() > found.size()) found = each;
    return found;
}

std::string list_of_endings(std::span<std::string_view const> endings) {
    std::string list;
    for (std::string_view const each : endings) list.append(list.empty() ? "" : ", ").append(each);
    return list;
}

} // namespace weft::io
