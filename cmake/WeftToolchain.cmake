# What every target of this project is compiled with: ccache, warnings, sanitizers, run paths.
include_guard(GLOBAL)

if(WEFT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(WEFT_CCACHE_EXECUTABLE ccache)
  mark_as_advanced(WEFT_CCACHE_EXECUTABLE)
  if(WEFT_CCACHE_EXECUTABLE)
    # Relative to the build folder, so that what a unity build joins is found again from another one.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_BINARY_DIR} ${WEFT_CCACHE_EXECUTABLE})
  endif()
endif()

# -Wrestrict: GCC 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651).
# -Wsubobject-linkage: to GCC the sources of a unity build are headers, whose anonymous namespaces it warns of.
set(WEFT_WARNINGS -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>
  $<$<BOOL:${WEFT_WARNINGS_AS_ERRORS}>:-Werror>)

# Without a check at every pointer: an access at address 0 ends the program anyway, with its place.
set(WEFT_SANITIZE_OPTIONS
  -fsanitize=${WEFT_SANITIZE} -fno-sanitize=null -fno-sanitize-recover=all -fno-omit-frame-pointer)

# Folders of the build are named relative to the libraries that need them, so that no byte of what is installed depends on where it was built.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
# What is installed finds libweft beside itself, wherever the tree is moved.
file(RELATIVE_PATH WEFT_BIN_TO_LIB /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
if(NOT DEFINED CMAKE_INSTALL_RPATH)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/${WEFT_BIN_TO_LIB}")
endif()
