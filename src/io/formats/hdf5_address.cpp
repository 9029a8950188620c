#include <core/lower_case.hpp>
#include <io/formats/hdf5_address.hpp>

#include <algorithm>
#include <cstddef>

namespace weft::io {

std::optional<hdf5_address> hdf5_address_of(std::filesystem::path const& name) {
    std::string const text = name.string();
    std::string const lower = in_lower_case(text);
    for (std::string_view const ending : hdf5_endings) {
        if (lower.ends_with(ending)) return hdf5_address{name, {}};
        std::size_t const found = lower.find(std::string(ending) + ":");
        if (found != std::string::npos)
            return hdf5_address{
                text.substr(0, found + ending.size()), text.substr(found + ending.size() + 1)};
    }
    return std::nullopt;
}

} // namespace weft::io
