# How a program is run at P ranks by ctest, under the MPI that Weft was built on.

# MPICH is slow where there are many more ranks than cores. Sanitizers look at what a rank does by itself, so one, an
# odd number and two nodes are enough for them.
set(WEFT_TEST_NODES 1,3 3,2,2)
if(WEFT_MPI_VENDOR STREQUAL "mpich")
  set(WEFT_TEST_RANKS 1 2 3)
  set(WEFT_TEST_NODES "")
elseif(WEFT_SANITIZE)
  set(WEFT_TEST_RANKS 1 3)
  set(WEFT_TEST_NODES 1,3)
else()
  set(WEFT_TEST_RANKS 1 2 3 4 7)
endif()

# The runs of the adversary are the same at every number of ranks that they are dealt out over, see
# tests/adversary/runs.hpp: all are taken at this one, and a few elsewhere.
set(WEFT_TEST_RANKS_OF_ALL_RUNS 3)
set(WEFT_TEST_FEW_RUNS WEFT_TEST_SHARE=1000 WEFT_TEST_FEW=5)

# The built-in machine model, whatever was measured here: tests must not depend on it.
#
# Open MPI: as root (containers), more ranks than cores, ranks not bound to one core; no cross-memory attach, which
# containers forbid. MPICH needs nothing.
set(WEFT_TEST_ENVIRONMENT
  WEFT_MACHINE=none
  OMPI_ALLOW_RUN_AS_ROOT=1
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_hwloc_base_binding_policy=none
  OMPI_MCA_btl_vader_single_copy_mechanism=none)

# MPICH on UCX waits without giving up the core, which made a collective cost a time slice where ranks share cores.
if(WEFT_MPI_VENDOR STREQUAL "mpich" AND NOT WEFT_SANITIZE)
  add_library(weft_test_yield MODULE ${CMAKE_CURRENT_LIST_DIR}/yield.cpp)
  target_compile_options(weft_test_yield PRIVATE ${WEFT_WARNINGS})
  target_link_libraries(weft_test_yield PRIVATE ${CMAKE_DL_LIBS})
  list(APPEND WEFT_TEST_ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:weft_test_yield>)
endif()

set(WEFT_TEST_SECONDS 900) # of a whole program; one test of it is watched by the harness
# use_tls=0: the leak detector of GCC 12 crashes where it looks for pointers in the thread-local memory of MPI's threads.
if(WEFT_SANITIZE)
  set(suppressions suppressions=${PROJECT_SOURCE_DIR}/cmake/sanitizers)
  list(APPEND WEFT_TEST_ENVIRONMENT
    WEFT_TEST_TIMEOUT=300
    WEFT_TEST_SHARE=16
    WEFT_TEST_ROUNDS=500
    ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
    LSAN_OPTIONS=${suppressions}/leaks.supp:print_suppressions=0:use_tls=0
    UBSAN_OPTIONS=print_stacktrace=1
    TSAN_OPTIONS=${suppressions}/races.supp:ignore_noninstrumented_modules=1)
endif()

# weft_test_ranks(<name> RANKS <n>... [NODES <shape>...] [LABELS <label>...] COMMAND <program> [<argument>...])
#
# Adds the test <name>.<n> for each number of ranks, and <name>.<n>.nodes-<shape> for each shape of pretend nodes
# such as 1,3. The labels are <name>, ranks-<n> and the given ones.
function(weft_test_ranks name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;NODES;LABELS;COMMAND")
  foreach(ranks IN LISTS arg_RANKS)
    set(runs "")
    if(NOT ranks EQUAL WEFT_TEST_RANKS_OF_ALL_RUNS)
      set(runs ${WEFT_TEST_FEW_RUNS})
    endif()
    set(tier "")
    if(ranks EQUAL 4 AND "1,3" IN_LIST arg_NODES) # 4 ranks on two nodes are of the first tier, on one node of the second
      set(tier thorough)
    endif()
    weft_test_at(${name}.${ranks} ${ranks} "${name};${arg_LABELS};${tier}" "${runs}" "${arg_COMMAND}")
  endforeach()
  foreach(shape IN LISTS arg_NODES)
    string(REPLACE "," "+" sum ${shape})
    math(EXPR ranks ${sum})
    string(REPLACE "," "-" dashed ${shape})
    weft_test_at(${name}.${ranks}.nodes-${dashed} ${ranks} "${name};${arg_LABELS};nodes"
      "WEFT_RANKS_PER_NODE=${shape};${WEFT_TEST_FEW_RUNS}" "${arg_COMMAND}")
  endforeach()
endfunction()

function(weft_test_at name ranks labels environment command)
  list(POP_FRONT command program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${name}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${program} ${command})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "${WEFT_TEST_ENVIRONMENT};${environment}"
    LABELS "${labels};ranks-${ranks}"
    PROCESSORS ${ranks}
    TIMEOUT ${WEFT_TEST_SECONDS})
endfunction()
