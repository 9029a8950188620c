/// A run of a frame, in one of the ways of its kind.
#include "../live_frame.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

/// Whether a run in this way can go wrong so.
bool fault_fits(std::string const& fault, std::string const& way) {
    bool const lists = way == "lists" || way == "lists_back";
    if (fault == "offsets_outside") return lists;
    if (fault == "operator_of_frame_throws") return way == "reduce" || way == "combine";
    if (fault == "value_of_frame_does_not_decode") return way == "keep";
    return !lists;
}

bool draw_frame_run(draws& random, model const& now, operation& line) {
    if (now.frames.empty()) return false;
    int const frame = random.key_of(now.frames);
    frame_kind const& kind = frame_kind_of(now.frames.at(frame).kind);
    if (line.has("fault") && std::ranges::count(kind.faults_run, line.text("fault")) == 0) return false;
    line.set("frame", frame);
    line.set("way", kind.ways[static_cast<std::size_t>(random.below(static_cast<int>(kind.ways.size())))]);
    line.set("stride", random.one_of({1, 1, 2, 3}));
    line.set("type", random.one_of({"number", "number", "text"}));
    line.set("within", random.one_of({0, 1, 3, 8})); // operations until all ranks have completed it
    return !line.has("fault") || fault_fits(line.text("fault"), line.text("way"));
}

void run_frame_once(session& of, operation const& line) {
    of.frames.at(line.id("frame"))->run(of, line);
}

} // namespace

extern verb const run_frame_verb;
verb const run_frame_verb{"run_frame", 12, draw_frame_run, nullptr, run_frame_once};

} // namespace random_programs
