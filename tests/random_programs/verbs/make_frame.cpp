/// A frame of any kind.
#include "../live_frame.hpp"
#include "../verb.hpp"

#include <array>
#include <stdexcept>

namespace random_programs {

extern frame_kind const to_parts_kind, to_blocks_kind, between_parts_kind, between_blocks_kind, look_up_kind,
    ghosts_kind;

namespace {

std::array const frame_kinds{
    &to_parts_kind, &to_blocks_kind, &between_parts_kind, &between_blocks_kind, &look_up_kind, &ghosts_kind};

bool draw_frame_kind(draws& random, model const& now, operation& line) {
    if (now.frames.size() > 4) return false;
    frame_kind const& kind =
        *frame_kinds[static_cast<std::size_t>(random.below(static_cast<int>(frame_kinds.size())))];
    if (line.has("fault") && std::ranges::count(kind.faults_made, line.text("fault")) == 0) return false;
    line.set("on", random.key_of(now.groups));
    line.set("kind", kind.name);
    line.set("most", random.one_of({1, 10, 10, 100}));
    line.set("transfer", random.below(5));
    if (&kind == &between_parts_kind) line.set("by_links", random.below(2));
    return true;
}

void apply_frame(model& now, operation const& line) {
    if (!line.has("fault")) now.frames[line.number] = {line.id("on"), line.text("kind")};
}

void run_frame_making(session& of, operation const& line) {
    live_group const& group = of.group(line);
    // One rank cannot differ from others.
    bool const alone = line.fails_by("distributions_differ") && group.comm.size() == 1;
    of.expect(
        line, group.comm, {line.has("fault") && !alone ? failure_kind::usage : failure_kind::none}, [&] {
            auto made = frame_kind_of(line.text("kind")).make(group, line);
            if (!line.has("fault")) of.frames.emplace(line.number, std::move(made));
        });
}

} // namespace

frame_kind const& frame_kind_of(std::string const& name) {
    for (frame_kind const* each : frame_kinds)
        if (name == each->name) return *each;
    throw std::runtime_error("no frame is called " + name);
}

extern verb const make_frame_verb;
verb const make_frame_verb{"make_frame", 5, draw_frame_kind, apply_frame, run_frame_making};

} // namespace random_programs
