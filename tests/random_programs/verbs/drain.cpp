/// The end of a phase of a mailbox, by `drain` or by asking `test_empty`: all has been handled.
#include "../live_mail.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_drain(draws& random, model const& now, operation& line) {
    if (now.mailboxes.empty()) return false;
    line.set("mail", random.key_of(now.mailboxes));
    line.set("how", random.one_of({"drain", "drain", "test_empty"}));
    return true;
}

void apply_drain(model& now, operation const& line) {
    now.mailboxes.at(line.id("mail")).quiet = true;
}

void run_drain(session& of, operation const& line) {
    live_mail& live = *of.mailboxes.at(line.id("mail"));
    ending how;
    if (live.fault) how = {failure_kind::planned, session::failing_rank(*live.fault, live.group.comm)};
    if (live.fault && live.fault->fails_by("merge_throws")) how = {failure_kind::perhaps};
    if (live.fault && live.fault->fails_by("handler_asks")) how = {failure_kind::usage};
    of.expect(live.fault ? *live.fault : line, live.group.comm, how, [&] {
        if (line.text("how") == "drain")
            live.mail.drain();
        else
            while (!live.mail.test_empty()) {}
    });
    if (!live.fault) {
        of.check(live.seen.packets == live.due.packets, line,
            "packets: " + std::to_string(live.seen.packets.items) + " handled, " +
                std::to_string(live.due.packets.items) + " due");
        of.check(live.seen.batches == live.due.batches, line, "batches are wrong");
        of.check(live.seen.texts == live.due.texts, line, "texts are wrong");
        of.check(live.seen.calls == live.due.calls, line, "calls are wrong");
        of.check(live.seen.extra == live.due.extra, line, "the later channels are wrong");
        of.check(!live.lacks_answers, line, "answers are empty although no handler threw");
        of.check(live.seen.counts == live.due.counts, line, "combined counts are wrong");
    }
    live.seen = {};
    live.due = {};
    live.fault.reset();
    live.lacks_answers = false;
}

} // namespace

extern verb const drain_verb;
verb const drain_verb{"drain", 8, draw_drain, apply_drain, run_drain};

} // namespace random_programs
