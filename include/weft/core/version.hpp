/// The version of Weft, at compile time and at run time.
#pragma once

#include <string_view>

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 2
#define WEFT_VERSION_PATCH 0
#define WEFT_VERSION_TEXT "0.2.0"
/// The version of the headers as one number, for `#if`: 200 is 0.2.0, 10000 is 1.0.0.
#define WEFT_VERSION (WEFT_VERSION_MAJOR * 10000 + WEFT_VERSION_MINOR * 100 + WEFT_VERSION_PATCH)

namespace weft {

/// Returns the version of the library that the program is linked with, such as "0.2.0". The version differs
/// from WEFT_VERSION_TEXT if the program was compiled with the headers of another version. Local.
[[nodiscard]] std::string_view version() noexcept;

/// Facts about the build of the library; no field depends on the time or the folder of the build.
struct build_facts {
    std::string_view version;    ///< the text of `version()`
    std::string_view commit;     ///< the git commit when the build was configured, or "unknown"
    std::string_view compiler;   ///< "GNU 12.2.0"
    std::string_view build_type; ///< "Release"
    std::string_view mpi;        ///< the MPI library in use
    std::string_view options;    ///< options of CMake with their values, such as "WEFT_HDF5=ON"
};

/// Returns the facts about the build that a bug report should contain. Local; may be called before MPI is
/// initialised. The texts are valid until the program ends.
[[nodiscard]] build_facts build_info();

} // namespace weft
