/// The Trace Event Format of Chrome, which Perfetto reads too.
#include "timeline_picture.hpp"

#include <cstdio>
#include <set>
#include <string_view>

namespace weft {

namespace {

constexpr std::array<std::string_view, span_kinds> kinds{"compute", "communicate", "wait", "termination"};

std::string as_microseconds(std::int64_t nanoseconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
        static_cast<long long>(nanoseconds % 1000));
    return text;
}

class event_list {
public:
    void begin(char const* phase, std::int64_t rank, std::int64_t thread) {
        text_ += any_ ? ",\n{" : "\n{";
        any_ = true;
        text_ += "\"ph\":\"" + std::string(phase) + "\",\"pid\":" + std::to_string(rank) +
                 ",\"tid\":" + std::to_string(thread);
    }
    event_list& field(char const* name, std::string const& value) {
        text_ += ",\"" + std::string(name) + "\":" + value;
        return *this;
    }
    void end() { text_ += "}"; }

    void complete(std::int64_t rank, std::int64_t thread, std::string const& name, std::string_view category,
        std::int64_t begin, std::int64_t length) {
        this->begin("X", rank, thread);
        field("name", json_text(name)).field("cat", json_text(std::string(category)));
        field("ts", as_microseconds(begin)).field("dur", as_microseconds(length));
    }
    void name_of(char const* what, std::int64_t rank, std::int64_t thread, std::string const& name) {
        begin("M", rank, thread);
        field("name", json_text(what)).field("args", "{\"name\":" + json_text(name) + "}").end();
    }
    void flow(
        char const* phase, std::int64_t number, std::int64_t rank, std::int64_t time, std::int64_t bytes) {
        begin(phase, rank, 0);
        field("name", "\"message\"").field("cat", "\"message\"").field("id", std::to_string(number));
        field("ts", as_microseconds(time));
        if (*phase == 'f') field("bp", "\"e\"");
        field("args", "{\"bytes\":" + std::to_string(bytes) + "}").end();
    }

    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
    bool any_ = false;
};

void add_span(event_list& events, picture_lane const& lane, std::int64_t rank, picture_span const& each) {
    auto const kind = static_cast<std::size_t>(each.kind);
    bool const named = each.kind == static_cast<std::int32_t>(span_kind::compute);
    // A wait has the name of its operation, which encloses it.
    std::string name = named ? lane.names[static_cast<std::size_t>(each.name)] : std::string(kinds[kind]);
    if (each.number >= 0) name += " " + std::to_string(each.number);
    events.complete(rank, each.thread + 1, name, kinds[kind], each.begin, each.length);
    if (each.more > 0) events.field("args", "{\"others in it\":" + std::to_string(each.more) + "}");
    events.end();
}

} // namespace

std::string trace_events_of(timeline_picture const& all) {
    event_list events;
    for (std::size_t place = 0; place < all.lanes.size(); ++place) {
        picture_lane const& lane = all.lanes[place];
        auto const rank = static_cast<std::int64_t>(place);
        events.name_of("process_name", rank, 0, "rank " + std::to_string(rank));
        events.name_of("thread_name", rank, 0, "communicates");
        std::set<std::int32_t> threads;
        for (picture_span const& each : lane.works) threads.insert(each.thread);
        for (std::int32_t const thread : threads)
            events.name_of("thread_name", rank, thread + 1, "callbacks " + std::to_string(thread));
        for (picture_operation const& each : lane.operations) {
            events.complete(rank, 0, lane.names[static_cast<std::size_t>(each.name)], "operation", each.begin,
                each.end - each.begin);
            events.field("args", "{\"ordinal\":" + std::to_string(each.ordinal) + "}").end();
        }
        for (picture_span const& each : lane.spans) add_span(events, lane, rank, each);
        for (picture_span const& each : lane.works) add_span(events, lane, rank, each);
    }
    std::int64_t number = 0;
    for (picture_arrow const& each : all.arrows()) {
        events.flow("s", number, each.from, each.left, each.bytes);
        events.flow("f", number++, each.to, each.found, each.bytes);
    }
    std::string text = "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"title\":" + json_text(all.title) +
                       ",\"ranks\":" + std::to_string(all.lanes.size()) +
                       ",\"drawn together below ns\":" + std::to_string(all.resolution());
    double error = 0;
    std::int64_t lost = 0;
    for (picture_lane const& lane : all.lanes) {
        error = std::max(error, lane.clock_error);
        lost += lane.lost;
    }
    return text + ",\"clocks are within ns\":" + std::to_string(static_cast<std::int64_t>(error * 1e9)) +
           ",\"lost events\":" + std::to_string(lost) + "},\n\"traceEvents\":[" + events.take() + "\n]}\n";
}

} // namespace weft
