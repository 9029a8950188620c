/// One more service of a mailbox, which answers all queries of a run at once.
#include "../live_mail.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_service(draws& random, model const& now, operation& line) {
    if (now.mailboxes.empty()) return false;
    int const mail = random.key_of(now.mailboxes);
    if (now.mailboxes.at(mail).services > 2) return false;
    line.set("mail", mail);
    return true;
}

void apply_service(model& now, operation const& line) {
    ++now.mailboxes.at(line.id("mail")).services;
}

void run_service(session& of, operation const& line) {
    live_mail& live = *of.mailboxes.at(line.id("mail"));
    auto const place = static_cast<number>(live.later_questions.size()) + 1;
    live.later_questions.push_back(live.mail.service<number, number>(
        [&live, place](std::span<number const> queries, std::span<number> answers) {
            for (std::size_t i = 0; i < queries.size(); ++i) answers[i] = live.answer_here(queries[i], place);
        }));
}

} // namespace

extern verb const make_service_verb;
verb const make_service_verb{"make_service", 2, draw_service, apply_service, run_service};

} // namespace random_programs
