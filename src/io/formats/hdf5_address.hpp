/// Names of datasets in HDF5 files: `file.h5:/path`. No library of HDF5 is needed to tell one.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft::io {

inline constexpr std::array<std::string_view, 3> hdf5_endings{".h5", ".hdf5", ".he5"};

/// An HDF5 file and the path within it; the path is empty where none is named.
struct hdf5_address {
    std::filesystem::path file;
    std::string path;
};

/// Takes "file.h5:/path" apart; nothing for a name without one of `hdf5_endings` at its end or before a
/// colon. Local.
[[nodiscard]] std::optional<hdf5_address> hdf5_address_of(std::filesystem::path const& name);

} // namespace weft::io
