/// Heads of NIfTI files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace weft {

/// The properties in a head, in the byte order of this machine.
struct nifti_head {
    std::array<std::int64_t, 7> lengths{1, 1, 1, 1, 1, 1, 1}; ///< x, y, z, time, and three more
    std::int16_t type = 0;
    std::array<double, 3> sizes{1, 1, 1}; ///< of a voxel
    double slope = 0;                     ///< 0: values are as stored
    double offset = 0;
    bool is_placed = false; ///< `origin` and `steps` are from the sform, or else the qform
    std::array<double, 3> origin{};
    std::array<std::array<double, 3>, 3> steps{}; ///< from one voxel to the next along axis d: `steps[d]`
    std::string units = {};                       ///< of space
    std::filesystem::path values;                 ///< the file with the values
    std::int64_t first = 0;                       ///< offset of the first value in it, decompressed
    bool swapped = false;                         ///< values are in the other byte order
};

/// Reads the head of a NIfTI-1, NIfTI-2 or ANALYZE 7.5 file; of a pair by either name, compressed or not.
/// Local. Throws: `io_error`. Source: nifti1.h and nifti2.h of the NIfTI Data Format Working Group.
[[nodiscard]] nifti_head read_nifti_head(std::filesystem::path const& file);

} // namespace weft
