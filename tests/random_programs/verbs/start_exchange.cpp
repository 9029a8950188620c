/// An exchange with a handle, which each rank completes or drops at a time of its own. Or one on each of two
/// communicators, which ranks begin in different orders.
#include "../exchange_parts.hpp"
#include "../verb.hpp"

#include <weft/core/error.hpp>

#include <memory>

namespace random_programs {

namespace {

bool draw_handle(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    int const also = random.key_of(now.groups);
    draw_protocol(random, line);
    // The first rsx of a communicator meets all of its ranks.
    if (also != line.id("on") && line.text("protocol") != "rsx") line.set("also", also);
    draw_sizes(random, line);
    line.set("type",
        line.fails_by("handle_decoding_throws") ? "brittle" : random.one_of({"number", "text", "brittle"}));
    line.set("within", random.one_of({0, 1, 3, 8}));           // operations until all ranks have completed it
    line.set("dropped_by", random.one_of({0, 0, 0, 30, 100})); // per cent of the ranks
    return true;
}

template <class T>
void begin_handle(session& of, operation const& line) {
    live_group const group = of.group(line);
    auto handle = std::make_shared<weft::pending_exchange<T>>(
        weft::start_exchange(outbox_of<T>(line, group), options_of(line)));
    number const mine = mixed({line.seed(), static_cast<number>(of.rank)});
    int const until = line.number + 1 + static_cast<int>(mine % (line.value("within") + 1));
    bool const drops = static_cast<std::int64_t>(mine / 64 % 100) < line.value("dropped_by");
    int const tests = static_cast<int>(mine / 8192 % 4);
    of.handles.push_back({line.number, until, [&of, line, group, handle, drops, tests] {
                              if (drops) return;
                              of.expect(line, group.comm, ending_of(line, group.comm), [&] {
                                  for (int i = 0; i < tests; ++i) (void)handle->test();
                                  check_inbox(of, line, group, std::move(*handle).get());
                              });
                          }});
}

void begin(session& of, operation const& line) {
    if (line.text("type") == "text")
        begin_handle<std::string>(of, line);
    else if (line.text("type") == "brittle")
        begin_handle<brittle>(of, line);
    else
        begin_handle<number>(of, line);
}

void run_handle(session& of, operation const& line) {
    bool const two = line.has("also") && of.now.groups.contains(line.id("also"));
    operation other = line;
    other.set("on", line.id("also"));
    other.arguments.erase("fault");
    bool const other_first = two && mixed({line.seed(), 11, static_cast<number>(of.rank)}) % 2 == 0;
    if (other_first) begin(of, other);
    begin(of, line);
    if (two && !other_first) begin(of, other);
}

} // namespace

extern verb const start_exchange_verb;
verb const start_exchange_verb{"start_exchange", 8, draw_handle, nullptr, run_handle};

} // namespace random_programs
