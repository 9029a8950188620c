/// Some ranks ask others by a service, in a phase of a mailbox.
#include "../live_mail.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_ask(draws& random, model const& now, operation& line) {
    if (now.mailboxes.empty()) return false;
    line.set("mail", random.key_of(now.mailboxes));
    line.set("service", random.below(1 + now.mailboxes.at(line.id("mail")).services));
    draw_sizes(random, line);
    return true;
}

void apply_ask(model& now, operation const& line) {
    now.mailboxes.at(line.id("mail")).quiet = false;
}

void run_ask(session& of, operation const& line) {
    live_mail& live = *of.mailboxes.at(line.id("mail"));
    weft::communicator const& comm = live.group.comm;
    traffic const asked(line, live.group.name);
    bool const poisons = line.fails_by("service_throws") && !live.fault;
    if (poisons) live.fault = line;
    std::vector<int> destinations;
    std::vector<number> queries;
    if (mixed({line.seed(), static_cast<number>(comm.rank())}) % 2 == 0)
        for (int to = 0; to < comm.size(); ++to)
            for (number const query : asked.some(comm.rank(), to)) {
                destinations.push_back(to);
                queries.push_back(query);
            }
    int const failing = session::failing_rank(line, comm);
    if (poisons && comm.rank() == (failing + 1) % comm.size()) {
        destinations.push_back(failing);
        queries.push_back(live_mail::poisoned_query + static_cast<number>(line.number));
    }
    // Fewer than drawn where one was left out of the program.
    auto const place = static_cast<number>(line.value("service")) % (live.later_questions.size() + 1);
    weft::service<number, number> const& asking =
        place == 0 ? live.questions : live.later_questions[place - 1];
    auto const answers = asking.ask(destinations, queries);
    of.check(answers.size() == queries.size(), line, "answers are missing");
    for (std::size_t i = 0; i < queries.size(); ++i) {
        // A rank that is ahead may have come to a fault of this phase already.
        if (answers[i] == 0 || queries[i] > live_mail::poisoned_query)
            live.lacks_answers = true;
        else
            of.check(answers[i] == live.answer(queries[i], destinations[i], place), line,
                "answer " + std::to_string(i) + " is wrong");
    }
}

} // namespace

extern verb const ask_verb;
verb const ask_verb{"ask", 4, draw_ask, apply_ask, run_ask};

} // namespace random_programs
