// Misuse of blocks that the compiler can see.
#include <weft/blocks/block_set.hpp>

#include <vector>

namespace {

struct no_hook {
    std::vector<int> items;
};

} // namespace

void good(weft::block_set<int>& blocks) {
    blocks.for_each_port<int>([](int&, weft::block_port<int>& port) { port.send(port.id(), 1); });
    blocks.for_each([](int&, weft::block_id) {});
    (void)blocks.exchange<int>([](int&, weft::block_port<int>&) { return true; });
    blocks.exchange_neighbors<int>([](int&, auto& port) { port.flush(); });
    blocks.iexchange<int>([](int&, weft::block_port<int>&) {});
}

#if WEFT_SECTION == 1
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
void items_without_a_hook(weft::block_set<int>& blocks) {
    (void)blocks.exchange<no_hook>([](int&, weft::block_port<no_hook>&) {});
}
#endif

#if WEFT_SECTION == 2
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
void port_of_pointers(weft::block_port<int*>& port) {
    (void)port.id();
}
#endif

#if WEFT_SECTION == 3
// EXPECT-ERROR: weft: for items of T, the callback of a block_set<B> takes \(B&, weft::block_port<T>&\)
void callback_of_another_block(weft::block_set<int>& blocks) {
    blocks.iexchange<int>([](std::vector<int>&, weft::block_port<int>&) {});
}
#endif

#if WEFT_SECTION == 4
// EXPECT-ERROR: weft: for items of T, the callback of a block_set<B> takes \(B&, weft::block_port<T>&\)
void port_of_other_items(weft::block_set<int>& blocks) {
    (void)blocks.exchange<int>([](int&, weft::block_port<double>&) {});
}
#endif

#if WEFT_SECTION == 5
// EXPECT-ERROR: weft: for items of T, the callback of a block_set<B> takes \(B&, weft::block_port<T>&\)
void copied_port(weft::block_set<int>& blocks) {
    blocks.for_each_port<int>([](int&, weft::block_port<int>) {});
}
#endif

#if WEFT_SECTION == 6
// EXPECT-ERROR: weft: the callback of for_each of a block_set<B> takes \(B&, weft::block_id\)
void index_in_place_of_an_id(weft::block_set<int>& blocks) {
    blocks.for_each([](int&, int) {});
}
#endif
