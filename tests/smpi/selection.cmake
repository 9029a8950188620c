# What runs by `ctest --preset smpi`, at how many ranks, and what does not.
#
# Not at all:
# - matched probes (transport_contract/matched, ways without a plain probe): MPI_Improbe and MPI_Imrecv abort.
# - tests of threads: MPI_Init_thread gives MPI_THREAD_SINGLE.
# - nbx_collective_census, pcx_reduce_scatter: MPI_Iallreduce and MPI_Ireduce_scatter_block have all ranks send to all.
# - exchange_plan: each of its cases has half of all pairs of ranks talk, in 20 plans or 1,000 rounds.
# - the engines of test_protocol: they run on a simulated transport, which is the same everywhere.
# - agree.works_with_the_collective_census_and_two_tags: nothing is thrown at 64 ranks; it is not known yet whether by
#   SMPI's MPI_Iallreduce or by Weft.
# - exchange_rounds: half of all pairs of ranks talk in each of 40 rounds or more.
# - what lasts longest under SMPI: cases in which everybody sends to everybody (all pairs, 9 times), megabytes, a hot
#   receiver, rounds by the thousand. SMPI takes time by the messages of a rank that were ever under way.
# Above 64 ranks: pex, whose MPI_Ialltoall is P*P messages in SMPI and takes P*P*P steps.
# The two-level protocols take ten times as long as the others: few cases of them.
set(ways nbx pcx rsx store_and_forward)
set(two_level nbx_two_level pcx_two_level)

set(cases brings_one_item* brings_messages* neighbours* nobody_sends an_empty* lent_items_may*)
set(errors a_destination* of_several* the_first_bad* a_bad_destination* spans* ranks_that* items_of* failures_and*)
set(handles two_may* one_begun* test_* other_collective* exchanges_of_a_part* dropping_is_local one_may* move_and*
  more_than_half* a_part_works* of_encoded_items_may_be_dropped)

# "*/<suite>.<name>/<way>" for each name, as GoogleTest takes it.
function(weft_filter result suite way)
  list(TRANSFORM ARGN PREPEND "*/${suite}." OUTPUT_VARIABLE names)
  list(TRANSFORM names APPEND "/${way}")
  list(JOIN names ":" joined)
  set(${result} ${joined} PARENT_SCOPE)
endfunction()

# weft_smpi_tests(<name> <ranks> <suite> <ways> <name of a test>...)
function(weft_smpi_tests name ranks suite ways)
  foreach(way IN LISTS ways)
    weft_filter(filter ${suite} ${way} ${ARGN})
    weft_smpi_test(${name}.${way} ${ranks} exchange "${filter}")
  endforeach()
endfunction()

weft_smpi_tests(cases 64 any_exchange "${ways};${two_level};pex" ${cases})
weft_smpi_tests(errors 64 exchange_errors "${ways}" ${errors})
weft_smpi_tests(errors 64 exchange_errors "${two_level};pex" of_several* the_first_bad*)
weft_smpi_tests(handles 64 exchange_handles "${ways}" ${handles})
weft_smpi_test(transport 64 transport "*transport_contract.*/plain")
weft_smpi_test(collectives 64 protocol "*collectives.*/dissemination:agree.*:agreed.*:-agree.works_with_the_collective*")

weft_smpi_tests(cases 256 any_exchange "${ways}" brings_one_item* nobody_sends an_empty*)
weft_smpi_tests(errors 256 exchange_errors "${ways};nbx_two_level" of_several*)
weft_smpi_tests(handles 256 exchange_handles "nbx;store_and_forward" one_begun* exchanges_of_a_part*)

weft_smpi_tests(cases 1024 any_exchange "${ways}" brings_one_item* nobody_sends)
