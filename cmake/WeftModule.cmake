# Modules and the libraries made of them. A module is a folder of src/ and those of the same name in include/weft; its
# CMakeLists.txt lists its sources and the modules that it needs: these are the arrows of ARCHITECTURE.md.
include_guard(GLOBAL)

# What a module includes is found in a folder of links to its own headers and to those of the modules it needs, so an include
# against the arrows does not compile.
function(weft_build_wall wall)
  file(REMOVE_RECURSE ${wall})
  file(MAKE_DIRECTORY ${wall}/weft/extend ${wall}/weft/detail)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/weft/mpi.hpp ${wall}/weft/mpi.hpp SYMBOLIC)
  foreach(folder IN LISTS ARGN)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${folder} ${wall}/${folder} SYMBOLIC)
    foreach(tier IN ITEMS "" extend/ detail/)
      if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/include/weft/${tier}${folder})
        file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/weft/${tier}${folder} ${wall}/weft/${tier}${folder} SYMBOLIC)
      endif()
    endforeach()
  endforeach()
endfunction()

# What all code of the library is compiled with.
function(weft_compile target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${WEFT_WARNINGS})
  if(WEFT_SANITIZE)
    target_compile_options(${target} PRIVATE ${WEFT_SANITIZE_OPTIONS})
  endif()
  if(WEFT_CHECKS STREQUAL "full")
    target_compile_definitions(${target} PRIVATE WEFT_FULL_CHECKS=1)
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# weft_module(<name> NEEDS <module>... SOURCES <file>... [LIBRARIES <target>...]): the target weft_module_<name>, the
# objects of a module. LIBRARIES are for its own sources alone. A second module in a folder has FOLDER <module of that folder>.
# With WITH <target>, it is built only where that target is there; others may use its headers all the same.
function(weft_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;WITH" "NEEDS;SOURCES;LIBRARIES")
  set(folder ${name})
  if(arg_FOLDER)
    set(folder ${arg_FOLDER})
  endif()
  set(needs ${arg_NEEDS})
  foreach(each IN LISTS arg_NEEDS)
    get_property(is_module GLOBAL PROPERTY WEFT_NEEDS_${each} SET)
    if(NOT is_module)
      message(FATAL_ERROR "The module ${name} needs ${each}, which stands above it or is no module; see src/CMakeLists.txt.")
    endif()
    get_property(theirs GLOBAL PROPERTY WEFT_NEEDS_${each})
    list(APPEND needs ${theirs})
  endforeach()
  list(REMOVE_DUPLICATES needs)
  set_property(GLOBAL PROPERTY WEFT_NEEDS_${name} "${needs}")
  set_property(GLOBAL APPEND PROPERTY WEFT_SOURCES_OF_${folder} ${arg_SOURCES})

  if(arg_WITH AND NOT TARGET ${arg_WITH})
    return()
  endif()
  set(wall ${PROJECT_BINARY_DIR}/walls/${name})
  weft_build_wall(${wall} ${folder} ${needs})
  add_library(weft_module_${name} OBJECT ${arg_SOURCES})
  target_include_directories(weft_module_${name} PRIVATE ${wall})
  target_link_libraries(weft_module_${name} PRIVATE ${arg_LIBRARIES})
  weft_compile(weft_module_${name})

  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/weft/${folder}/*.hpp
    ${PROJECT_SOURCE_DIR}/include/weft/extend/${folder}/*.hpp ${PROJECT_SOURCE_DIR}/include/weft/detail/${folder}/*.hpp)
  set_property(GLOBAL PROPERTY WEFT_HEADERS_OF_${name} "${headers}")
endfunction()

# weft_sources_if(<list> <condition> <folder> <file>...) appends to a list of sources where a switch asks for them. They count as
# listed also where it does not.
function(weft_sources_if list condition folder)
  set_property(GLOBAL APPEND PROPERTY WEFT_SOURCES_OF_${folder} ${ARGN})
  if(condition)
    set(${list} ${${list}} ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

# The definitions WEFT_WITH_<PART> of the readers that this build has.
function(weft_define_readers target)
  foreach(part IN ITEMS VTK NETCDF HDF5 NRRD NIFTI)
    if(WEFT_READERS_${part})
      target_compile_definitions(${target} PRIVATE WEFT_WITH_${part}=1)
    endif()
  endforeach()
endfunction()

# Every source of the folder belongs to a module; one that is listed nowhere would be missed only by the linker.
function(weft_expect_all_listed folder)
  file(GLOB_RECURSE there CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src/${folder} ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  get_property(listed GLOBAL PROPERTY WEFT_SOURCES_OF_${folder})
  list(REMOVE_ITEM there ${listed})
  if(there)
    list(JOIN there ", " there)
    message(FATAL_ERROR "No module has these sources: ${there}. List them in src/${folder}/CMakeLists.txt.")
  endif()
endfunction()

# weft_library(<name> <component> MODULES <module>... [HEADERS <file>...] [SYMBOLS <version script>]) makes weft::<component> of
# modules. A static library can go into a Python module; DEFINE_SYMBOL is empty so that static and shared objects are the same to ccache.
function(weft_library name component)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SYMBOLS" "MODULES;HEADERS")
  add_library(${name})
  add_library(weft::${component} ALIAS ${name})
  set(headers ${arg_HEADERS})
  foreach(each IN LISTS arg_MODULES)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:weft_module_${each}>)
    get_property(theirs GLOBAL PROPERTY WEFT_HEADERS_OF_${each})
    list(APPEND headers ${theirs})
  endforeach()
  list(REMOVE_DUPLICATES headers) # of two modules in one folder
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${headers})
  target_compile_features(${name} PUBLIC cxx_std_20)
  if(BUILD_SHARED_LIBS AND WEFT_HAS_VERSION_SCRIPTS)
    if(NOT arg_SYMBOLS)
      set(arg_SYMBOLS exports.map)
    endif()
    set(script ${PROJECT_BINARY_DIR}/generated/${arg_SYMBOLS})
    target_link_options(${name} PRIVATE -Wl,--version-script=${script})
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${script})
  endif()
  set_target_properties(${name} PROPERTIES
    WEFT_MODULES "${arg_MODULES}" EXPORT_NAME ${component} LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE ON DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()
