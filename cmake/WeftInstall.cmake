# What `cmake --install` leaves behind: headers, library, the packages for find_package and pkg-config. The tree can
# be moved afterwards.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
# An export for each component, so that nobody looks for what another component links. `package`: the one that shared
# libraries go into.
set(package runtime)
function(weft_install_component export)
  install(TARGETS ${ARGN} EXPORT ${export}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${package}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${package} NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${export} NAMESPACE weft:: DESTINATION ${package_dir} COMPONENT development)
endfunction()
weft_install_component(weft-targets weft weft_mpi)
weft_install_component(weft-c-targets weft_c)
if(TARGET weft_fortran)
  install(TARGETS weft_fortran EXPORT weft-fortran-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${package} NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT weft-fortran-targets NAMESPACE weft:: DESTINATION ${package_dir} COMPONENT development)
endif()
weft_install_component(weft-graph-targets weft_graph)
weft_install_component(weft-io-targets weft_io)
weft_install_component(weft-contouring-targets weft_contouring)
weft_install_component(weft-labelling-targets weft_labelling)
weft_install_component(weft-tracing-targets weft_tracing)
weft_install_component(weft-nbody-targets weft_nbody)
weft_install_component(weft-volumes-targets weft_volumes)
weft_install_component(weft-snapshots-targets weft_snapshots)
if(TARGET weft_grids)
  set(package grids) # of its own: the others depend on none of what reads volumes
  weft_install_component(weft-grids-targets weft_grids)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/WeftReaders.cmake DESTINATION ${package_dir} COMPONENT development)
endif()
# Each package has the licence, in a folder of its own: two packages must not have the same file.
foreach(part IN ITEMS development tools runtime grids)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/weft-${part}
    COMPONENT ${part} RENAME copyright)
endforeach()

# find_package(weft)
get_target_property(library_type weft TYPE)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/weft-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/weft-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/weft-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/weft-config.cmake
  ${PROJECT_BINARY_DIR}/package/weft-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindZstd.cmake
  DESTINATION ${package_dir} COMPONENT development)

# pkg-config: `weft`, one for each component, and `weft-mpi` for programs that include <weft/mpi.hpp>. A static
# library names what it needs in Libs, so that it links without --static too; a shared one has it inside. In what
# pkg-config prints, a library comes before those that it needs.
list(JOIN MPI_CXX_LIBRARIES " " mpi_libraries)
list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_cflags)
list(JOIN mpi_cflags " " mpi_cflags)
set(private_libraries "${mpi_libraries}")
set(io_libraries "-lz -lbz2 -lexpat -llzma -lzstd")
if(TARGET weft_grids)
  set(grid_libraries "")
  if(WEFT_READERS_NETCDF)
    list(JOIN WEFT_NETCDF_LDFLAGS " " grid_libraries)
  endif()
  if(WEFT_READERS_HDF5)
    list(JOIN WEFT_HDF5_LDFLAGS " " hdf5_libraries)
    string(APPEND grid_libraries " ${hdf5_libraries}")
  endif()
  string(APPEND grid_libraries " -ltiff -lpng $<$<BOOL:${WEFT_READERS_NRRD}>:-lteem> -lz")
  if(WEFT_READERS_VTK) # by their files, whose names have the version in them
    foreach(part IN ITEMS IOXML IOCore CommonExecutionModel CommonDataModel CommonCore)
      string(APPEND grid_libraries " $<TARGET_LINKER_FILE:VTK::${part}>")
    endforeach()
  endif()
endif()
if(library_type STREQUAL "STATIC_LIBRARY")
  set(static_libraries " ${private_libraries}")
  list(TRANSFORM CMAKE_CXX_IMPLICIT_LINK_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE libraries_of_cxx)
  list(FILTER libraries_of_cxx INCLUDE REGEX "^-l(stdc\\+\\+|c\\+\\+|m)$")
  list(JOIN libraries_of_cxx " " libraries_of_cxx)
  set(static_libraries_of_c " -lweft")
  set(static_io_libraries " ${io_libraries}")
  set(static_grid_libraries " ${grid_libraries}")
