# What code must be compiled with so that SimGrid's SMPI can run many copies of it in one process.
include_guard(GLOBAL)

find_program(WEFT_SMPICXX NAMES ${MPI_CXX_COMPILER})
find_program(WEFT_SMPIRUN NAMES ${MPIEXEC_EXECUTABLE})
mark_as_advanced(WEFT_SMPICXX WEFT_SMPIRUN)
if(NOT WEFT_SMPICXX OR NOT WEFT_SMPIRUN)
  message(FATAL_ERROR "There is no SimGrid here. Install the Debian package libsimgrid-dev; "
    "`scripts/test smpi` does.")
endif()

# Each rank loads its own copy of the program. Unique symbols (static variables of inline functions and templates)
# would be one for all copies. The helpers, which smpicxx includes too, make sleeping a matter of simulated time;
# their replacement of malloc is for programs that share memory between ranks on purpose.
add_compile_options(-fno-gnu-unique -DSMPI_NO_OVERRIDE_MALLOC "SHELL:-include smpi/smpi_helpers.h")
