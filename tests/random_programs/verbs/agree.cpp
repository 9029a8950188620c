/// `agreed`: a body that throws on one rank.
#include "../session.hpp"
#include "../verb.hpp"

#include <weft/protocol/agreement.hpp>

namespace random_programs {

namespace {

bool draw_agree(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    return true;
}

void run_agree(session& of, operation const& line) {
    weft::communicator const& comm = of.group(line).comm;
    ending const how{
        line.has("fault") ? failure_kind::planned : failure_kind::none, session::failing_rank(line, comm)};
    of.expect(line, comm, how, [&] {
        weft::agreed(comm, [&] {
            if (session::fails_here(line, comm)) throw planned_fault(fault_text(line));
        });
    });
}

} // namespace

extern verb const agree_verb;
verb const agree_verb{"agree", 1, draw_agree, nullptr, run_agree};

} // namespace random_programs
