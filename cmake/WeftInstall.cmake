# What `cmake --install` leaves behind: headers, library, the packages for find_package and pkg-config. The tree can
# be moved afterwards.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.hpp)
install(TARGETS weft weft_mpi EXPORT weft-targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(weft)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
get_target_property(library_type weft TYPE)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/weft-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/weft-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/weft-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT weft-targets NAMESPACE weft:: DESTINATION ${package_dir})
install(FILES
  ${PROJECT_BINARY_DIR}/package/weft-config.cmake
  ${PROJECT_BINARY_DIR}/package/weft-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindZstd.cmake
  DESTINATION ${package_dir})

# pkg-config: `weft`, and `weft-mpi` for programs that include <weft/mpi.hpp>. A static library names what it needs
# in Libs, so that it links without --static too; a shared one has it inside.
list(JOIN MPI_CXX_LIBRARIES " " mpi_libraries)
list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_cflags)
list(JOIN mpi_cflags " " mpi_cflags)
set(private_libraries "${mpi_libraries} -lz -lbz2 -lexpat -llzma -lzstd")
if(library_type STREQUAL "STATIC_LIBRARY")
  set(static_libraries " ${private_libraries}")
endif()
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name IN ITEMS weft weft-mpi)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
