# weft::readers: the libraries that read files of volumes. The build includes it, and so does an installed weft-config.cmake for
# programs that link a static weft::grids. WEFT_READERS_VTK, _NETCDF, _HDF5, _NRRD and _NIFTI say which of them are there.
include_guard(DIRECTORY)
find_package(PkgConfig REQUIRED)
find_package(TIFF REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)

add_library(weft::readers INTERFACE IMPORTED)
target_link_libraries(weft::readers INTERFACE TIFF::TIFF PNG::PNG ZLIB::ZLIB)
if(WEFT_READERS_NETCDF)
  pkg_check_modules(WEFT_NETCDF REQUIRED IMPORTED_TARGET netcdf)
  target_link_libraries(weft::readers INTERFACE PkgConfig::WEFT_NETCDF)
endif()
if(WEFT_READERS_HDF5)
  pkg_search_module(WEFT_HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5) # the one that libnetcdf is linked with
  target_link_libraries(weft::readers INTERFACE PkgConfig::WEFT_HDF5)
endif()
if(WEFT_READERS_NRRD)
  find_library(WEFT_TEEM_LIBRARY teem REQUIRED)
  target_link_libraries(weft::readers INTERFACE ${WEFT_TEEM_LIBRARY})
endif()
if(WEFT_READERS_VTK)
  # Named one by one: without components Debian's VTK asks for every package that it was built with.
  find_package(VTK 9.0 REQUIRED COMPONENTS CommonCore CommonDataModel IOCore IOLegacy IOXML)
  target_link_libraries(weft::readers INTERFACE ${VTK_LIBRARIES})
endif()
