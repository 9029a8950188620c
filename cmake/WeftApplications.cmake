# What the command has beside the components: meshes, pictures, and the files of labels and traces. A library of the
# command alone, so that programs which use libweft need none of what draws.
include_guard(GLOBAL)
pkg_check_modules(PANGOCAIRO REQUIRED IMPORTED_TARGET pangocairo)
pkg_check_modules(SHAPELIB IMPORTED_TARGET shapelib) # coastlines; optional
find_package(fmt 9 REQUIRED)

add_library(weft_applications STATIC ${WEFT_APPLICATION_SOURCES})
target_include_directories(weft_applications PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(weft_applications
  PUBLIC weft_io weft_contouring weft_grids weft_labelling weft_tracing
  PRIVATE weft::readers PkgConfig::PANGOCAIRO fmt::fmt EXPAT::EXPAT)
target_compile_options(weft_applications PRIVATE ${WEFT_WARNINGS})
if(SHAPELIB_FOUND)
  target_link_libraries(weft_applications PRIVATE PkgConfig::SHAPELIB)
  target_compile_definitions(weft_applications PRIVATE WEFT_WITH_SHAPELIB=1)
endif()
if(WEFT_READERS_VTK)
  target_compile_definitions(weft_applications PRIVATE WEFT_WITH_VTK=1)
endif()
