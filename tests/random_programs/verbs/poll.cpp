/// Some ranks look after a mailbox, others do not.
#include "../live_mail.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_poll(draws& random, model const& now, operation& line) {
    if (now.mailboxes.empty()) return false;
    line.set("mail", random.key_of(now.mailboxes));
    return true;
}

void run_poll(session& of, operation const& line) {
    live_mail& live = *of.mailboxes.at(line.id("mail"));
    for (number i = mixed({line.seed(), static_cast<number>(of.rank)}) % 4; i > 0; --i)
        (void)live.mail.poll();
}

} // namespace

extern verb const poll_verb;
verb const poll_verb{"poll", 1, draw_poll, nullptr, run_poll};

} // namespace random_programs
