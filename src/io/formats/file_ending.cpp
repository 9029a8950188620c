#include <core/lower_case.hpp>
#include <io/formats/file_ending.hpp>

#include <algorithm>

namespace weft::io {

std::string_view ending_among(std::filesystem::path const& file, std::span<std::string_view const> endings) {
    std::string const name = in_lower_case(file.filename().string());
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
