/// PETSc, found when the benchmark runs: Weft neither needs PETSc nor is linked with it.
#pragma once

namespace weft::tool {

/// A function or variable of PETSc by its name; null where PETSc is not installed, or stands on another MPI.
/// PETSc is initialised with the first.
[[nodiscard]] void* petsc_symbol(char const* name);

template <class Function>
[[nodiscard]] Function petsc_function(char const* name) {
    return reinterpret_cast<Function>(petsc_symbol(name));
}

} // namespace weft::tool
