# Switches of what Weft may be built with: ON, OFF, or AUTO: where it is found.
include_guard(GLOBAL)

# weft_switch(<name> <default> <text>) makes the cache variable WEFT_<name>.
macro(weft_switch name default text)
  set(WEFT_${name} ${default} CACHE STRING "${text}: ON, OFF, or AUTO: where it is found")
  set_property(CACHE WEFT_${name} PROPERTY STRINGS AUTO ON OFF)
endmacro()

# weft_decide(<name> <result> <found> <what> <package of Debian>) sets <result> in the caller's scope and says what was chosen.
function(weft_decide name result found what package)
  if(WEFT_${name} STREQUAL "AUTO")
    set(chosen ${found})
  else()
    set(chosen ${WEFT_${name}})
  endif()
  if(chosen AND NOT found)
    message(FATAL_ERROR "WEFT_${name} is ON, and ${what} was not found. Install it (on Debian ${package}), or leave it out by -DWEFT_${name}=OFF.")
  endif()
  if(chosen)
    set(chosen ON)
    message(STATUS "${what}: used")
  else()
    set(chosen OFF)
    message(STATUS "${what}: left out (WEFT_${name}=${WEFT_${name}})")
  endif()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()
