# What `weft trace` and `weft label` are made of: a library of the command alone, so that programs which use libweft
# need none of what reads images. VTK is optional, and left out with MPICH: Debian's is built on Open MPI.
include_guard(GLOBAL)
find_package(PkgConfig REQUIRED)
pkg_check_modules(NETCDF REQUIRED IMPORTED_TARGET netcdf)
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5) # the one that libnetcdf is linked with
find_package(TIFF REQUIRED)
find_package(PNG REQUIRED)
pkg_check_modules(PANGOCAIRO REQUIRED IMPORTED_TARGET pangocairo)
pkg_check_modules(SHAPELIB IMPORTED_TARGET shapelib) # coastlines; optional
find_path(NIFTI_INCLUDE_DIR NAMES nifti1.h PATH_SUFFIXES nifti REQUIRED)
find_library(NIFTI_LIBRARY niftiio REQUIRED)
find_path(TEEM_INCLUDE_DIR teem/nrrd.h REQUIRED)
find_library(TEEM_LIBRARY teem REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt 9 REQUIRED)

set(vtk_default AUTO)
if(NOT WEFT_MPI_VENDOR STREQUAL "openmpi" OR WEFT_SANITIZE)
  set(vtk_default OFF)
endif()
set(WEFT_VTK ${vtk_default} CACHE STRING "Read files of VTK: ON, OFF, or AUTO: where VTK is found")
if(WEFT_VTK STREQUAL "AUTO")
  find_package(VTK 9.0 QUIET COMPONENTS CommonCore CommonDataModel IOLegacy IOXML)
elseif(WEFT_VTK)
  find_package(VTK 9.0 REQUIRED COMPONENTS CommonCore CommonDataModel IOLegacy IOXML)
endif()

add_library(weft_applications STATIC ${WEFT_APPLICATION_SOURCES})
# A macro of nifti1.h is a name of <dirent.h>.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/grids/formats/nifti_grid.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_include_directories(weft_applications
  PUBLIC ${PROJECT_SOURCE_DIR}/src PRIVATE ${NIFTI_INCLUDE_DIR} ${TEEM_INCLUDE_DIR})
target_link_libraries(weft_applications
  PUBLIC weft_io weft_contouring weft_labelling weft_tracing
  PRIVATE PkgConfig::NETCDF TIFF::TIFF PNG::PNG PkgConfig::PANGOCAIRO ${NIFTI_LIBRARY} ${TEEM_LIBRARY} ZLIB::ZLIB
    nlohmann_json::nlohmann_json fmt::fmt EXPAT::EXPAT PkgConfig::HDF5)
target_compile_options(weft_applications PRIVATE ${WEFT_WARNINGS})
if(SHAPELIB_FOUND)
  target_link_libraries(weft_applications PRIVATE PkgConfig::SHAPELIB)
  target_compile_definitions(weft_applications PRIVATE WEFT_WITH_SHAPELIB=1)
endif()
if(VTK_FOUND)
  message(STATUS "Files of VTK: by VTK ${VTK_VERSION}")
  # No VTK::... targets: those of Debian ask for every package that VTK was built with.
  target_link_libraries(weft_applications PRIVATE ${VTK_LIBRARIES})
  target_compile_definitions(weft_applications PRIVATE WEFT_WITH_VTK=1)
endif()
