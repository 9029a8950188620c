# weft::readers: the libraries that read files of volumes. The build includes it, and so does an installed
# weft-config.cmake for programs that link a static weft::grids. WEFT_READERS_VTK says whether VTK is one of them.
include_guard(DIRECTORY)
find_package(PkgConfig REQUIRED)
pkg_check_modules(WEFT_NETCDF REQUIRED IMPORTED_TARGET netcdf)
pkg_search_module(WEFT_HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5) # the one that libnetcdf is linked with
find_package(TIFF REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_library(WEFT_TEEM_LIBRARY teem REQUIRED)

add_library(weft::readers INTERFACE IMPORTED)
target_link_libraries(weft::readers INTERFACE PkgConfig::WEFT_NETCDF PkgConfig::WEFT_HDF5 TIFF::TIFF PNG::PNG
  ZLIB::ZLIB ${WEFT_TEEM_LIBRARY})
if(WEFT_READERS_VTK)
  # Named one by one: without components Debian's VTK asks for every package that it was built with.
  find_package(VTK 9.0 REQUIRED COMPONENTS CommonCore CommonDataModel IOCore IOLegacy IOXML)
  target_link_libraries(weft::readers INTERFACE ${VTK_LIBRARIES})
endif()
