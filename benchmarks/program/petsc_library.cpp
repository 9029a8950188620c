#include "petsc_library.hpp"

#include <weft/core/environment.hpp>

#include <dlfcn.h>

namespace weft::tool {

namespace {

void* open_petsc() {
    // Debian builds PETSc on Open MPI; with another MPI in the process its calls would crash.
    if (!mpi_library().starts_with("Open MPI")) return nullptr;
    void* library = nullptr;
    for (char const* const name : {"libpetsc_real.so", "libpetsc_real.so.3.18", "libpetsc.so"})
        if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    auto const initialize = reinterpret_cast<int (*)()>(dlsym(library, "PetscInitializeNoArguments"));
    return initialize != nullptr && initialize() == 0 ? library : nullptr;
}

} // namespace

void* petsc_symbol(char const* name) {
    static void* const library = open_petsc();
    return library == nullptr ? nullptr : dlsym(library, name);
}

} // namespace weft::tool
