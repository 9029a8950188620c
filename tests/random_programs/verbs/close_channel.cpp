/// The last channel or service of a mailbox is closed, on each rank at a time of its own, while others stay.
#include "../live_mail.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_close(draws& random, model const& now, operation& line) {
    if (now.mailboxes.empty()) return false;
    int const mail = random.key_of(now.mailboxes);
    mail_facts const& facts = now.mailboxes.at(mail);
    line.set("mail", mail);
    line.set("of", random.one_of({"channels", "services"}));
    // What comes for a closed channel is an error, so no message may be on its way.
    return facts.quiet && (line.text("of") == "channels" ? facts.channels : facts.services) > 0;
}

void apply_close(model& now, operation const& line) {
    mail_facts& facts = now.mailboxes.at(line.id("mail"));
    int& open = line.text("of") == "channels" ? facts.channels : facts.services;
    if (open > 0) --open;
}

template <class Handles>
void close_last(Handles& handles) {
    if (handles.empty()) return; // it was left out of the program
    handles.back().close();
    handles.pop_back();
}

void run_close(session& of, operation const& line) {
    live_mail& live = *of.mailboxes.at(line.id("mail"));
    if (!of.now.mailboxes.at(line.id("mail")).quiet) return; // the drain was left out of the program
    if (line.text("of") == "channels")
        close_last(live.extra);
    else
        close_last(live.later_questions);
}

} // namespace

extern verb const close_channel_verb;
verb const close_channel_verb{"close_channel", 2, draw_close, apply_close, run_close};

} // namespace random_programs