endif()
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(package_names weft weft-c weft-mpi weft-graph weft-io weft-nbody weft-contouring weft-labelling weft-tracing weft-snapshots)
if(TARGET weft_grids)
  list(APPEND package_names weft-grids)
endif()
if(TARGET weft_fortran)
  list(JOIN MPI_Fortran_LIBRARIES " " mpi_fortran_libraries)
  list(TRANSFORM MPI_Fortran_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_fortran_cflags)
  list(JOIN mpi_fortran_cflags " " mpi_fortran_cflags)
  list(APPEND package_names weft-fortran)
endif()
foreach(name IN LISTS package_names)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc.in @ONLY)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/package/${name}.pc INPUT ${PROJECT_BINARY_DIR}/package/${name}.pc.in)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

# Packages: `cpack -G DEB` or `-G TGZ` in the build folder. Static libraries need no package at run time.
set(CPACK_PACKAGE_VENDOR "The Weft authors")
set(WEFT_CONTACT "The Weft authors" CACHE STRING "Maintainer that packages name, as NAME <MAIL>")
set(WEFT_HOMEPAGE "" CACHE STRING "Address of the project in packages and recipes; empty: this clone")
set(CPACK_PACKAGE_CONTACT "${WEFT_CONTACT}")
set(weft_homepage "file://${PROJECT_SOURCE_DIR}")
if(WEFT_HOMEPAGE)
  set(weft_homepage "${WEFT_HOMEPAGE}")
  set(CPACK_PACKAGE_HOMEPAGE_URL "${WEFT_HOMEPAGE}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/packaging/spack/package.py.in ${PROJECT_BINARY_DIR}/packaging/spack/package.py @ONLY)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL development)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers and libraries to build programs with Weft")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "The command weft: graphs, volumes, fields and particles in parallel")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The shared libraries of Weft")
set(CPACK_COMPONENT_GRIDS_DESCRIPTION "The shared library of Weft that reads volumes from files")
if(WEFT_BUILD_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
if(library_type STREQUAL "SHARED_LIBRARY")
  list(APPEND CPACK_COMPONENTS_ALL runtime)
  set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
  set(CPACK_COMPONENT_TOOLS_DEPENDS runtime)
  if(TARGET weft_grids)
    list(APPEND CPACK_COMPONENTS_ALL grids)
    set(CPACK_COMPONENT_GRIDS_DEPENDS runtime)
    list(APPEND CPACK_COMPONENT_DEVELOPMENT_DEPENDS grids)
    list(APPEND CPACK_COMPONENT_TOOLS_DEPENDS grids)
  endif()
endif()
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE BSD-3-Clause)
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none") # the same files as Debian's
# Names of Fedora; libraries at run time are found by rpmbuild.
set(CPACK_RPM_DEVELOPMENT_PACKAGE_REQUIRES "openmpi-devel, zlib-devel, bzip2-devel, expat-devel, xz-devel, libzstd-devel")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/zsh
  /usr/share/zsh/site-functions /usr/share/fish /usr/share/fish/vendor_completions.d /usr/share/bash-completion
  /usr/share/bash-completion/completions ${CPACK_PACKAGING_INSTALL_PREFIX}/lib/cmake ${CPACK_PACKAGING_INSTALL_PREFIX}/lib/pkgconfig)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "mpi-default-dev, zlib1g-dev, libbz2-dev, libexpat1-dev, liblzma-dev, libzstd-dev")
# For weft::grids alone, which few programs use.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libnetcdf-dev, libhdf5-dev, libtiff-dev, libpng-dev, libteem-dev, libvtk9-dev")
set(CPACK_RPM_DEVELOPMENT_PACKAGE_SUGGESTS "netcdf-devel, hdf5-devel, libtiff-devel, libpng-devel, teem-devel, vtk-devel")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_GRIDS_PACKAGE_SECTION libs)
foreach(part IN ITEMS development tools runtime grids)
  string(TOUPPER ${part} PART)
  set(CPACK_DEBIAN_${PART}_PACKAGE_NAME weft-${part})
  set(CPACK_RPM_${PART}_PACKAGE_NAME weft-${part})
endforeach()
include(CPack)
