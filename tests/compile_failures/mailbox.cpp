// Misuse of a mailbox that the compiler can see.
#include <weft/mailbox/mailbox.hpp>

#include <string>

void good(weft::mailbox& mail) {
    mail.channel<int>([](int) {}).send(0, 1);
    mail.channel<int>([](int /*source*/, std::span<int const>) {}).send(0, 1);
    mail.channel<std::string>([](std::string const&) {}).send(0, "text");
    mail.async(
        0, [](int) {}, 1);
}

#if WEFT_SECTION == 1
// EXPECT-ERROR: weft: the handler of a channel of T takes T const&, or std::span<T const> for a batch
void handler_of_another_type(weft::mailbox& mail) {
    (void)mail.channel<int>([](std::string const&) {});
}
#endif

#if WEFT_SECTION == 2
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
void channel_of_pointers(weft::mailbox& mail) {
    (void)mail.channel<int*>([](int*) {});
}
#endif

#if WEFT_SECTION == 3
// EXPECT-ERROR: could not convert|cannot convert|no matching( member)? function
void item_of_another_type(weft::mailbox& mail) {
    mail.channel<int>([](int) {}).send(0, std::string("text"));
}
#endif

#if WEFT_SECTION == 4
// EXPECT-ERROR: weft: async takes a lambda without captures, or another empty type; handlers of channels may
// capture
void call_that_captures(weft::mailbox& mail) {
    int heard = 0;
    mail.async(
        0, [&](int item) { heard += item; }, 1);
}
#endif
