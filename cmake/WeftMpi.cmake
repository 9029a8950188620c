# Finds MPI; says in WEFT_MPI_VENDOR whose it is (openmpi, mpich, smpi, other) and that the launcher is of the same
# house.
include_guard(GLOBAL)

set(MPI_CXX_SKIP_MPICXX ON)
if(MPI_CXX_COMPILER MATCHES "smpicxx$")
  include(WeftSmpi)
endif()
find_package(MPI 3.1 REQUIRED COMPONENTS CXX)
# The bindings of MPI-2 for C++, which no code of Weft uses, are not linked, and no package asks for them.
set(weft_mpi_cxx_bindings "libmpi_cxx|libmpichcxx|libmpicxx")
list(FILTER MPI_CXX_LIBRARIES EXCLUDE REGEX "${weft_mpi_cxx_bindings}")
get_target_property(weft_mpi_linked MPI::MPI_CXX INTERFACE_LINK_LIBRARIES)
list(FILTER weft_mpi_linked EXCLUDE REGEX "${weft_mpi_cxx_bindings}")
set_target_properties(MPI::MPI_CXX PROPERTIES INTERFACE_LINK_LIBRARIES "${weft_mpi_linked}")
# Compilers of the standard ABI say -DMPI_ABI, which FindMPI of CMake 3.25 loses; without it programs have the handles of another ABI.
execute_process(COMMAND ${MPI_CXX_COMPILER} -show OUTPUT_VARIABLE WEFT_MPI_COMPILES ERROR_QUIET)
if(WEFT_MPI_COMPILES MATCHES "-DMPI_ABI( |$)")
  set_property(TARGET MPI::MPI_CXX APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS MPI_ABI)
endif()

function(weft_mpi_vendor result)
  include(CheckCXXSymbolExists)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_symbol_exists(OPEN_MPI mpi.h WEFT_MPI_IS_OPENMPI)
  check_cxx_symbol_exists(MPICH_VERSION mpi.h WEFT_MPI_IS_MPICH)
  check_cxx_symbol_exists(SMPI_H mpi.h WEFT_MPI_IS_SMPI)
  if(WEFT_MPI_IS_OPENMPI)
    set(${result} openmpi PARENT_SCOPE)
  elseif(WEFT_MPI_IS_MPICH)
    set(${result} mpich PARENT_SCOPE)
  elseif(WEFT_MPI_IS_SMPI)
    set(${result} smpi PARENT_SCOPE)
  else()
    set(${result} other PARENT_SCOPE)
  endif()
endfunction()

# A launcher of another MPI starts P programs of one rank each, and every test passes without a message sent.
function(weft_check_launcher vendor)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
  set(mark_openmpi "Open MPI|OpenRTE")
  set(mark_mpich "HYDRA|MPICH")
  set(mark_smpi "SimGrid")
  if(DEFINED mark_${vendor} AND NOT said MATCHES "${mark_${vendor}}")
    message(FATAL_ERROR "The MPI is ${vendor}, but the launcher ${MPIEXEC_EXECUTABLE} is not its own. "
      "Set MPIEXEC_EXECUTABLE to the one that belongs to ${MPI_CXX_COMPILER}.")
  endif()
endfunction()

weft_mpi_vendor(WEFT_MPI_VENDOR)
if(WEFT_BUILD_TESTS)
  weft_check_launcher(${WEFT_MPI_VENDOR})
endif()
message(STATUS "Weft builds on ${WEFT_MPI_VENDOR} (${MPI_CXX_COMPILER}), launched by ${MPIEXEC_EXECUTABLE}")
