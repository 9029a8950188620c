# What `cmake --install` leaves behind: headers, library, the packages for find_package and pkg-config. The tree can
# be moved afterwards.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.hpp)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
# An export for each component, so that nobody looks for what another component links.
function(weft_install_component export)
  install(TARGETS ${ARGN} EXPORT ${export}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${export} NAMESPACE weft:: DESTINATION ${package_dir})
endfunction()
weft_install_component(weft-targets weft weft_mpi)
weft_install_component(weft-graph-targets weft_graph)
weft_install_component(weft-io-targets weft_io)
weft_install_component(weft-nbody-targets weft_nbody)
weft_install_component(weft-snapshots-targets weft_snapshots)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

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
  DESTINATION ${package_dir})

# pkg-config: `weft`, `weft-graph`, `weft-io`, `weft-nbody` and `weft-snapshots`, and `weft-mpi` for programs that include <weft/mpi.hpp>. A static
# library names what it needs in Libs, so that it links without --static too; a shared one has it inside. In what
# pkg-config prints, a library comes before those that it needs.
list(JOIN MPI_CXX_LIBRARIES " " mpi_libraries)
list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_cflags)
list(JOIN mpi_cflags " " mpi_cflags)
set(private_libraries "${mpi_libraries}")
set(io_libraries "-lz -lbz2 -lexpat -llzma -lzstd")
if(library_type STREQUAL "STATIC_LIBRARY")
  set(static_libraries " ${private_libraries}")
  set(static_io_libraries " ${io_libraries}")
endif()
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name IN ITEMS weft weft-mpi weft-graph weft-io weft-nbody weft-snapshots)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
