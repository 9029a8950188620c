/// A mailbox, with channels of every kind.
#include "../live_mail.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_mailbox(draws& random, model const& now, operation& line) {
    if (now.mailboxes.size() > 2) return false;
    line.set("on", random.key_of(now.groups));
    line.set("route", random.one_of({"direct", "node_local", "node_remote", "nlnr", "automatic"}));
    line.set("bytes", random.one_of({0, 1, 1, 20000, 200000}));
    line.set("nested", random.below(2));
    return true;
}

void apply_mailbox(model& now, operation const& line) {
    if (!line.has("fault")) now.mailboxes[line.number].on = line.id("on");
}

void run_mailbox(session& of, operation const& line) {
    live_group const group = of.group(line);
    weft::mailbox_options options{.nested_handlers = line.value("nested") != 0};
    if (line.value("bytes") > 0) options.buffer_bytes = line.value("bytes");
    for (int value = 0; value <= static_cast<int>(weft::route::automatic); ++value)
        if (weft::name_of(static_cast<weft::route>(value)) == line.text("route"))
            options.route = static_cast<weft::route>(value);
    if (line.fails_by("unequal_options") && session::fails_here(line, group.comm))
        options.buffer_bytes = options.buffer_bytes == 300000 ? 400000 : 300000;
    bool const alone = group.comm.size() == 1;
    of.expect(
        line, group.comm, {line.has("fault") && !alone ? failure_kind::usage : failure_kind::none}, [&] {
            auto made = std::make_shared<live_mail>(group, options);
            if (!line.has("fault")) of.mailboxes.emplace(line.number, std::move(made));
        });
}

} // namespace

extern verb const make_mailbox_verb;
verb const make_mailbox_verb{"make_mailbox", 4, draw_mailbox, apply_mailbox, run_mailbox};

} // namespace random_programs
