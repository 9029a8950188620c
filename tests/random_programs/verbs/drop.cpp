/// Drops what there is, on each rank at a time of its own: destructors are local.
#include "../live_blocks.hpp"
#include "../live_frame.hpp"
#include "../live_mail.hpp"
#include "../live_plan.hpp"
#include "../session.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

template <class Map>
bool draw_one(draws& random, operation& line, std::string const& what, Map const& things) {
    if (things.empty()) return false;
    line.set(what, random.key_of(things));
    return true;
}

bool draw_drop(draws& random, model const& now, operation& line) {
    std::string const what = random.one_of({"on", "mail", "plan", "frame", "blocks"});
    line.set("within", random.one_of({0, 3}));
    if (what == "on") return draw_one(random, line, what, now.groups) && line.id("on") != 0;
    // Who waits for room in a mailbox waits for ever when its reader is gone.
    if (what == "mail")
        return draw_one(random, line, what, now.mailboxes) && now.mailboxes.at(line.id("mail")).quiet;
    if (what == "plan") return draw_one(random, line, what, now.plans);
    if (what == "frame") return draw_one(random, line, what, now.frames);
    return draw_one(random, line, what, now.block_sets);
}

void apply_drop(model& now, operation const& line) {
    if (line.has("on") && line.id("on") != 0) now.groups.erase(line.id("on"));
    if (line.has("mail")) now.mailboxes.erase(line.id("mail"));
    if (line.has("plan")) now.plans.erase(line.id("plan"));
    if (line.has("frame")) now.frames.erase(line.id("frame"));
    if (line.has("blocks")) now.block_sets.erase(line.id("blocks"));
}

/// Takes a thing out of the map; it goes when its time has come.
template <class Map>
void drop_from(session& of, operation const& line, Map& map, int id) {
    auto const at = map.find(id);
    if (at == map.end()) return;
    auto kept = std::make_shared<typename Map::mapped_type>(std::move(at->second));
    map.erase(at);
    number const mine = mixed({line.seed(), static_cast<number>(of.rank)});
    of.handles.push_back({line.number, line.number + 1 + static_cast<int>(mine % (line.value("within") + 1)),
        [kept]() mutable { kept.reset(); }});
}

void run_drop(session& of, operation const& line) {
    if (line.has("on") && line.id("on") != 0) drop_from(of, line, of.groups, line.id("on"));
    if (line.has("mail")) drop_from(of, line, of.mailboxes, line.id("mail"));
    if (line.has("plan")) drop_from(of, line, of.plans, line.id("plan"));
    if (line.has("frame")) drop_from(of, line, of.frames, line.id("frame"));
    if (line.has("blocks")) drop_from(of, line, of.block_sets, line.id("blocks"));
}

} // namespace

extern verb const drop_verb;
verb const drop_verb{"drop", 4, draw_drop, apply_drop, run_drop};

} // namespace random_programs
