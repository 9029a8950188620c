// Collectives on integers, given fractions.
#include <weft/protocol/collectives.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

void good(weft::communicator const& comm) {
    (void)weft::sum(comm, 1);
    (void)weft::max(comm, true);
    (void)weft::min(comm, std::size_t{1});
    (void)weft::exclusive_sum(comm, 1U);
    static_assert(std::is_same_v<decltype(weft::all_gather(comm, 3)), std::vector<int>>);
}

#if WEFT_SECTION == 1
// EXPECT-ERROR: weft: sum, max, min and exclusive_sum take whole numbers
double sum_of_fractions(weft::communicator const& comm) {
    return weft::sum(comm, 0.25 * comm.rank());
}
#endif

#if WEFT_SECTION == 2
// EXPECT-ERROR: weft: sum, max, min and exclusive_sum take whole numbers
double greatest_fraction(weft::communicator const& comm) {
    return weft::max(comm, 0.5);
}
#endif

#if WEFT_SECTION == 3
// EXPECT-ERROR: weft: sum, max, min and exclusive_sum take whole numbers
double least_fraction(weft::communicator const& comm) {
    return weft::min(comm, 0.5F);
}
#endif

#if WEFT_SECTION == 4
// EXPECT-ERROR: weft: sum, max, min and exclusive_sum take whole numbers
void offset_by_fractions(weft::communicator const& comm) {
    (void)weft::exclusive_sum(comm, 0.5);
}
#endif

#if WEFT_SECTION == 5
// EXPECT-ERROR: no matching function for call to .all_gather
void gathered_fractions(weft::communicator const& comm) {
    (void)weft::all_gather(comm, 0.5);
}
#endif
