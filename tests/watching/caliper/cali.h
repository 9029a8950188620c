/// Stands in for the header of Caliper: the two functions that adapters/caliper.cpp calls.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void cali_begin_region(char const* name);
void cali_end_region(char const* name);

#ifdef __cplusplus
}
#endif
