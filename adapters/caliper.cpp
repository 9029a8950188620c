/// Operations of Weft as regions of Caliper, inside of the regions that the program marks itself.
#include <caliper/cali.h>

extern "C" void weft_operation_began(char const* name, char const* /*within*/) {
    cali_begin_region(name);
}

extern "C" void weft_operation_ended(char const* name, char const* /*within*/) {
    cali_end_region(name);
}
