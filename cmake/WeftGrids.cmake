# weft::grids, the readers of volumes, and weft::readers, which it links. VTK is optional, and left out with MPICH:
# Debian's is built on Open MPI.
include_guard(GLOBAL)
set(vtk_default AUTO)
if(NOT WEFT_MPI_VENDOR STREQUAL "openmpi" OR WEFT_SANITIZE)
  set(vtk_default OFF)
endif()
set(WEFT_VTK ${vtk_default} CACHE STRING "Read files of VTK: ON, OFF, or AUTO: where VTK is found")
if(WEFT_VTK STREQUAL "AUTO")
  find_package(VTK 9.0 QUIET COMPONENTS CommonCore CommonDataModel IOLegacy IOXML)
  set(WEFT_READERS_VTK ${VTK_FOUND})
else()
  set(WEFT_READERS_VTK ${WEFT_VTK})
endif()
include(WeftReaders)
if(WEFT_READERS_VTK)
  message(STATUS "Files of VTK: by VTK ${VTK_VERSION}")
endif()
find_path(NIFTI_INCLUDE_DIR NAMES nifti1.h PATH_SUFFIXES nifti REQUIRED)
find_path(TEEM_INCLUDE_DIR teem/nrrd.h REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

weft_add_library(weft_grids grids ${WEFT_GRID_SOURCES})
# A macro of nifti1.h is a name of <dirent.h>.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/grids/formats/nifti_grid.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_include_directories(weft_grids PRIVATE ${NIFTI_INCLUDE_DIR} ${TEEM_INCLUDE_DIR})
target_link_libraries(weft_grids
  PUBLIC weft PRIVATE weft_io weft::readers $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
if(WEFT_READERS_VTK)
  target_compile_definitions(weft_grids PRIVATE WEFT_WITH_VTK=1)
endif()
