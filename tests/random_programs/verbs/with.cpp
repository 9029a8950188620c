/// The same ranks under other settings.
#include "../session.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_with(draws& random, model const& now, operation& line) {
    if (now.groups.size() > 6) return false;
    line.set("on", random.key_of(now.groups));
    line.set("window", random.one_of({2, 8, 16, 4096, 4096}));
    line.set("census", random.one_of({"dissemination", "dissemination", "dissemination", "collective"}));
    line.set("probe", random.one_of({"matched", "plain"}));
    line.set("nodes", random.one_of({"real", "1", "2", "1,2", "cyclic:2"}));
    line.set("in_flight", random.one_of({100, 64 << 20}));
    line.set("header_above", random.one_of({3, 32768}));
    line.set("shared", random.below(2));
    return true;
}

void apply_with(model& now, operation const& line) {
    if (!line.has("fault")) now.groups[line.number];
}

void run_with(session& of, operation const& line) {
    live_group const parent = of.group(line);
    weft::settings changed = parent.comm.settings();
    changed.tag_window = line.has("fault") ? 1 : line.id("window");
    changed.all_reduce = line.text("census") == "collective" ? weft::all_reduce_method::collective
                                                             : weft::all_reduce_method::dissemination;
    changed.probe = line.text("probe") == "plain" ? weft::probe_method::plain : weft::probe_method::matched;
    if (line.text("nodes") != "real") changed.ranks_per_node = line.text("nodes");
    changed.in_flight_bytes = line.value("in_flight");
    changed.header_above = line.value("header_above");
    changed.shared_memory = line.value("shared") != 0;
    of.expect(line, parent.comm, {line.has("fault") ? failure_kind::usage : failure_kind::none}, [&] {
        weft::communicator const made = parent.comm.with(changed);
        of.check(made.size() == parent.comm.size() && made.rank() == parent.comm.rank(), line,
            "the ranks are others");
        of.groups.emplace(
            line.number, live_group{made, mixed({parent.name, static_cast<std::uint64_t>(line.number)})});
    });
}

} // namespace

extern verb const with_verb;
verb const with_verb{"with", 2, draw_with, apply_with, run_with};

} // namespace random_programs
