/// One more channel of a mailbox: others may send on it before this rank has made it.
#include "../live_mail.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_channel(draws& random, model const& now, operation& line) {
    if (now.mailboxes.empty()) return false;
    int const mail = random.key_of(now.mailboxes);
    if (now.mailboxes.at(mail).channels > 3) return false;
    line.set("mail", mail);
    return true;
}

void apply_channel(model& now, operation const& line) {
    ++now.mailboxes.at(line.id("mail")).channels;
}

void run_channel(session& of, operation const& line) {
    live_mail& live = *of.mailboxes.at(line.id("mail"));
    auto const place = static_cast<number>(live.extra.size());
    live.extra.push_back(live.mail.channel<number>([&live, place](number const& item) {
        live.seen.extra.add(mixed({item, place}));
    }));
}

} // namespace

extern verb const make_channel_verb;
verb const make_channel_verb{"make_channel", 2, draw_channel, apply_channel, run_channel};

} // namespace random_programs
