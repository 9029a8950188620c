// Misuse of an exchange that the compiler can see.
#include <weft/exchange/exchange.hpp>

#include <string>

void good(weft::communicator const& comm) {
    weft::outbox<int> out(comm);
    out[0].reserve(3);
    auto pending = weft::start_exchange(std::move(out));
    (void)std::move(pending).get();
}

#if WEFT_SECTION == 1
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
void pointers(weft::communicator const& comm) {
    weft::outbox<int*> out(comm);
}
#endif

#if WEFT_SECTION == 2
// EXPECT-ERROR: no matching function|constraints not satisfied
void room_for_items_of_any_size(weft::outbox<std::string>& out) {
    out[0].reserve(3);
}
#endif

#if WEFT_SECTION == 3
// EXPECT-ERROR: discards qualifiers|cannot bind|rvalue ref-qualifier
void result_twice(weft::pending_exchange<int>& pending) {
    (void)pending.get();
}
#endif

#if WEFT_SECTION == 4
// EXPECT-ERROR: weft: an exchange empties its outbox: write exchange\(std::move\(out\)\)
void outbox_kept(weft::outbox<int>& out) {
    (void)weft::exchange(out);
}
#endif

#if WEFT_SECTION == 6
// EXPECT-ERROR: no matching function|constraints not satisfied
void encoded_items_lent(weft::outbox<std::string>& out, std::span<std::string const> items) {
    out[0].append_view(items);
}
#endif

#if WEFT_SECTION == 5
// EXPECT-ERROR: deleted
void handle_copied(weft::pending_exchange<int> const& pending) {
    auto copy = pending;
}
#endif

#if WEFT_SECTION == 7
// EXPECT-ERROR: weft: an exchange takes an outbox, which knows its communicator
void communicator_for_an_outbox(weft::communicator const& comm) {
    weft::exchange(comm);
}
#endif
