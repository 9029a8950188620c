/// `MPI_Pcontrol` as a switch for listeners and tools: level 0 turns them off, any other one on. A program
/// links it in front of MPI.
#include <weft/extend/observe/operation_listener.hpp>

#include <dlfcn.h>
#include <mpi.h>

extern "C" int MPI_Pcontrol(int const level, ...) {
    weft::pause_listeners(level == 0);
    // A profiler behind this one hears of the level too; which arguments follow it only that one knows.
    using call = int (*)(int, ...);
    auto const next = reinterpret_cast<call>(dlsym(RTLD_NEXT, "MPI_Pcontrol"));
    return next != nullptr ? next(level) : MPI_SUCCESS;
}
